package renders

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
)

// Scene is what a picture is drawn from. Each is drawn evenly from 0 to 1; the hidden taste is about these, and nothing but the pixels is seen of them.
type Scene struct {
	Hue     float64 // of the shapes
	Vivid   float64 // how far from grey they are
	Ground  float64 // how light the ground is
	Density float64 // how many shapes there are
	Size    float64 // how large they are
	Bars    float64 // from discs to upright bars
	Height  float64 // where they gather: at the bottom or at the top
	Tint    float64 // of the ground: cold or warm
	Chance  uint64  // where each of them lies
}

// NewScene draws one.
func NewScene(r *rand.Rand) Scene {
	f := r.Float64
	return Scene{f(), f(), f(), f(), f(), f(), f(), f(), r.Uint64()}
}

const wide, high = 96, 72

// Draw draws it: discs and bars of one hue on a tinted ground.
func (s Scene) Draw() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, wide, high))
	base := 0.12 + 0.83*s.Ground
	ground := rgb(base*(0.9+0.1*s.Tint), base*0.97, base*(1-0.1*s.Tint))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = ground.R, ground.G, ground.B, 255
	}
	r := rand.New(rand.NewPCG(s.Chance, 1))
	for range 3 + int(40*s.Density) {
		x, y := r.Float64()*wide, (0.7*s.Height+0.3*r.Float64())*high
		y = high - y
		half := (1.5 + 9*s.Size) * (0.7 + 0.6*r.Float64())
		ink := hsv(s.Hue+0.06*r.NormFloat64(), 0.1+0.85*s.Vivid, 0.35+0.6*r.Float64())
		rx, ry := half*(1-0.75*s.Bars), half*(1+1.2*s.Bars)
		for py := int(y - ry); py <= int(y+ry); py++ {
			for px := int(x - rx); px <= int(x+rx); px++ {
				dx, dy := (float64(px)-x)/rx, (float64(py)-y)/ry
				if image.Pt(px, py).In(m.Rect) && (s.Bars > 0.5 || dx*dx+dy*dy <= 1) {
					m.SetRGBA(px, py, ink)
				}
			}
		}
	}
	return m
}

func rgb(r, g, b float64) color.RGBA {
	c := func(v float64) uint8 { return uint8(math.Round(255 * math.Max(0, math.Min(1, v)))) }
	return color.RGBA{c(r), c(g), c(b), 255}
}

func hsv(h, s, v float64) color.RGBA {
	f := func(n float64) float64 {
		k := math.Mod(n+6*(h-math.Floor(h)), 6)
		return v - v*s*math.Max(0, math.Min(1, math.Min(k, 4-k)))
	}
	return rgb(f(5), f(3), f(1))
}
