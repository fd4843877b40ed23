package prefer

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/learn"
)

// snapshot is what Host.Snapshot writes.
type snapshot struct {
	Version int                      `json:"version"`
	Kernels string                   `json:"kernels"`
	Fits    map[string]gp.State      `json:"fits"`            // of Cache.States
	Means   map[string]learn.Average `json:"means,omitempty"` // of Cache.Mean
	Picks   map[string]Best          `json:"picks,omitempty"` // by pickKey
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
	kept := s.questionFits.Ready()
	if s.people() != PerRater && len(kept) > 1 {
		kept = kept[len(kept)-1:]
	}
	for _, f := range kept {
		if f.Duels.Len() >= worthKeeping {
			maps.Copy(out.Fits, s.questionFits.States(f))
		}
	}
	out.addBelief(s)
	if len(out.Fits)+len(out.Means)+len(out.Picks) == 0 {
		return nil
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil // a posterior with a number JSON has not is not worth keeping
	}
	return text
}

// addBelief adds what the study tells by: the picks at hand, and the latest average. An average takes ten times as long as a fit,
// and a pick as long again.
func (out *snapshot) addBelief(s *Study) {
	kept, _ := keptFits(s.people())
	out.Means, out.Picks = map[string]learn.Average{}, s.picks.Last(2*kept)
	var latest *learn.Fit // a verdict looks at the answers before the last, too
	for _, f := range s.beliefFits.Ready() {
		if f.Duels.Len() > 0 && (latest == nil || f.Duels.Len() >= latest.Duels.Len()) {
			latest = f
		}
	}
	if latest != nil {
		key, mean := s.beliefFits.Mean(latest)
		out.Means[key] = mean
	}
}

// resume takes what a snapshot has; one that is not for this program is left aside.
func (s *Study) resume(text []byte) {
	var t snapshot
	if len(text) == 0 || json.Unmarshal(text, &t) != nil || t.Version != snapshotVersion || t.Kernels != gp.Kernels() {
		return
	}
	s.questionFits.Resume(t.Fits, nil)
	s.beliefFits.Resume(nil, t.Means)
	for _, key := range slices.Sorted(maps.Keys(t.Picks)) {
		s.picks.Put(key, t.Picks[key])
	}
}
