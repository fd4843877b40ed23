package learn

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// Average is the result of gp.Average: settings of the hyper-parameters and their weights.
type Average struct {
	Settings []gp.State `json:"settings"`
	Weights  []float64  `json:"weights"`
	Marginal float64    `json:"marginal"`
}

func averageOf(x *gp.Mixture, marginal float64) Average {
	a := Average{Marginal: marginal}
	for k := range x.Len() {
		a.Settings, a.Weights = append(a.Settings, x.Posterior(k).State()), append(a.Weights, x.Weight(k))
	}
	return a
}

func (a Average) restore(models []gp.Model, duels *gp.Duels) (*gp.Mixture, error) {
	posts := make([]*gp.Posterior, len(a.Settings))
	for k, state := range a.Settings {
		var err error
		if posts[k], err = modelOf(models, state.Hyper).Restore(duels, state); err != nil {
			return nil, err
		}
	}
	return gp.NewMixture(posts, a.Weights), nil
}

// Ready returns the fits that are computed and kept, newest last.
func (f *Cache) Ready() (out []*Fit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, k := range f.kept {
		select {
		case <-k.done:
			if k.err == nil {
				out = append(out, k)
			}
		default:
		}
	}
	return out
}

// States returns the states of the posteriors of a fit, by fittedKey: after all duels, and after those that hyper-parameters were fitted to.
func (f *Cache) States(k *Fit) map[string]gp.State {
	out := map[string]gp.State{}
	first := k.Head(k.fitted)
	for i, p := range k.posts {
		m := f.Model
		if i > 0 {
			m = f.Alternatives[i-1].Model
		}
		if k.PerRater {
			m = f.perRater(m)
		}
		if out[first.fittedKey(k.fitted, m)] = k.states[i]; p != nil {
			out[k.fittedKey(k.fitted, m)] = p.State()
		}
	}
	return out
}

// Mean returns the average behind a fit, and its fittedKey.
func (f *Cache) Mean(k *Fit) (string, Average) {
	return k.fittedKey(k.fitted, f.Averaged...), averageOf(gp.NewMixture(k.Belief.Parts, k.Belief.Weights), k.marginal)
}

// Resume makes the cache use the posteriors of a snapshot for the same evidence. Call it before the first Get.
func (f *Cache) Resume(states map[string]gp.State, means map[string]Average) {
	f.saved, f.means = states, means
}

// restore returns the posterior of the evidence, with hyper-parameters of the first duels, from a snapshot, nil if that does not have it. m is model as it is
// used for so many duels.
func (f *Cache) restore(model, m gp.Model, ev Evidence, fitted int) *gp.Posterior {
	if len(f.saved) == 0 {
		return nil
	}
	state, ok := f.saved[ev.fittedKey(fitted, model)]
	if !ok || state.Inference != m.Inference {
		return nil
	}
	p, err := m.Restore(ev.Duels, state)
	if err != nil {
		return nil
	}
	return p
}

// restoreAverage returns the average of the evidence and its log evidence from a snapshot, nil if that does not have it.
func (f *Cache) restoreAverage(models []gp.Model, current *Fit) (*gp.Mixture, float64) {
	if len(f.means) == 0 {
		return nil, 0
	}
	a, ok := f.means[current.fittedKey(current.fitted, f.Averaged...)]
	if !ok || len(a.Settings) == 0 || len(a.Weights) != len(a.Settings) || !(slices.Min(a.Weights) > 0) {
		return nil, 0
	}
	x, err := a.restore(models, current.Duels)
	if err != nil {
		return nil, 0
	}
	return x, a.Marginal
}

// fittedKey names what models say of the evidence with hyper-parameters that were fitted to so many first duels. After c answers it is not what they say with
// those fitted to these c, which take effect later.
func (ev Evidence) fittedKey(fitted int, models ...gp.Model) string {
	return fmt.Sprintf("%s/%d", ev.Key(models...), fitted)
}

// Key returns a hash of the evidence and of models.
func (ev Evidence) Key(models ...gp.Model) string {
	h := sha256.New()
	for _, m := range models {
		m.Scales = ev.Scales
		text, _ := json.Marshal(m) // a valid model has a JSON form
		h.Write(text)
	}
	if ev.PerRater {
		h.Write([]byte("kin"))
	}
	d := ev.Duels
	var b []byte
	number := func(n int) { b = binary.LittleEndian.AppendUint64(b, uint64(n)) }
	number(d.Dim)
	number(d.Len())
	for _, x := range [][]float64{d.A, d.B} {
		b, _ = binary.Append(b, binary.LittleEndian, x) // cannot fail for numbers
	}
	for i, o := range d.Outcome {
		number(int(o))
		if d.Rater != nil {
			number(d.Rater[i])
		}
		if d.Level != nil && d.Level[i] {
			number(-1)
		}
		if d.Side != nil {
			number(int(d.Side[i]))
		}
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)[:16])
}
