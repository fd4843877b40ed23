package judges

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"text/template"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Row is what came of one player with one taste after so many calls. Shares have Wilson's 95 % intervals, means those of the bootstrap.
type Row struct {
	series
	Calls  int              `json:"calls"`                // of plays until prefer is done their median …
	Mean   float64          `json:"mean_calls,omitempty"` // … and their mean; else 0
	Plays  int              `json:"plays"`
	Right  compare.Interval `json:"right"`  // share of plays in which the best is named
	Rank   compare.Interval `json:"rank"`   // mean place of what is named
	Regret compare.Interval `json:"regret"` // mean, in standard deviations
}

// Until is how many calls it takes until the best is named and is at every look after.
type Until struct {
	series
	Plays  int     `json:"plays"`
	Of     int     `json:"of"`     // calls played
	Stays  float64 `json:"stays"`  // share of plays in which it comes to that
	Median int     `json:"median"` // 0 if half of them do not come there
}

// Said is how often prefer was right when it was so sure: that the pick is one of the best few ("top"), or that nothing is noticeably better ("sure").
type Said struct {
	What  string           `json:"what"`
	From  float64          `json:"from"`
	To    float64          `json:"to"`
	Looks int              `json:"looks"`
	Sure  float64          `json:"sure"` // mean of what was said
	Good  compare.Interval `json:"good"` // what is said is true
	Best  compare.Interval `json:"best"` // it is the best: more than is said
}

// Table is all of that.
type Table struct {
	Judge Judge   `json:"judge"`
	Rows  []Row   `json:"rows"`
	Until []Until `json:"until"`
	Said  []Said  `json:"said,omitempty"`
}

// series is plays that differ in their number alone.
type series struct {
	Taste  string `json:"taste"`
	Player string `json:"player"`
	Knows  string `json:"knows"`
}

func (p Play) series() series { return series{p.Taste, p.Player, p.Knows} }

// NewTable sums up plays after these numbers of calls, rounded up to looks, and those until prefer was done. Rows without plays are left out.
func NewTable(all []Play, budgets []int) (t Table) {
	plays, of, ended := []Play{}, map[series][]Play{}, map[series][]Look{}
	for _, p := range all {
		if t.Judge = p.Judge; p.Done {
			ended[p.series()] = append(ended[p.series()], p.At[0])
			continue
		}
		plays, of[p.series()] = append(plays, p), append(of[p.series()], p)
	}
	order := trial.Distinct(plays, Play.series)
	for _, calls := range budgets {
		look := (calls + Every - 1) / Every
		for _, s := range order {
			looks := xslices.Map(xslices.Filter(of[s], func(p Play) bool { return len(p.At) >= look }), func(p Play) Look { return p.At[look-1] })
			if len(looks) > 0 {
				t.Rows = append(t.Rows, s.row(looks))
			}
		}
	}
	for _, s := range trial.Distinct(all, Play.series) {
		if looks := ended[s]; len(looks) > 0 {
			slices.SortFunc(looks, func(a, b Look) int { return a.Calls - b.Calls })
			row := s.row(looks)
			for _, l := range looks {
				row.Mean += float64(l.Calls) / float64(len(looks))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return slices.Index(Tastes, a.Taste) - slices.Index(Tastes, b.Taste) })
	t.Until = append(t.Until, xslices.Map(order, func(s series) Until { return s.until(of[s]) })...)
	if len(plays) == 0 {
		plays = all // what is said when prefer is done
	}
	for _, bin := range [][2]float64{{0, 0.5}, {0.5, 0.7}, {0.7, 0.8}, {0.8, 0.9}, {0.9, 0.95}, {0.95, 1.01}} {
		top := said("top", plays, bin, func(l Look) (float64, bool) { return l.Top, l.InTop })
		sure := said("sure", plays, bin, func(l Look) (float64, bool) { return l.Sure, l.Good })
		t.Said = append(t.Said, xslices.Filter([]Said{top, sure}, func(s Said) bool { return s.Looks > 0 })...)
	}
	return t
}

// row sums up looks; its calls are those of the one in the middle.
func (s series) row(looks []Look) Row {
	ranks := xslices.Map(looks, func(l Look) float64 { return float64(l.Rank) })
	regrets := xslices.Map(looks, func(l Look) float64 { return l.Regret })
	var draws compare.Draws
	return Row{series: s, Calls: looks[len(looks)/2].Calls, Plays: len(looks), Right: share(looks, Look.isBest),
		Rank: draws.Mean(ranks), Regret: draws.Mean(regrets)}
}

func (l Look) isBest() bool { return l.Rank == 1 }

// share returns the share of looks of a kind, of which there must be some.
func share(looks []Look, is func(Look) bool) compare.Interval {
	count, n := xslices.Count(looks, is), len(looks)
	low, high := normal.Wilson(count, n)
	return compare.Interval{Value: float64(count) / float64(n), Lower: low, Upper: high}
}

func (s series) until(plays []Play) Until {
	out := Until{series: s, Plays: len(plays)}
	var came []int
	for _, p := range plays {
		out.Of = max(out.Of, len(p.At)*Every)
		from := len(p.At)
		for from > 0 && p.At[from-1].Rank == 1 {
			from--
		}
		if from < len(p.At) {
			came = append(came, (from+1)*Every)
		}
	}
	out.Stays = float64(len(came)) / float64(len(plays))
	slices.Sort(came)
	if middle := (len(plays) - 1) / 2; middle < len(came) { // those that never come there come last
		out.Median = came[middle]
	}
	return out
}

func said(what string, plays []Play, bin [2]float64, of func(Look) (float64, bool)) Said {
	out := Said{What: what, From: bin[0], To: min(bin[1], 1)}
	looks := xslices.Filter(slices.Concat(xslices.Map(plays, func(p Play) []Look { return p.At })...), func(l Look) bool {
		sure, _ := of(l)
		return sure != 0 && sure >= bin[0] && sure < bin[1]
	})
	for _, l := range looks {
		sure, _ := of(l)
		out.Sure += sure
	}
	if out.Looks = len(looks); out.Looks > 0 {
		out.Sure /= float64(out.Looks)
		out.Good, out.Best = share(looks, func(l Look) bool { _, held := of(l); return held }), share(looks, Look.isBest)
	}
	return out
}

//go:embed table.tmpl
var tableText string

// Write writes the tables as Markdown.
func (t Table) Write(w io.Writer) error {
	percent := func(share float64) string { return fmt.Sprintf("%.0f", 100*share) }
	return cli.WriteTemplate(cli.NewTable(w), tableText, template.FuncMap{"percent": percent}, t)
}
