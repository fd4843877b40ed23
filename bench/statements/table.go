package statements

import (
	"cmp"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/normal"
)

// Table is what studies said and what was true, by kind and group.
type Table struct {
	Endings []Ends `json:"endings"`
	Overall []Row  `json:"overall"` // by kind and family alone, over all raters who show their taste
	Rows    []Row  `json:"rows"`
	Bins    []Bin  `json:"bins"`
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
func NewTable(studies []Study) Table {
	var t Table
	groups := map[Group][]Study{}
	var order []Group
	for _, s := range studies {
		g := s.group()
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], s)
	}
	type key struct {
		kind string
		mark int
	}
	for _, g := range order {
		t.Endings = append(t.Endings, newEnds(g, groups[g]))
		var keys []key
		for _, s := range groups[g] {
			for _, one := range s.Statements {
				if k := (key{one.Kind, one.Mark}); !slices.Contains(keys, k) {
					keys = append(keys, k)
				}
			}
		}
		for _, k := range keys {
			t.Rows = append(t.Rows, Row{k.kind, k.mark, g, truthOf(groups[g], func(s Statement) bool { return s.Kind == k.kind && s.Mark == k.mark })})
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Mark, b.Mark)) })
	t.Overall = overall(studies)
	t.Bins = newBins(studies)
	return t
}

// all is the space and the rater of rows about all of them.
const all = "all"

// overall returns a row for every kind and family.
func overall(studies []Study) []Row {
	var out []Row
	for _, family := range []string{"smooth", "rugged"} {
		some := telling(studies, family)
		var kinds []string
		for _, s := range some {
			for _, one := range s.Statements {
				if !slices.Contains(kinds, one.Kind) {
					kinds = append(kinds, one.Kind)
				}
			}
		}
		for _, kind := range kinds {
			out = append(out, Row{kind, 0, Group{all, family, all}, truthOf(some, func(s Statement) bool { return s.Kind == kind })})
		}
	}
	slices.SortStableFunc(out, func(a, b Row) int { return cmp.Compare(a.Kind, b.Kind) })
	return out
}

// telling returns the studies of a family whose raters show a taste.
func telling(studies []Study, family string) []Study {
	var some []Study
	for _, s := range studies {
		if s.group().Family == family && !slices.Contains(tasteless, s.Rater) {
			some = append(some, s)
		}
	}
	return some
}

// tasteless raters tell nothing about their taste.
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

// truthOf counts the statements of studies that are wanted. Those about one taste go together, whoever answered, so the variance
// of Held is that of sums over tastes. Where all are true or false the interval is Wilson's for as many independent ones as would
// have this variance.
func truthOf(studies []Study, wanted func(Statement) bool) Truth {
	type taste struct {
		space, family string
		number        int
	}
	var (
		t           Truth
		sums, sizes []float64 // of Held and of statements, by taste
		place       = map[taste]int{}
		plain       = true
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
			plain = plain && (one.Held == 0 || one.Held == 1)
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
	if !plain {
		half := 1.96 * math.Sqrt(variance)
		t.Low, t.High = math.Max(0, t.Held-half), math.Min(1, t.Held+half)
		return t
	}
	alone := float64(len(sums))
	if variance > 0 {
		alone = math.Min(n, t.Held*(1-t.Held)/variance)
	}
	t.Low, t.High = normal.Wilson(int(math.Round(alone*t.Held)), int(math.Round(alone)))
	return t
}
