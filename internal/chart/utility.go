package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Utility is how often each setting of two parameters would be taken over the pick, all else as in the pick. A row
// of Below for each value of Y; nil where the constraints allow no option.
type Utility struct {
	X, Y           space.Parameter
	Across, Up     []space.Value
	Below, BelowSD [][]*float64
	Best           [2]space.Value
	Asked          [][2]space.Value // settings that were shown
	UnitX, UnitY   string
	Label          string // what it shows, in words
}

// Sizes of a map.
const (
	mapWidth, mapHeight = 440.0, 372.0
	mapLeft, mapRight   = 58.0, 430.0
	mapTop, mapFoot     = 40.0, 328.0
	mapLevels           = 10
)

// HTML draws numbers as a landscape of ten heights and words, or what has holes, as cells.
func (u Utility) HTML() template.HTML {
	u.close()
	d := New("chart map", mapWidth, mapHeight, u.Label)
	x, y := place(u.X, u.Across, mapLeft, mapRight), place(u.Y, u.Up, mapFoot, mapTop)
	d.Rect("ground", mapLeft, mapTop, mapRight-mapLeft, mapFoot-mapTop)
	height := u.heights()
	if x.words || y.words || height == nil {
		u.cells(d)
	} else {
		for level := 1; level < mapLevels; level++ {
			d.area(fmt.Sprintf("u%d", level), x.at, y.at, height, float64(level)/mapLevels)
		}
	}
	for _, a := range u.Asked {
		if at := [2]float64{x.of(a[0]), y.of(a[1])}; at[0] >= mapLeft-1 && at[0] <= mapRight+1 && at[1] >= mapTop-1 && at[1] <= mapFoot+1 {
			d.Dot("asked", at[0], at[1], 2.2, "")
		}
	}
	d.Rect("edge", mapLeft, mapTop, mapRight-mapLeft, mapFoot-mapTop)
	x.ticks(func(at float64, text string, i int) {
		d.Line("axis", at, mapFoot, at, mapFoot+4)
		d.Text("tick", "middle", min(at, mapRight-8), mapFoot+18, text+first(i, u.UnitX))
	})
	y.ticks(func(at float64, text string, i int) {
		d.Line("axis", mapLeft-4, at, mapLeft, at)
		d.Text("tick", "end", mapLeft-8, at+4, text+first(i, u.UnitY))
	})
	d.Text("name", "end", mapRight, mapHeight-6, Clip(u.X.Name, 40)+" →")
	d.Text("name", "start", 4, mapTop-24, "↑ "+Clip(u.Y.Name, 40))
	best := [2]float64{x.of(u.Best[0]), y.of(u.Best[1])}
	d.Dot("here", best[0], best[1], 8, "")
	d.Dot("core", best[0], best[1], 3, "")
	u.spots(d, x, y)
	return d.HTML()
}

// close has a circle end where it began.
func (u *Utility) close() {
	if u.X.Circular {
		u.Across = append(slices.Clip(u.Across), space.ValueOf(u.X.High))
	}
	if u.Y.Circular {
		u.Up = append(slices.Clip(u.Up), space.ValueOf(u.Y.High))
	}
	for _, rows := range []*[][]*float64{&u.Below, &u.BelowSD} {
		*rows = slices.Clone(*rows)
		for r, row := range *rows {
			if u.X.Circular {
				(*rows)[r] = append(slices.Clip(row), row[0])
			}
		}
		if u.Y.Circular {
			*rows = append(*rows, (*rows)[0])
		}
	}
}

func first(i int, unit string) string {
	if i > 0 {
		return ""
	}
	return unitAfter(unit)
}

// height is what is drawn at a point: twice the chance to be taken over the pick, which is 1 where it is as good.
func (u Utility) height(r, c int) float64 {
	return math.Min(2*taken(*u.Below[r][c], *u.BelowSD[r][c]), 1)
}

// heights is nil where there is a hole.
func (u Utility) heights() [][]float64 {
	out := make([][]float64, len(u.Below))
	for r, row := range u.Below {
		for c, b := range row {
			if b == nil {
				return nil
			}
			out[r] = append(out[r], u.height(r, c))
		}
	}
	return out
}

// cells draws a rectangle for every option there is.
func (u Utility) cells(d *Drawing) {
	w, h := (mapRight-mapLeft)/float64(len(u.Across)), (mapFoot-mapTop)/float64(len(u.Up))
	for r, row := range u.Below {
		for c, b := range row {
			if b != nil {
				level := min(int(mapLevels*u.height(r, c)), mapLevels-1)
				d.Rect(fmt.Sprintf("u%d", level), mapLeft+float64(c)*w, mapFoot-float64(r+1)*h, w+0.3, h+0.3)
			}
		}
	}
}

// spots are what is said under the pointer, on a grid of at most twelve by twelve.
func (u Utility) spots(d *Drawing, x, y places) {
	across, up := (len(u.Across)+11)/12, (len(u.Up)+11)/12
	w, h := (mapRight-mapLeft)*float64(across)/float64(len(u.Across)), (mapFoot-mapTop)*float64(up)/float64(len(u.Up))
	for r := up / 2; r < len(u.Up); r += up {
		for c := across / 2; c < len(u.Across); c += across {
			if u.Below[r][c] == nil {
				continue
			}
			at := [2]float64{x.of(u.Across[c]), y.of(u.Up[r])}
			text := pointLabel(Number(u.Across[c])+unitAfter(u.UnitX)+" · "+Number(u.Up[r])+unitAfter(u.UnitY), prefer.SlicePoint{Below: *u.Below[r][c], BelowSD: *u.BelowSD[r][c]})
			d.Spot(at[0]-w/2, at[1]-h/2, w, h, at, at[1], mapLeft, mapRight, mapTop-8, text)
		}
	}
}

// places are where the values of an axis lie: numbers on a scale, words in the middle of cells.
type places struct {
	scale  Scale
	values []space.Value
	words  bool
	at     []float64
}

func place(p space.Parameter, values []space.Value, from, to float64) places {
	out := places{values: values, words: p.Type == "ordinal" || math.IsNaN(values[0].Float())}
	last := values[len(values)-1].Float()
	if p.Circular {
		last = p.High
	}
	out.scale = Axis(p, values[0].Float(), last, from, to)
	if out.words {
		out.scale = NewScale(-0.5, float64(len(values))-0.5, from, to)
	}
	out.at = xslices.Map(values, out.of)
	return out
}

// of returns where a value lies.
func (p places) of(v space.Value) float64 {
	if !p.words {
		return p.scale.At(v.Float())
	}
	if i := slices.Index(p.values, v); i >= 0 {
		return p.scale.At(float64(i))
	}
	return math.Inf(1) // nowhere
}

func (p places) ticks(mark func(at float64, text string, i int)) {
	if p.words {
		for i, v := range p.values {
			mark(p.at[i], Clip(v.String(), max(3, min(8, 64/len(p.values)))), i+1)
		}
		return
	}
	for i, v := range p.scale.Ticks(5) {
		mark(p.scale.At(v), Tick(v), i)
	}
}

// area fills where the heights on a grid are at least so high: of every square of the grid the part above, its border by linear
// interpolation along the sides; whole squares of a row are one rectangle.
func (d *Drawing) area(class string, x, y []float64, height [][]float64, level float64) {
	var b strings.Builder
	for r := range len(y) - 1 {
		for c := 0; c < len(x)-1; c++ {
			whole := c
			for whole < len(x)-1 && min(height[r][whole], height[r+1][whole], height[r][whole+1], height[r+1][whole+1]) >= level {
				whole++
			}
			if whole > c {
				fmt.Fprintf(&b, "M%s %sH%sV%sH%sZ", px(x[c]), px(y[r]), px(x[whole]), px(y[r+1]), px(x[c]))
				c = whole - 1
				continue
			}
			corner := [4][3]float64{{x[c], y[r], height[r][c]}, {x[c+1], y[r], height[r][c+1]}, {x[c+1], y[r+1], height[r+1][c+1]}, {x[c], y[r+1], height[r+1][c]}}
			begun := false
			to := func(x, y float64) {
				b.WriteString(map[bool]string{false: "M", true: "L"}[begun] + px(x) + " " + px(y))
				begun = true
			}
			for i, p := range corner {
				q := corner[(i+1)%4]
				if p[2] >= level {
					to(p[0], p[1])
				}
				if (p[2] >= level) != (q[2] >= level) {
					t := (level - p[2]) / (q[2] - p[2])
					to(p[0]+t*(q[0]-p[0]), p[1]+t*(q[1]-p[1]))
				}
			}
			if begun {
				b.WriteString("Z")
			}
		}
	}
	if b.Len() > 0 {
		fmt.Fprintf(&d.b, `<path class="%s" d="%s"/>`, class, b.String())
	}
}
