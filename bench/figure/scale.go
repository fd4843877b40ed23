package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// scale maps an interval of numbers to [0, 1].
type scale struct {
	lo, hi float64
	log    bool
	whole  bool // counts: no ticks between whole numbers
}

// unit returns where v lies, 0 at lo and 1 at hi.
func (s scale) unit(v float64) float64 {
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// clip returns the values of the scale nearest to those given.
func (s scale) clip(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = min(max(v, s.lo), s.hi)
	}
	return out
}

// along returns the i-th of n evenly spaced values, the ends included exactly.
func (s scale) along(i, n int) float64 {
	t := float64(i) / float64(n-1)
	return (1-t)*s.lo + t*s.hi
}

// tick is a mark on a scale; a minor one has no text.
type tick struct {
	at   float64
	text string
}

// ticks returns the marks of the scale in increasing order, about count of them with a text.
func (s scale) ticks(count int) []tick {
	if s.log {
		return s.decades(count)
	}
	return s.steps(count)
}

// steps marks multiples of 1, 2 or 5 times a power of ten.
func (s scale) steps(count int) []tick {
	width := (s.hi - s.lo) / float64(count)
	step := math.Pow(10, math.Floor(math.Log10(width)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step >= width*(1-1e-9) {
			step *= m
			break
		}
	}
	if s.whole {
		step = max(step, 1)
	}
	places := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var out []tick
	for i := math.Ceil(s.lo/step - 1e-9); i*step <= s.hi+1e-9*step; i++ {
		out = append(out, tick{i * step, minus(strconv.FormatFloat(i*step+0, 'f', places, 64))}) // +0: no "−0"
	}
	return out
}

// decades marks powers of ten with a text, every second or third where they would crowd, and the rest
// without: their multiples, or the powers in between. A scale of less than two powers of ten has texts
// at 1, 2 and 5 instead, or it would say nothing.
func (s scale) decades(count int) []tick {
	first, last := int(math.Ceil(math.Log10(s.lo)-1e-9)), int(math.Floor(math.Log10(s.hi)+1e-9))
	every := 1 + (last-first)/max(1, count)
	var out []tick
	for e := first - 1; e <= last; e++ {
		power := math.Pow(10, float64(e))
		for m := 1.0; m < 10; m++ {
			t := tick{at: m * power}
			switch {
			case t.at < s.lo*(1-1e-9) || t.at > s.hi*(1+1e-9), m > 1 && every > 1:
				continue
			case last > first && m == 1 && mod(e, every) == 0:
				t.text = minus(fmt.Sprintf("10^{%d}", e))
			case last <= first && (m == 1 || m == 2 || m == 5):
				t.text = short(t.at)
			}
			out = append(out, t)
		}
	}
	return out
}

// short writes a number of one digit: plain near 1, in powers of ten elsewhere.
func short(v float64) string {
	one := strconv.FormatFloat(v, 'e', 0, 64)
	if v >= 1e-3 && v < 1e4 {
		rounded, _ := strconv.ParseFloat(one, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	m, e, _ := strings.Cut(one, "e")
	n, _ := strconv.Atoi(e)
	return minus(fmt.Sprintf("%s·10^{%d}", m, n))
}

func mod(a, b int) int { return ((a % b) + b) % b }

// minus replaces hyphens by the sign.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
