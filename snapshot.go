package prefer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
)

// snapshot is what Host.Snapshot writes.
type snapshot struct {
	Version int                 `json:"version"`
	Kernels string              `json:"kernels"`
	Fits    map[string]gp.State `json:"fits"`            // by evidence.key
	Means   map[string]average  `json:"means,omitempty"` // by evidence.keys
	Picks   map[string]Best     `json:"picks,omitempty"` // by pickKey
}

// average is what gp.Average found out about the hyper-parameters.
type average struct {
	Settings []gp.State `json:"settings"`
	Weights  []float64  `json:"weights"`
	Marginal float64    `json:"marginal"`
}

// averageOf returns what a mixture of posteriors found out.
func averageOf(x *gp.Mixture, marginal float64) average {
	a := average{Marginal: marginal}
	for k := range x.Len() {
		a.Settings, a.Weights = append(a.Settings, x.Posterior(k).State()), append(a.Weights, x.Weight(k))
	}
	return a
}

// restore returns the mixture, of the duels that the average is of.
func (a average) restore(models []gp.Model, duels *gp.Duels) (*gp.Mixture, error) {
	posts := make([]*gp.Posterior, len(a.Settings))
	for k, state := range a.Settings {
		var err error
		if posts[k], err = modelOf(models, state.Hyper).Restore(duels, state); err != nil {
			return nil, err
		}
	}
	return gp.NewMixture(posts, a.Weights), nil
}

const snapshotVersion = 2

var worthKeeping = 64 // duels: fewer are fitted, though not averaged, in less time than a snapshot takes to write; tests lower it

// Snapshot returns what makes the first question after opening quick, and what is told then: the latest fits of the study's
// hyper-parameters, their average and the latest picks, as bytes to hand back to Open in OpenOptions.Snapshot. It says nothing that the
// events do not: a study opened without it, or with one that does not fit its events, is the same study to the last
// bit, only later. It belongs to the program that wrote it. Nil if there is nothing worth keeping yet.
func (h *Host) Snapshot() []byte {
	s := h.study
	out := snapshot{Version: snapshotVersion, Kernels: gp.Kernels(), Fits: map[string]gp.State{}}
	kept := s.fits.ready()
	if s.people() != PerRater && len(kept) > 1 {
		kept = kept[len(kept)-1:]
	}
	for _, f := range kept {
		if f.duels.Len() >= worthKeeping {
			maps.Copy(out.Fits, s.fits.states(f))
		}
	}
	s.snapshotTells(&out)
	if len(out.Fits)+len(out.Means)+len(out.Picks) == 0 {
		return nil
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil // a posterior with a number JSON has not is not worth keeping
	}
	return text
}

// snapshotTells adds what the study tells by: the picks at hand, and the latest average. An average takes ten times as long as a fit,
// and a pick as long again.
func (s *Study) snapshotTells(out *snapshot) {
	out.Means, out.Picks = map[string]average{}, map[string]Best{}
	var latest *fit // a verdict looks at the answers before the last, too
	for _, f := range s.tells.ready() {
		if f.duels.Len() == 0 {
			continue
		}
		if latest == nil || f.duels.Len() >= latest.duels.Len() {
			latest = f
		}
		kept := f.attachment.(*picks)
		kept.mu.Lock()
		last := slices.Clone(kept.last)
		kept.mu.Unlock()
		for _, p := range last {
			if key := s.pickKey(f.evidence, p.rater, p.code, p.shown); key != "" {
				out.Picks[key] = p.best
			}
		}
	}
	if latest != nil {
		key, mean := s.tells.mean(latest)
		out.Means[key] = mean
	}
}

// ready returns the fits that are kept and computed, newest last.
func (f *fits) ready() (out []*fit) {
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

// states returns the states of a fit's posteriors, those after the duels that hyper-parameters were fitted to included, by evidence.key.
func (f *fits) states(k *fit) map[string]gp.State {
	out := map[string]gp.State{}
	first := k.head(k.fittedTo())
	for i, p := range k.posts {
		m := f.model
		if i > 0 {
			m = f.beside[i-1].Model
		}
		if k.kin {
			m = f.kindred(m)
		}
		out[first.key(m, k.scales)], out[k.key(m, k.scales)] = k.fitted[i], p.State()
	}
	return out
}

// mean returns the average behind a fit, and its evidence.keys.
func (f *fits) mean(k *fit) (string, average) {
	return k.keys(f.tells, k.scales), averageOf(gp.NewMixture(k.law.parts, k.law.weights), k.marginal)
}

// resume has the posteriors of a snapshot used where they fit. It must be called before any fit is wanted.
func (f *fits) resume(states map[string]gp.State, means map[string]average) {
	f.saved, f.means = states, means
}

// resume takes what a snapshot has; one that is not for this program is left aside.
func (s *Study) resume(text []byte) {
	var t snapshot
	if len(text) == 0 || json.Unmarshal(text, &t) != nil || t.Version != snapshotVersion || t.Kernels != gp.Kernels() {
		return
	}
	s.fits.resume(t.Fits, nil)
	s.tells.resume(nil, t.Means)
	s.picks = t.Picks
}

// restore returns the posterior of the evidence by m, which is what became of a model of the study, if a snapshot knew it,
// else nil.
func (f *fits) restore(model, m gp.Model, ev evidence) *gp.Posterior {
	if len(f.saved) == 0 {
		return nil
	}
	state, ok := f.saved[ev.key(model, m.Scales)]
	if !ok || state.Inference != m.Inference {
		return nil
	}
	p, err := m.Restore(ev.duels, state)
	if err != nil {
		return nil
	}
	return p
}

// restoreAverage returns the average of the evidence if a snapshot knew it, and its marginal, else nil.
func (f *fits) restoreAverage(models []gp.Model, current *fit) (*gp.Mixture, float64) {
	if len(f.means) == 0 {
		return nil, 0
	}
	a, ok := f.means[current.keys(f.tells, current.scales)]
	if !ok || len(a.Settings) == 0 || len(a.Weights) != len(a.Settings) || !(slices.Min(a.Weights) > 0) {
		return nil, 0
	}
	x, err := a.restore(models, current.duels)
	if err != nil {
		return nil, 0
	}
	return x, a.Marginal
}

// savedPick returns the pick of a view if a snapshot knew it.
func (s *Study) savedPick(v view) (Best, bool) {
	if len(s.picks) == 0 {
		return Best{}, false
	}
	b, ok := s.picks[s.pickKey(v.evidence, v.rater, v.code, v.shown)]
	return b, ok
}

// pickKey names all that a pick depends on: the study as it was made, what it has learned from, the items and what was shown.
func (s *Study) pickKey(ev evidence, rater string, code *coding.Coding, shown []float64) string {
	s.mu.Lock()
	created, err := s.chain(1)
	s.mu.Unlock()
	if err != nil {
		return ""
	}
	items, ever := 0, ""
	if t := code.Table(); t != nil {
		items = len(t.Back)
		if code.All().Table().Ever != nil { // which ones of all are in the list
			for _, it := range t.List {
				ever += fmt.Sprintf("%q", it.ID)
			}
		}
	}
	if !ev.kin {
		rater = ""
	}
	b := fmt.Appendf(nil, "%s %s %q %d ", created, ev.keys(s.tells.tells, code.Scales), rater, items)
	b = append(append(b, code.Fixed.String()...), ever...)
	b, _ = binary.Append(b, binary.LittleEndian, shown)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// keys names several models and what they have learned from.
func (ev evidence) keys(models []gp.Model, scales []int) string {
	var all string
	for _, m := range models {
		all += ev.key(m, scales)
	}
	return all
}

// key names a model and what it has learned from.
func (ev evidence) key(m gp.Model, scales []int) string {
	m.Scales = scales
	text, _ := json.Marshal(m) // a valid model has a JSON form
	h := sha256.New()
	h.Write(text)
	if ev.kin {
		h.Write([]byte("kin"))
	}
	d := ev.duels
	var b []byte
	number := func(n int) { b = binary.LittleEndian.AppendUint64(b, uint64(n)) }
	number(d.Dim)
	number(d.Len())
	for _, x := range [][]float64{d.A, d.B} {
		b, _ = binary.Append(b, binary.LittleEndian, x) // numbers of a fixed size have a form
	}
	for i, o := range d.Outcome {
		number(int(o))
		if d.Rater != nil {
			number(d.Rater[i])
		}
		if d.Level != nil && d.Level[i] {
			number(-1)
		}
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)[:16])
}
