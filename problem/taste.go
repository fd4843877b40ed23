package problem

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// Taste is a utility that a person could have, drawn at random: what statements about people are held
// against. It knows nothing of the model that is to learn it, and shares no code with it.
//
// A point has one coordinate per part; of a list it is the number of the item.
type Taste struct {
	Family string
	Kind   string // of the family: smooth, where near options are liked about as much; rugged or sharp; or conjoint, sums of part-worths
	Shape  Shape

	Parts []Part      // the parameters, or the features of a list's items; a plain list has none
	Items [][]float64 // the rows of a list, one coordinate per part; nil for parameters

	Max    float64   // the largest utility of any option
	At     []float64 // an option that has it
	Mean   float64   // over options drawn uniformly, or the list
	Spread float64   // standard deviation over the same options
	Sigma  float64   // the noise of an ordinary rater: see [Taste.Rater]

	f      func(x []float64) float64
	terms  []term    // of a sum; nil for others
	sample []float64 // utilities of options drawn uniformly, or of the list, in increasing order

	allowed func(x []float64) bool // which options there are; nil for all
}

// Part is a parameter or a feature.
type Part struct {
	Kind   PartKind
	Levels int // of Ordered and Unordered: coordinates are 0, …, Levels−1
}

// PartKind is what the values of a part are to each other.
type PartKind int

const (
	Continuous PartKind = iota // 0 to 1
	Ordered                    // levels, one above the other
	Unordered                  // choices; two of them are a switch
)

// Shape is the kind of space a taste is about.
type Shape int

const (
	AnyShape  Shape = iota
	Box             // continuous parameters
	Mixed           // continuous, ordered and unordered ones; at least one that is not continuous
	List            // items with features, and a little that only the item knows
	PlainList       // items without
)

func (s Shape) String() string { return nameOf(s, "any", "box", "mixed", "list", "plain list") }

// TasteOptions say which tastes are wanted. The zero value draws from all.
type TasteOptions struct {
	Family string // one of [TasteFamilies], "smooth", "rugged" or "conjoint" for any of those; empty for any
	Shape  Shape
	Dim    int // number of parts; 0 for any from 1 to 8, but at least what the family needs
	Items  int // length of a list; 0 means 60

	// Parts, if not nil, are what the taste is about, in place of parts drawn for it: so several are about the same. Of a box or a mixed space.
	Parts []Part
}

const (
	maxTasteDim = 8
	tasteSample = 4096 // uniform options behind Mean, Spread and Sigma
)

// NewTaste returns the taste of that index. It depends on its arguments alone. Finding the maximum takes some hundredths of a second, in eight dimensions
// some tenths.
func NewTaste(seed uint64, index int, o TasteOptions) (*Taste, error) {
	rng := rand.New(stream("taste/1", seed, uint64(index)))

	shape := o.Shape
	if kind := rng.IntN(25); shape == AnyShape {
		shape = [...]Shape{Box, Box, Box, Mixed, List}[kind/5]
		if kind > 22 {
			shape = PlainList
		}
		if o.Family == plainOwn || o.Family == plainException {
			shape = PlainList
		} else if shape == PlainList && !slices.Contains([]string{"", smoothFamilies, ruggedFamilies}, o.Family) {
			shape = List // plain lists have no such taste
		}
	}
	if o.Parts != nil {
		if shape == List || shape == PlainList {
			return nil, fmt.Errorf("problem: TasteOptions.Parts of a %v, want them of a box or a mixed space", shape)
		}
		o.Dim = len(o.Parts)
	}
	t := &Taste{Shape: shape}
	if shape == PlainList {
		return t, t.plain(rng, o)
	}
	family, d, err := pickFamily(rng, o)
	if err != nil {
		return nil, err
	}
	t.Family, t.Kind, t.Parts = family.name, family.kind, drawParts(rng, d, shape)
	if o.Parts != nil {
		t.Parts = slices.Clone(o.Parts)
	}
	land, place := family.draw(rng, d), positions(rng, t.Parts)
	if t.f = land.f; shape != Box {
		t.f = func(x []float64) float64 {
			u := make([]float64, d)
			for j, v := range x {
				if u[j] = v; place[j] != nil {
					u[j] = place[j][int(v)]
				}
			}
			return land.f(u)
		}
	}
	if shape == List {
		return t, t.list(rng, o)
	}
	t.measure(rng, tasteSample)
	t.Max, t.At = t.search(rng, land.hints)
	return t, nil
}

// measure finds mean, spread and σ from options drawn uniformly.
func (t *Taste) measure(rng *rand.Rand, n int) {
	values := xslices.Times(n, func(i int) float64 { return t.f(t.uniform(rng)) })
	t.measured(values)
}

func (t *Taste) measured(values []float64) {
	slices.Sort(values)
	t.sample = values
	t.Mean, t.Spread = moments(values)
	rate := wrongShare
	if t.Family == indifferent {
		rate = 0.3
	}
	t.Sigma = noiseAt(values, rate)
}

func moments(values []float64) (mean, sd float64) {
	n := float64(len(values))
	mean = sumOf(values, func(_ int, v float64) float64 { return v / n })
	return mean, math.Sqrt(sumOf(values, func(_ int, v float64) float64 { return square(v-mean) / n }))
}

// Utility returns the utility of an option. It panics if x is none.
func (t *Taste) Utility(x []float64) float64 {
	if len(x) != t.Dim() {
		panic("problem: len(x) != Dim")
	}
	return t.f(x)
}

// Dim returns the number of coordinates of a point: the number of parts, of a list 1.
func (t *Taste) Dim() int {
	if t.Items != nil {
		return 1
	}
	return len(t.Parts)
}

// Random returns an option drawn uniformly.
func (t *Taste) Random(rng *rand.Rand) []float64 {
	if t.Items != nil {
		return []float64{float64(rng.IntN(len(t.Items)))}
	}
	return t.uniform(rng)
}

func (t *Taste) uniform(rng *rand.Rand) []float64 {
	x := make([]float64, len(t.Parts))
	for {
		for j, p := range t.Parts {
			if x[j] = rng.Float64(); p.Kind != Continuous {
				x[j] = float64(rng.IntN(p.Levels))
			}
		}
		if t.allowed == nil || t.allowed(x) {
			return x
		}
	}
}

// Among returns the same taste about the options of a box or a mixed space that are allowed, which are found by chance. The others have the utility −∞. The
// seed draws the options by which it is measured; the noise of a rater stays that of the whole taste.
func (t *Taste) Among(seed uint64, allowed func(x []float64) bool) *Taste {
	among, rng := *t, rand.New(rand.NewPCG(seed, 0xa303))
	among.allowed, among.f = allowed, func(x []float64) float64 {
		if !allowed(x) {
			return math.Inf(-1)
		}
		return t.f(x)
	}
	among.measure(rng, tasteSample)
	among.Sigma = t.Sigma
	among.Max, among.At = among.search(rng, [][]float64{t.At})
	return &among
}

// Share returns the part of uniform options (or of the list) that are worse than one of utility f; equal ones count half.
func (t *Taste) Share(f float64) float64 {
	below, _ := slices.BinarySearch(t.sample, f)
	upTo := below
	for upTo < len(t.sample) && t.sample[upTo] == f {
		upTo++
	}
	return float64(below+upTo) / 2 / float64(len(t.sample))
}

// Tolerance is by how much an option may miss the best and be good enough for a rater of noise σ,
//
//	max(0.67σ, ε(max f − mean f)),   ε = 0.05,
//
// free of shift and scale, and positive for a rater without noise. 0.67 = Φ⁻¹(¾): the better of two so far apart is taken three times in four.
func (t *Taste) Tolerance(sigma float64) float64 {
	return max(noticed*sigma, toleratedShare*(t.Max-t.Mean))
}

const (
	noticed        = 0.6744897501960817
	toleratedShare = 0.05
)

// drawParts returns d parts: of a mixed space and of features of a list half are continuous, at least one is not.
func drawParts(rng *rand.Rand, d int, shape Shape) []Part {
	parts := make([]Part, d)
	if shape == Box {
		return parts
	}
	discrete := func() Part {
		if rng.IntN(2) == 0 {
			return Part{Ordered, 3 + rng.IntN(6)}
		}
		return Part{Unordered, 2 + rng.IntN(4)}
	}
	for j := range parts {
		if rng.IntN(2) == 0 {
			parts[j] = discrete()
		}
	}
	if shape == Mixed && d > 1 {
		at := rng.Perm(d)
		parts[at[0]], parts[at[1]] = discrete(), Part{}
	} else if shape == Mixed {
		parts[0] = Part{Ordered, 5 + rng.IntN(20)}
	}
	return parts
}

// positions returns where levels lie on the axes of the unit cube that the families are functions of: those of an ordered
// part evenly, choices anywhere, so that neighbours by number have nothing in common. Nil for continuous parts.
func positions(rng *rand.Rand, parts []Part) [][]float64 {
	out := make([][]float64, len(parts))
	for j, p := range parts {
		for i := range p.Levels {
			at := float64(i) / float64(p.Levels-1)
			if p.Kind == Unordered {
				at = rng.Float64()
			}
			out[j] = append(out[j], at)
		}
	}
	return out
}

// Families of plain lists.
const (
	plainOwn       = "own"
	plainException = "exception"
)

const (
	listLength = 60
	ownShare   = 0.3 // standard deviation of what only the item knows, in that of what its features tell
)

// list turns a taste about features into one about items that have them.
func (t *Taste) list(rng *rand.Rand, o TasteOptions) error {
	n, err := o.length()
	if err != nil {
		return err
	}
	t.Items = xslices.Times(n, func(int) []float64 { return t.uniform(rng) })
	worth := xslices.Map(t.Items, t.f)
	_, sd := moments(worth)
	for i := range worth {
		worth[i] += ownShare * sd * rng.NormFloat64()
	}
	t.items(worth)
	return nil
}

// plain makes a taste about items without features: "own", all alike in kind, or "exception", one far above the others, which is a sharp one.
func (t *Taste) plain(rng *rand.Rand, o TasteOptions) error {
	n, err := o.length()
	if err != nil {
		return err
	}
	switch exception := rng.IntN(4) == 0; {
	case o.Family == plainOwn || o.Family == smoothFamilies || o.Family == "" && !exception:
		t.Family, t.Kind = plainOwn, smoothFamilies
	case o.Family == plainException || o.Family == ruggedFamilies || o.Family == "":
		t.Family, t.Kind = plainException, ruggedFamilies
	default:
		return fmt.Errorf("problem: no family %q of plain lists; known are %s, %s, smooth and rugged", o.Family, plainOwn, plainException)
	}
	t.Items = make([][]float64, n)
	worth := xslices.Times(n, func(i int) float64 { return rng.NormFloat64() })
	if t.Family == plainException {
		worth[rng.IntN(n)] = 6 + rng.Float64()*4
	}
	t.items(worth)
	return nil
}

func (o TasteOptions) length() (int, error) {
	if n := cmp.Or(o.Items, listLength); n >= 2 {
		return n, nil
	}
	return 0, fmt.Errorf("problem: TasteOptions.Items = %d, want at least 2", o.Items)
}

// items makes it a taste about a list of these utilities.
func (t *Taste) items(worth []float64) {
	t.f = func(x []float64) float64 { return worth[int(x[0])] }
	best := slices.Index(worth, slices.Max(worth))
	t.Max, t.At = worth[best], []float64{float64(best)}
	t.measured(slices.Clone(worth))
}

// Sum returns the taste
//
//	Σᵢ wᵢ (fᵢ − mean fᵢ) / spread fᵢ
//
// of tastes about the same parameters: what people have in common and what is their own, or what is best for several. One to whom all options are alike adds
// nothing. (A sum in it is taken as centred: it is but for the options it was measured by, which moves all utilities by the same.) The seed draws the options
// by which the sum is measured, and its best one is searched for.
func Sum(seed uint64, of []*Taste, weights []float64) (*Taste, error) {
	if len(of) == 0 || len(of) != len(weights) {
		return nil, fmt.Errorf("problem: a sum of %d tastes with %d weights, want as many, and one at least", len(of), len(weights))
	}
	t := &Taste{Family: "sum", Kind: of[0].Kind, Shape: of[0].Shape, Parts: of[0].Parts}
	var terms []term
	var hints [][]float64
	for i, a := range of {
		switch {
		case a.Items != nil:
			return nil, errors.New("problem: a sum of tastes about a list, want them about parameters")
		case !slices.Equal(a.Parts, t.Parts):
			return nil, fmt.Errorf("problem: taste %d of a sum is about %v, the first about %v", i, a.Parts, t.Parts)
		case a.Kind == ruggedFamilies:
			t.Kind = ruggedFamilies
		}
		hints = append(hints, a.At)
		if a.Spread > 0 {
			terms = a.addTo(terms, weights[i]/a.Spread)
		}
	}
	t.terms, t.f = terms, func(x []float64) float64 {
		return sumOf(terms, func(_ int, m term) float64 { return m.weight * (m.of.f(x) - m.of.Mean) })
	}
	rng := rand.New(stream("sum/1", seed, 0))
	t.measure(rng, tasteSample)
	t.Max, t.At = t.search(rng, hints)
	return t, nil
}

// term is a taste in a sum: weight·(f − mean f).
type term struct {
	of     *Taste
	weight float64
}

// addTo adds a taste to a sum. Of a sum its own terms are added, so that what many have in common is computed once.
func (t *Taste) addTo(sum []term, weight float64) []term {
	own := t.terms
	if own == nil {
		own = []term{{t, 1}}
	}
	for _, m := range own {
		if i := slices.IndexFunc(sum, func(s term) bool { return s.of == m.of }); i >= 0 {
			sum[i].weight += weight * m.weight
		} else {
			sum = append(sum, term{m.of, weight * m.weight})
		}
	}
	return sum
}
