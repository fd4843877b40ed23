package chart

import (
	"fmt"
	"html/template"

	"github.com/prefer-bo/prefer"
)

// Share is a share with its interval from 0 to 1, and a mark where it should be.
func Share(s prefer.Share, ideal float64, label string) template.HTML {
	d := stripe(label)
	d.Line("rest", 0, 10, 100, 10)
	d.Line("ideal", 100*ideal, 2, 100*ideal, 18)
	d.Line("whisker", 100*s.Low, 10, 100*s.High, 10)
	d.tap("dot", 100*float64(s.Count)/float64(s.Of))
	return d.HTML()
}

// Places is the range of places that an item of a list may have, of so many, and its place by what is expected.
func Places(place, low, high, of int, label string) template.HTML {
	x := NewScale(0.5, float64(of)+0.5, 0, 100) // half a place of room at either end
	d := stripe(label)
	d.Line("rest", 0, 10, 100, 10)
	d.Line("range", x.At(float64(low)-0.35), 10, x.At(float64(high)+0.35), 10)
	d.tap("at", x.At(float64(min(max(place, low), high))))
	return d.HTML()
}

// Meter is a bar from 0 to 1 with a mark where a verdict is given.
func Meter(share, target float64, label string) template.HTML {
	d := stripe(label)
	d.Line("rest", 0, 10, 100, 10)
	d.Line("fill", 0, 10, 100*share, 10)
	d.Line("ideal", 100*target, 0, 100*target, 20)
	return d.HTML()
}

// tap is a dot in a stripe, which is as wide as it may be: a line of no length with round ends.
func (d *Drawing) tap(class string, x float64) {
	fmt.Fprintf(&d.b, `<line class="tap %s" x1="%s" y1="10" x2="%s" y2="10"/>`, class, px(x), px(x))
}
