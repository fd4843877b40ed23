package statements

import (
	"cmp"
	_ "embed"
	"io"
	"math"
	"slices"
	"text/template"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Table is what studies said and what was true, by kind and group.
type Table struct {
	Endings []Ends   `json:"endings"`
	Overall []Row    `json:"overall"` // by kind and family alone, over all raters who show their taste
	Rows    []Row    `json:"rows"`
	Bins    []Bin    `json:"bins"`
	Broken  []string `json:"broken,omitempty"` // limits of Quick, in words
}

// Ends is how the studies of a group ended.
type Ends struct {
	Group
	Studies int            `json:"studies"`
	Ended   int            `json:"ended"`
	Median  int            `json:"median"` // answers until an ending, those without counted as infinite; 0 if it is
	Kinds   map[string]int `json:"kinds"`
}

// Row is the truth about one kind of statement in one group.
type Row struct {
	Kind string `json:"kind"`
	Mark int    `json:"mark"` // number of answers after which it was said; 0 for any
	Group
	Truth
}

// Truth is how sure statements sounded and how often they were true.
type Truth struct {
	Studies    int     `json:"studies"`
	Statements int     `json:"statements"`
	Said       float64 `json:"said"` // mean
	Held       float64 `json:"held"` // mean
	Low        float64 `json:"low"`  // 95 % interval of Held, tastes being what is independent
	High       float64 `json:"high"`
	Bits       float64 `json:"bits,omitempty"` // mean
}

// NewTable counts the statements of studies.
func NewTable(studies []Study) (t Table) {
	type key struct {
		kind string
		mark int
	}
	for _, g := range trial.Distinct(studies, Study.group) {
		some := xslices.Filter(studies, func(s Study) bool { return s.group() == g })
		t.Endings = append(t.Endings, newEnds(g, some))
		for _, k := range trial.Distinct(said(some), func(s Statement) key { return key{s.Kind, s.Mark} }) {
			t.Rows = append(t.Rows, Row{k.kind, k.mark, g, truthOf(some, func(s Statement) bool { return s.Kind == k.kind && s.Mark == k.mark })})
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Mark, b.Mark)) })
	for _, family := range []string{"smooth", "rugged"} {
		some := telling(studies, family)
		for _, kind := range trial.Distinct(said(some), func(s Statement) string { return s.Kind }) {
			t.Overall = append(t.Overall, Row{kind, 0, Group{all, family, all}, truthOf(some, func(s Statement) bool { return s.Kind == kind })})
		}
	}
	slices.SortStableFunc(t.Overall, func(a, b Row) int { return cmp.Compare(a.Kind, b.Kind) })
	t.Bins = newBins(studies)
	return t
}

const all = "all" // the space and the rater of rows about all of them

func said(studies []Study) []Statement {
	return slices.Concat(xslices.Map(studies, func(s Study) []Statement { return s.Statements })...)
}

// telling returns the studies of a family whose raters show a taste.
func telling(studies []Study, family string) []Study {
	return xslices.Filter(studies, func(s Study) bool {
		return s.group().Family == family && (isGroup(s.Space) || !slices.Contains(tasteless, s.Rater))
	})
}

// tasteless raters tell nothing about their taste. In a group they are one of several.
var tasteless = []string{"displeased", alwaysBad, atRandom}

func newEnds(g Group, studies []Study) Ends {
	e := Ends{Group: g, Studies: len(studies), Kinds: map[string]int{}}
	var ended []int
	for _, s := range studies {
		if s.Ended > 0 {
			ended = append(ended, s.Ended)
			e.Kinds[s.Ending]++
		}
	}
	slices.Sort(ended)
	if e.Ended = len(ended); 2*e.Ended > e.Studies {
		e.Median = ended[e.Studies/2]
	}
	return e
}

// truthOf counts the statements of studies that are wanted. Those about one taste go together, for all raters, so the variance of Held is that of sums over
// tastes. Where all are true or false the interval is Wilson's for as many independent ones as would have this variance.
func truthOf(studies []Study, wanted func(Statement) bool) Truth {
	type taste struct {
		space, family string
		number        int
	}
	var (
		t           Truth
		sums, sizes []float64 // of Held and of statements, by taste
		place       = map[taste]int{}
		plain       = true // each is true or false …
		shares      = true // … or a share
	)
	for _, s := range studies {
		sum, size := 0.0, 0.0
		for _, one := range s.Statements {
			if !wanted(one) {
				continue
			}
			sum += one.Held
			size++
			t.Said += one.Said
			t.Bits += one.Bits
			plain, shares = plain && (one.Held == 0 || one.Held == 1), shares && one.Held >= 0 && one.Held <= 1
		}
		if size == 0 {
			continue
		}
		of := taste{s.Space, s.Family, s.Taste}
		if _, known := place[of]; !known {
			place[of] = len(sums)
			sums, sizes = append(sums, 0), append(sizes, 0)
		}
		sums[place[of]] += sum
		sizes[place[of]] += size
		t.Held += sum
		t.Statements += int(size)
		t.Studies++
	}
	if t.Studies == 0 {
		return t
	}
	n := float64(t.Statements)
	t.Said, t.Held, t.Bits = t.Said/n, t.Held/n, t.Bits/n
	variance := 0.0
	for i, sum := range sums {
		off := (sum - t.Held*sizes[i]) / n
		variance += off * off
	}
	if half := 1.96 * math.Sqrt(variance); !plain {
		if t.Low, t.High = t.Held-half, t.Held+half; shares {
			t.Low, t.High = math.Max(0, t.Low), math.Min(1, t.High)
		}
		return t
	}
	alone := float64(len(sums))
	if variance > 0 {
		alone = math.Min(n, t.Held*(1-t.Held)/variance)
	}
	t.Low, t.High = normal.Wilson(int(math.Round(alone*t.Held)), int(math.Round(alone)))
	return t
}

// Bin is the truth about statements that sounded about as sure.
type Bin struct {
	Kind   string  `json:"kind"`
	Family string  `json:"family"`
	From   float64 `json:"from"` // Said is at least
	Below  float64 `json:"below"`
	Truth
}

var binEdges = []float64{0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001} // closer where it matters: what is said with confidence

var binned = []string{"confidence", "better than n of 100", "among the best few", "among the best 1%", "forecast"} // the kinds whose Said is a probability

// newBins counts them by what was said, over all raters who show their taste.
func newBins(studies []Study) (out []Bin) {
	for _, kind := range binned {
		for _, family := range []string{"smooth", "rugged"} {
			some := telling(studies, family)
			for i, from := range binEdges[:len(binEdges)-1] {
				below := binEdges[i+1]
				t := truthOf(some, func(s Statement) bool { return s.Kind == kind && s.Said >= from && s.Said < below })
				if t.Statements > 0 {
					out = append(out, Bin{kind, family, from, below, t})
				}
			}
		}
	}
	return out
}

//go:embed table.tmpl
var tableText string

// Write writes the table for people: how studies ended, every kind in short, then as said and true by group and number of answers, then by how sure it
// sounded.
func (t Table) Write(w io.Writer) error {
	of := func(kind string) []Row { return xslices.Filter(t.Rows, func(r Row) bool { return r.Kind == kind }) }
	return cli.WriteTemplate(cli.NewTable(w), tableText, template.FuncMap{
		"groups": func(kind string) []Group { return trial.Distinct(of(kind), func(r Row) Group { return r.Group }) },
		"marks":  func(kind string) []int { return trial.Distinct(of(kind), func(r Row) int { return r.Mark }) },
		"row": func(kind string, g Group, mark int) []Row { // one at the most
			return xslices.Filter(of(kind), func(r Row) bool { return r.Group == g && r.Mark == mark })
		},
	}, map[string]any{"Table": t, "Kinds": trial.Distinct(t.Rows, func(r Row) string { return r.Kind })})
}
