package prefer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"

	"github.com/prefer-bo/prefer/gp"
)

// snapshot is what Host.Snapshot writes.
type snapshot struct {
	Version int                 `json:"version"`
	Kernels string              `json:"kernels"`
	Fits    map[string]gp.State `json:"fits"` // by evidence.key
}

const (
	snapshotVersion = 1
	worthKeeping    = 64 // duels: fewer are fitted in less time than a snapshot takes to write
)

// Snapshot returns what makes the first question after opening quick: the latest fits of the study's
// hyper-parameters, as bytes to hand back to Open in OpenOptions.Snapshot. It says nothing that the events do
// not: a study opened without it, or with one that does not fit its events, is the same study to the last
// bit, only later. It belongs to the program that wrote it. Nil if there is nothing worth keeping yet.
func (h *Host) Snapshot() []byte {
	s := h.study
	out := snapshot{Version: snapshotVersion, Kernels: gp.Kernels(), Fits: map[string]gp.State{}}
	s.fits.mu.Lock()
	kept := append([]*fit(nil), s.fits.kept...)
	s.fits.mu.Unlock()
	if s.cfg.People != PerRater && len(kept) > 1 {
		kept = kept[len(kept)-1:]
	}
	for _, f := range kept {
		select {
		case <-f.done:
		default:
			continue
		}
		if f.err == nil && f.duels.Len() >= worthKeeping {
			out.Fits[f.head(refitAt(f.duels.Len())).key(s.fits.model, f.scales)] = f.fitted.State()
			out.Fits[f.key(s.fits.model, f.scales)] = f.post.State()
		}
	}
	if len(out.Fits) == 0 {
		return nil
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil // a posterior with a number JSON has not is not worth keeping
	}
	return text
}

// resume takes the fits of a snapshot; one that is not for this program is left aside.
func (f *fits) resume(text []byte) {
	var s snapshot
	if len(text) == 0 || json.Unmarshal(text, &s) != nil || s.Version != snapshotVersion || s.Kernels != gp.Kernels() {
		return
	}
	f.saved = s.Fits
}

// restore returns the posterior of the evidence if a snapshot knew it, else nil.
func (f *fits) restore(m gp.Model, ev evidence) *gp.Posterior {
	if len(f.saved) == 0 {
		return nil
	}
	state, ok := f.saved[ev.key(f.model, m.Scales)]
	if !ok || state.Inference != m.Inference {
		return nil
	}
	p, err := m.Restore(ev.duels, state)
	if err != nil {
		return nil
	}
	return p
}

// key names a model and what it has learned from.
func (ev evidence) key(m gp.Model, scales []int) string {
	m.Scales = scales
	text, _ := json.Marshal(m) // a valid model has a JSON form
	h := sha256.New()
	h.Write(text)
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
