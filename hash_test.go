package prefer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// canonical is the configuration of TestConfigHash as Python 3.11 writes it with rfc8785 0.1.4, rfc8785.dumps(json.loads(text)).
const canonical = `{"answers":{},"confidence":0.9,"look_ahead":1e+21,"margin":-1e-7,"model":{"answers":{"grades":0,"ties":false},"cut":"default","inference":"ep","lengthscale":"default","max_evals":0,"noise":0,"outputscale":"default","sparse":{"inducing":0,"jitter":0.000001,"nodes":0,"seed":0,"sobol":0},"tolerance":0},"prompt":"a\nb \"c\"","search":{"candidates":0,"evals":0,"finalists":0,"starts":0,"workers":0},"seed":9007199254740991,"space":{"params":[{"high":0.25,"low":0,"name":"süß <&>","type":"float"}]}}`

// TestConfigHash: the hash is that of the canonical JSON of RFC 8785, in which encoders agree on what they like to differ in.
func TestConfigHash(t *testing.T) {
	c := Config{Space: space.Box(space.Float("süß <&>", 0, 0.25)), Prompt: "a\nb \"c\"", Seed: 1<<53 - 1, Confidence: 0.9, Modelling: Modelling{Margin: -1e-7, LookAhead: 1e21, Model: gp.Model{SparseOptions: gp.SparseOptions{Jitter: 0.000001}}}}
	got, err := c.Hash()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(canonical))
	if want := hex.EncodeToString(sum[:]); got != want {
		text, _ := json.Marshal(c)
		t.Errorf("%s, want %s; the configuration is %s", got, want, text)
	}
	c.Seed = 1 << 63
	large, _ := c.Hash()
	c.Seed++
	if other, _ := c.Hash(); other == large {
		t.Error("another seed has the same hash")
	}
}

// TestConfigHashOpened: a configuration has the hash it was created with, when it is opened and read from JSON.
func TestConfigHashOpened(t *testing.T) {
	s, err := New(t.Context(), Config{Space: space.Box(space.Float("x", 0, 1)), People: PerRater})
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.Config().Hash()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s.Events(0))
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatal(err)
	}
	if got, err := events[0].Created.Config.Hash(); err != nil || got != want {
		t.Errorf("read from the log %s, %v, want %s", got, err, want)
	}
	opened, err := Open(t.Context(), events, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := opened.Config().Hash(); err != nil || got != want {
		t.Errorf("opened %s, %v, want %s", got, err, want)
	}
}
