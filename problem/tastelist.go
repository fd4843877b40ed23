package problem

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

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
	worth, parts := make([]float64, n), t.f
	for i := range worth {
		t.Items = append(t.Items, t.uniform(rng))
		worth[i] = parts(t.Items[i])
	}
	_, sd := moments(worth)
	for i := range worth {
		worth[i] += ownShare * sd * rng.NormFloat64()
	}
	t.items(worth)
	return nil
}

// plain makes a taste about items without features: "own", all alike in kind, or "exception", one far above the others, which
// is a sharp one.
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
	worth := make([]float64, n)
	for i := range worth {
		worth[i] = rng.NormFloat64()
	}
	if t.Family == plainException {
		worth[rng.IntN(n)] = 6 + rng.Float64()*4
	}
	t.items(worth)
	return nil
}

func (o TasteOptions) length() (int, error) {
	if o.Items == 0 {
		return listLength, nil
	}
	if o.Items < 2 {
		return 0, fmt.Errorf("problem: TasteOptions.Items = %d, want at least 2", o.Items)
	}
	return o.Items, nil
}

// items makes it a taste about a list of these utilities.
func (t *Taste) items(worth []float64) {
	t.f = func(x []float64) float64 { return worth[int(x[0])] }
	best := slices.Index(worth, slices.Max(worth))
	t.Max, t.At = worth[best], []float64{float64(best)}
	t.measured(slices.Clone(worth))
}
