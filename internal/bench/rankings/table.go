package rankings

import (
	"fmt"
	"io"

	"github.com/prefer-bo/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/internal/bench/trial"
)

// Row is what came of one way to make pairs of one kind of data. Means have 95 % bootstrap intervals.
type Row struct {
	Law      Law              `json:"law"`
	Size     int              `json:"size"`
	Rankings int              `json:"rankings"`
	Breaking Breaking         `json:"pairs"`
	Pairs    float64          `json:"pairs_made"`
	Surprise compare.Interval `json:"surprise"` // millinats a pair
	Slope    compare.Interval `json:"slope"`
	Inside   compare.Interval `json:"inside"`
	Right    compare.Interval `json:"right"`
	Sure     compare.Interval `json:"sure"`
	Good     compare.Interval `json:"good"`
}

// Summarize sums up the studies of a plan.
func (p Plan) Summarize(b Breaking, all []Played) Row {
	p = p.withDefaults()
	var draws compare.Draws
	mean := func(of func(Played) float64) compare.Interval {
		values := make([]float64, len(all))
		for i, one := range all {
			values[i] = of(one)
		}
		return draws.Mean(values)
	}
	return Row{
		Law: p.Law, Size: p.Size, Rankings: p.Rankings, Breaking: b,
		Pairs:    mean(func(o Played) float64 { return float64(o.Pairs) }).Value,
		Surprise: mean(func(o Played) float64 { return 1000 * o.Surprise }),
		Slope:    mean(func(o Played) float64 { return o.Slope }),
		Inside:   mean(func(o Played) float64 { return o.Inside }),
		Right:    mean(func(o Played) float64 { return trial.Share(o.Right) }),
		Sure:     mean(func(o Played) float64 { return o.Sure }),
		Good:     mean(func(o Played) float64 { return trial.Share(o.Good) }),
	}
}

// Write writes a table.
func Write(w io.Writer, rows []Row) error {
	fmt.Fprintln(w, "| law | rankings | pairs | made | surprise, millinats | slope | in the 90 % interval | pick is best | says it is good | is good |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		if _, err := fmt.Fprintf(w, "| %s | %d of %d | %s | %.0f | %s | %s | %s | %s | %s | %s |\n", r.Law, r.Rankings, r.Size, r.Breaking, r.Pairs,
			r.Surprise.Text("%.1f"), r.Slope.Text("%.2f"), r.Inside.Percent(), r.Right.Percent(), r.Sure.Percent(), r.Good.Percent()); err != nil {
			return err
		}
	}
	return nil
}
