package prefer

import (
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestSnapshot: with and without a snapshot a reopened study has the same bits, and with one it need not
// fit; a snapshot of something else changes nothing.
func TestSnapshot(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  Config
		n    int
	}{
		{"every answer fitted", Config{Space: unitSquare()}, 66},
		{"between refits", Config{Space: unitSquare()}, 154},
		{"forced", Config{Space: unitSquare(), Answers: Answers{Forced: true}}, 80},
	} {
		s := start(t, c.cfg)
		for i := range c.n {
			x := float64(i%17) / 16
			y := float64(i*i%23) / 22
			observe(t, s, Option{"x": ValueOf(x), "y": ValueOf(y)}, Option{"x": ValueOf(y), "y": ValueOf(1 - x)}, []Choice{First, Second}[(i*7/3)%2])
		}
		want := fingerprint(learned(t, s))
		text := s.Host().Snapshot()
		if text == nil {
			t.Fatalf("%s: no snapshot", c.name)
		}
		open := func(snapshot []byte) *Study {
			r, err := Open(ctx, s.Events(), OpenOptions{Snapshot: snapshot})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		with := open(text)
		if !slices.Equal(fingerprint(learned(t, with)), want) || !slices.Equal(fingerprint(learned(t, open(nil))), want) {
			t.Errorf("%s: a reopened study has other bits", c.name)
		}
		if f := with.fits.kept[0]; f.fitted.State().Evaluations != s.fits.kept[len(s.fits.kept)-1].fitted.State().Evaluations || len(with.fits.saved) == 0 {
			t.Errorf("%s: the snapshot was not used", c.name)
		}
		ev := with.view("").evidence
		if p := with.fits.restore(with.fits.model, ev); p == nil || !slices.Equal(fingerprint(p), want) {
			t.Errorf("%s: the snapshot does not hold the posterior", c.name)
		}
		broken := strings.Replace(string(text), `"lambda":[`, `"lambda":[1,`, 1)
		if broken == string(text) {
			broken = strings.Replace(string(text), `"Lambda":[`, `"Lambda":[1,`, 1)
		}
		for _, bad := range []string{"", "{", `{"version":99}`, strings.Replace(string(text), gp.Kernels(), "other", 1), broken} {
			if !slices.Equal(fingerprint(learned(t, open([]byte(bad)))), want) {
				t.Errorf("%s: a snapshot of something else changed the study", c.name)
			}
		}
		// One answer later, and one answer earlier, the snapshot is of no use and does no harm.
		observe(t, with, Option{"x": ValueOf(0), "y": ValueOf(0)}, Option{"x": ValueOf(1), "y": ValueOf(1)}, First)
		observe(t, s, Option{"x": ValueOf(0), "y": ValueOf(0)}, Option{"x": ValueOf(1), "y": ValueOf(1)}, First)
		if !slices.Equal(fingerprint(learned(t, with)), fingerprint(learned(t, s))) {
			t.Errorf("%s: the next answer has other bits with a snapshot", c.name)
		}
	}
}
