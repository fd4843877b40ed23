package renders

import (
	"fmt"
	"io"
	"slices"
)

// Summary is what came of one plan.
type Summary struct {
	Pictures int     `json:"pictures"`
	Setup    string  `json:"setup"`
	Tastes   int     `json:"tastes"`
	Answers  int     `json:"answers"`
	Reached  int     `json:"reached"`       // median of answers until the pick was among the best hundredth; 0 if less than half of the studies came there
	Share    float64 `json:"share_reached"` // of the studies that came there
	Beats    float64 `json:"beats"`         // median of the share of pictures that the last pick is better than
	Worst    float64 `json:"worst"`
	Seen     float64 `json:"seen"` // mean number of pictures that were shown
	Most     float64 `json:"most"` // share of the questions that had the picture which was shown most, in the study where that is largest
}

// Summarize sums up the studies of a plan.
func (p Plan) Summarize(all []Played) Summary {
	p = p.withDefaults()
	s := Summary{Pictures: p.Pictures, Setup: p.Setup, Tastes: len(all), Answers: p.Answers}
	var beats []float64
	n := float64(len(all))
	var reached []int
	for _, one := range all {
		if one.Reached > 0 {
			reached = append(reached, one.Reached)
			s.Share += 1 / n
		}
		beats = append(beats, one.Beats)
		s.Seen += float64(one.Seen) / n
		s.Most = max(s.Most, one.Most)
	}
	slices.Sort(reached)
	if middle := (len(all) - 1) / 2; middle < len(reached) { // those that never came there come last
		s.Reached = reached[middle]
	}
	slices.Sort(beats)
	s.Beats, s.Worst = beats[(len(beats)-1)/2], beats[0]
	return s
}

// Write writes a table.
func Write(w io.Writer, all []Summary) error {
	fmt.Fprintln(w, "| pictures | knows | answers to the best 1 % | come there | pick beats, median (worst) | seen | most shown |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, s := range all {
		reached := fmt.Sprint(s.Reached)
		if s.Reached == 0 {
			reached = fmt.Sprintf("more than %d", s.Answers)
		}
		if _, err := fmt.Fprintf(w, "| %d | %s | %s | %.0f %% | %.1f %% (%.0f %%) | %.0f | %.0f %% |\n", s.Pictures, s.Setup, reached, 100*s.Share, 100*s.Beats, 100*s.Worst, s.Seen, 100*s.Most); err != nil {
			return err
		}
	}
	return nil
}
