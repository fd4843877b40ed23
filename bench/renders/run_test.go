package renders

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/pixels"
)

// TestRun: the same plan plays the same studies, side by side or not, and a study that knows nothing but names has no features.
func TestRun(t *testing.T) {
	p := Plan{Pictures: 12, Tastes: 2, Answers: 6, Every: 3, Setup: "names"}
	one, err := p.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Jobs = 2
	calls := 0
	two, err := p.Run(t.Context(), func() { calls++ })
	if err != nil || !reflect.DeepEqual(one, two) || calls != 2 {
		t.Errorf("%v, %d calls: %+v, then %+v", err, calls, one, two)
	}
	for _, s := range one {
		if s.Seen < 3 || s.Seen > 12 || s.Beats < 0 || s.Beats > 1 {
			t.Errorf("%+v", s)
		}
	}
	if _, err := (Plan{Setup: "eyes"}).Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "eyes") {
		t.Errorf("a setup that there is not: %v", err)
	}
}

// TestScene: what a scene is can be seen in its pixels, and utilities are standardised and have the share of their own that is asked for.
func TestScene(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var scenes []Scene
	for range 400 {
		scenes = append(scenes, NewScene(r))
	}
	light := slices.Index(pixels.Names[:], "lightness")
	var x, y []float64
	for _, s := range scenes {
		x, y = append(x, s.Ground), append(y, pixels.Of(s.Draw())[light])
	}
	if c := correlation(x, y); !(c > 0.8) {
		t.Errorf("the ground and the lightness of pictures correlate by %g", c)
	}
	who := rand.New(rand.NewPCG(3, 4))
	all := NewTaste(who, 0)
	half := all
	half.own = 0.5
	u, v := all.Utilities(scenes), half.Utilities(scenes)
	if c := correlation(u, v); math.Abs(c-math.Sqrt(0.5)) > 0.05 {
		t.Errorf("half of the variance is of the pictures alone, and the correlation %g", c)
	}
	count := 0
	for _, is := range best(u, 0.01) {
		if is {
			count++
		}
	}
	if count != 4 {
		t.Errorf("%d of 400 are the best hundredth", count)
	}
}

// correlation is that of two rows of numbers.
func correlation(x, y []float64) (c float64) {
	x, y = slices.Clone(x), slices.Clone(y)
	standardize(x)
	standardize(y)
	for i := range x {
		c += x[i] * y[i] / float64(len(x))
	}
	return c
}

// TestSummarize: who never comes there comes last.
func TestSummarize(t *testing.T) {
	s := Plan{}.Summarize([]Played{{Reached: 20, Beats: 0.9, Seen: 10, Most: 0.4}, {Beats: 0.5, Seen: 20, Most: 0.5}, {Reached: 30, Beats: 1, Seen: 30}})
	if s.Reached != 30 || math.Abs(s.Share-2.0/3) > 1e-12 || s.Beats != 0.9 || s.Worst != 0.5 || s.Seen != 20 || s.Most != 0.5 {
		t.Errorf("%+v", s)
	}
	if s := (Plan{}).Summarize([]Played{{}, {}, {Reached: 5}}); s.Reached != 0 {
		t.Errorf("one of three came there, and the median is %d", s.Reached)
	}
}
