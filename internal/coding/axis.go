package coding

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// axis is a parameter, or a feature of items, in the coordinates of the model:
//
//	float, int, ordinal   one coordinate in [0, 1]; on a log scale the logarithm is laid out
//	bool, two choices     one coordinate, 0 or 1
//	K > 2 choices         K coordinates, 1/√2 at the chosen one and 0 elsewhere, with one lengthscale
//	circular              two coordinates, ((1 + cos 2πu)/2, (1 + sin 2πu)/2) at the part u of the period, with one lengthscale
//
// so that any two choices of a categorical are at distance 1, and no choice lies between two others; and so that opposite
// points of a circle are at distance 1, too, with two ways from one to the other.
type Axis struct {
	space.Parameter
	At, Width int
	Vals      []space.Value // of a discrete axis, in order
	levels    []float64     // len(vals)×width
	index     map[space.Value]int
	Feature   bool      // of items: values beyond the range are fine
	Held      []float64 // the coordinates it is held at, nil where it is free
	items     *List     // of the axis that is the item itself (list.go)
}

func NewAxis(p space.Parameter, at int, feature bool) Axis {
	a := Axis{Parameter: p, At: at, Width: 1, Feature: feature}
	if p.Circular {
		a.Width = 2
	}
	if Continuous(p) {
		return a
	}
	a.Vals = p.Values()
	a.index = make(map[space.Value]int, len(a.Vals))
	for i, v := range a.Vals {
		a.index[v] = i
	}
	n := len(a.Vals)
	if p.Type == "categorical" && n > 2 {
		a.Width = n
	}
	a.levels = make([]float64, n*a.Width)
	for i, v := range a.Vals {
		switch {
		case p.Circular:
			a.levels[2*i], a.levels[2*i+1] = acquisition.Circle(float64(i) / float64(n))
		case a.Width > 1:
			a.levels[i*n+i] = math.Sqrt2 / 2
		case p.Type == "int":
			a.levels[i] = a.position(v.Float())
		default:
			a.levels[i] = float64(i) / float64(max(1, n-1))
		}
	}
	return a
}

// Ordered reports whether the values of a discrete axis have an order.
func (a Axis) Ordered() bool { return a.Type == "int" || a.Type == "ordinal" }

func Continuous(p space.Parameter) bool { return p.Type == "" || p.Type == "float" }

func IsNumber(p space.Parameter) bool { return Continuous(p) || p.Type == "int" }

// place writes the coordinates of a number into the point x, on the values of the axis or not.
func (a Axis) Place(v float64, x []float64) {
	if a.Circular {
		x[a.At], x[a.At+1] = acquisition.Circle(a.position(v))
		return
	}
	x[a.At] = a.position(v)
}

// turn returns where on a circle the point x lies, as a part of the period in [0, 1).
func (a Axis) angle(x []float64) float64 { return acquisition.CirclePosition(x[a.At], x[a.At+1]) }

// chord returns the distance of two points on a circle, 1 if they are opposite.
func (a Axis) Chord(x, y []float64) float64 {
	return math.Min(1, math.Hypot(x[a.At]-y[a.At], x[a.At+1]-y[a.At+1])) // rounding
}

// position returns where a number lies between the ends of the range.
func (a Axis) position(x float64) float64 {
	switch {
	case a.High == a.Low: // a feature that is the same in all items
		return x - a.Low
	case a.Log:
		// (high−low)/(high−low) can round to 1+ε on a log scale
		return math.Min(math.Log(x/a.Low)/math.Log(a.High/a.Low), 1)
	}
	return (x - a.Low) / (a.High - a.Low)
}

func (a Axis) Encode(v space.Value, x []float64) error {
	if a.items != nil {
		return a.encodeItem(v, x)
	}
	v = a.Canonical(v)
	switch i, known := a.index[v]; {
	case known:
		copy(x[a.At:a.At+a.Width], a.levels[i*a.Width:(i+1)*a.Width])
	case Continuous(a.Parameter) && (a.Feature || v.Float() >= a.Low && v.Float() <= a.High):
		a.Place(v.Float(), x)
	default:
		return RefuseField("option", a.Name, v, "option has %q = %v, want %s", a.Name, v, a.Allowed())
	}
	return nil
}

// decode returns the value at the point x: the nearest one of a discrete axis, exactly the ends at 0 and 1.
func (a Axis) Decode(x []float64) space.Value {
	switch {
	case Continuous(a.Parameter):
		return a.number(x)
	case a.items != nil:
		return space.ValueOf(a.items.id(x[a.At : a.At+a.Width]))
	}
	return a.Vals[a.nearest(x)]
}

func (a Axis) number(x []float64) space.Value {
	u := x[a.At]
	var v float64
	switch {
	case a.Circular:
		v = a.onCircle(a.angle(x))
	case u <= 0:
		v = a.Low
	case u >= 1:
		v = a.High
	case a.Log:
		v = a.Low * math.Pow(a.High/a.Low, u)
	default:
		v = a.Low + u*(a.High-a.Low)
	}
	return space.ValueOf(min(max(v, a.Low), a.High))
}

// onCircle returns the value at the part u of the period, never High, rounded to fourteen digits of the period: so a value
// that was given is found again after its way through sine and cosine.
func (a Axis) onCircle(u float64) float64 {
	v := a.Low + u*(a.High-a.Low)
	unit := math.Pow10(13 - int(math.Floor(math.Log10(a.High-a.Low)))) // of 1/unit; ∞ or 0 if the period is no size of anything
	if near := math.Round(v*unit) / unit; !math.IsInf(near, 0) && !math.IsNaN(near) {
		v = near
	}
	if v < a.Low || v >= a.High {
		return a.Low
	}
	return v
}

func (a Axis) nearest(x []float64) int {
	at := x[a.At : a.At+a.Width]
	if a.Circular {
		return int(math.Round(a.angle(x)*float64(len(a.Vals)))) % len(a.Vals)
	}
	if a.Width > 1 {
		return slices.Index(at, slices.Max(at))
	}
	i, found := slices.BinarySearch(a.levels, at[0])
	if !found && i > 0 && (i == len(a.levels) || at[0]-a.levels[i-1] <= a.levels[i]-at[0]) {
		i--
	}
	return i
}

// part is the axis as a search sees it. One that is held has a single level.
func (a Axis) part() acquisition.Part {
	if a.Held != nil {
		return acquisition.Part{At: a.At, Width: a.Width, Levels: a.Held, Ordered: true}
	}
	return acquisition.Part{At: a.At, Width: a.Width, Levels: a.levels, Ordered: a.Ordered(), Circular: a.Circular}
}

// Spread writes the value at u of [0, 1) into the point x; every level has the same share.
func (a Axis) Spread(u float64, x []float64) { a.part().Place(u, x) }

// walk returns x with the axis at its values, row by row: n of them, or all if those are fewer or have no
// order. Round a circle the last is as far from the first as from the one before.
func (a Axis) Walk(x []float64, n int) []float64 {
	values := len(a.Vals)
	if values == 0 || a.Ordered() && values > n {
		values = n
	}
	var out []float64
	for i := range values {
		row := slices.Clone(x)
		switch at := float64(i) / float64(max(1, values-1)); {
		case a.Circular && Continuous(a.Parameter):
			a.Spread(float64(i)/float64(values), row)
		case Continuous(a.Parameter):
			row[a.At] = at
		case values == len(a.Vals):
			copy(row[a.At:a.At+a.Width], a.levels[i*a.Width:])
		case a.Circular:
			l := i * len(a.Vals) / values
			copy(row[a.At:a.At+2], a.levels[2*l:])
		default:
			row[a.At] = a.levels[int(math.Round(at*float64(len(a.Vals)-1)))]
		}
		out = append(out, row...)
	}
	return out
}

func (c *Coding) Numbers() []string {
	return c.names(func(a Axis) bool { return !a.Feature && !a.Context && IsNumber(a.Parameter) })
}

// ordered returns the parameters if they are one or two beside the contexts and all are ordered, else nil: the rules do not apply. Nor do they where
// somebody looks with a parameter held, for questions are asked without.
func (c *Coding) Ordered() []Axis {
	if c.Table() != nil {
		return nil
	}
	var free []Axis
	for _, a := range c.Axes {
		switch {
		case a.Held != nil && a.Context:
		case a.Held != nil, len(free) == 2, !Continuous(a.Parameter) && !a.Ordered() && !a.Circular:
			return nil
		default:
			free = append(free, a)
		}
	}
	return free
}

// along returns where on the axis a point lies, as a part of the range or of the period.
func (a Axis) along(x []float64) float64 {
	if a.Circular {
		return a.angle(x)
	}
	return x[a.At]
}

// ahead returns how far y is from x in a direction, 1 or −1, along the axis: on a circle in [0, 1), else negative if it lies behind.
func (a Axis) Ahead(x, y []float64, direction float64) float64 {
	d := direction * (a.along(y) - a.along(x))
	if a.Circular {
		d -= math.Floor(d)
	}
	return d
}

func (a Axis) Apart(x, y []float64) float64 {
	if a.Circular {
		return math.Min(a.Ahead(x, y, 1), a.Ahead(x, y, -1))
	}
	return math.Abs(a.Ahead(x, y, 1))
}

// beyond returns the point that lies so far from x along the axis, nearer if the range ends before, and 0; of a discrete axis the last level within that
// distance, or the next one, and how far away that is. It returns nil if x is at the end.
func (a Axis) Beyond(x []float64, distance, direction float64) (y []float64, next float64) {
	if Continuous(a.Parameter) {
		y, to := slices.Clone(x), a.along(x)+direction*distance
		if a.Circular {
			y[a.At], y[a.At+1] = acquisition.Circle(to - math.Floor(to))
		} else {
			y[a.At] = min(max(to, 0), 1)
		}
		return y, 0
	}
	step := int(direction)
	for i := a.nearest(x) + step; a.Circular || i >= 0 && i < len(a.Vals); i += step {
		level, at := (i+len(a.Vals))%len(a.Vals), slices.Clone(x)
		copy(at[a.At:a.At+a.Width], a.levels[level*a.Width:(level+1)*a.Width])
		d := a.Ahead(x, at, direction)
		if d == 0 || y != nil && d > distance {
			break
		}
		if y == nil {
			next = d
		}
		y = at
	}
	return y, next
}

// between returns the values of the parameter at two points, the lower one first, or on a circle the one that comes first; nil is the end of the range.
func (a Axis) Between(pick, to []float64, direction float64) [2]space.Option {
	if to == nil {
		to = slices.Clone(pick)
		if !a.Circular {
			to[a.At] = (1 + direction) / 2
		}
	}
	ends := [2]space.Option{{a.Name: a.Decode(pick)}, {a.Name: a.Decode(to)}}
	if direction < 0 {
		ends[0], ends[1] = ends[1], ends[0]
	}
	return ends
}

// scarceOptions is how many options pairs are made of where the tries of the sequence found none.
const scarceOptions = 64

// scarce returns some options that pairs can be made of where hardly any may be asked: of items those that may, at most scarceOptions of them.
func (c *Coding) Scarce(fixed func(x []float64), allowed func(x []float64) bool, seed uint64) (out [][]float64) {
	points := slices.Collect(slices.Chunk(c.Points(scarceOptions, seed), c.Dim))
	t := c.Table()
	if t == nil || allowed == nil || len(points) == 0 {
		return points
	}
	for i, row := range slices.Collect(slices.Chunk(t.Rows, t.Dim)) {
		x := slices.Concat(row, points[i%len(points)][t.Dim:])
		if fixed(x); len(out) < scarceOptions && allowed(x) && c.Contains(x) {
			out = append(out, x)
		}
	}
	return out
}

// pairs returns the quasi-random sequence of pairs of a space.
func (c *Coding) Pairs(seed uint64) func(i uint64) (a, b []float64) {
	if t := c.List; t != nil {
		seq, u := sobol.Scrambled(2, seed), make([]float64, 2)
		row := func(u float64) []float64 { return t.Point(t.At[min(int(u*float64(len(t.At))), len(t.At)-1)]) }
		return func(i uint64) (a, b []float64) {
			seq.At(i, u)
			return row(u[0]), row(u[1])
		}
	}
	d := len(c.Axes)
	seq, u := sobol.Scrambled(2*d, seed), make([]float64, 2*d)
	return func(i uint64) (a, b []float64) {
		seq.At(i, u)
		a, b = make([]float64, c.Dim), make([]float64, c.Dim)
		c.Spread(a, u[:d])
		c.Spread(b, u[d:])
		return a, b
	}
}

// even draws up to n options evenly from the space, in random order; of a list, all in a random order if it is short.
func (c *Coding) Even(n int, seed uint64) [][]float64 {
	if c.List == nil {
		return slices.Collect(slices.Chunk(c.Points(n, seed), c.Dim))
	}
	rows := slices.Collect(slices.Chunk(c.List.Rows, c.Dim))
	for i := range min(n, len(rows)) { // Fisher and Yates
		j := i + int(splitmix.At(seed, uint64(i))%uint64(len(rows)-i))
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows[:min(n, len(rows))]
}

// sample returns up to n quasi-random options, row by row.
func (c *Coding) Sample(n int, seed uint64) []float64 {
	if c.List != nil && len(c.List.Back) <= n {
		return slices.Clone(c.List.Rows)
	}
	return c.Points(n, seed)
}
