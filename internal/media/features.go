package media

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math"
)

// FeatureNames are the names of Features, in their order.
var FeatureNames = [...]string{"lightness", "contrast", "redness", "warmth", "colour", "variety", "detail", "coarseness", "lines", "sky"}

// Features are numbers in the order of FeatureNames.
//
//	lightness   mean of L of OKLab, 0 (black) to 1 (white)
//	contrast    standard deviation of L
//	redness     mean of a: red against green
//	warmth      mean of b: yellow against blue
//	colour      mean chroma √(a² + b²)
//	variety     standard deviation of (a, b) round their mean
//	detail      mean change of L from one cell to the next, of 64 to the longer side
//	coarseness  log of the same at a quarter of that resolution over it: large shapes against fine texture
//	lines       (v − h)/(v + h) of the squared changes across and along: upright against level
//	sky         mean L of the upper half less that of the lower
type Features [len(FeatureNames)]float64

// cells is how many cells the longer side of a picture is divided into; samples how many pixels of each, in both directions, are looked at.
const (
	cells   = 64
	samples = 4
)

// lab is a colour in OKLab (Ottosson, 2020).
type lab struct{ l, a, b float64 }

// featuresOf describes a picture. The transparent is white, as on a page.
func featuresOf(m image.Image) Features {
	g := grid(m)
	var f Features
	n := float64(len(g.at))
	var mean lab
	var chroma float64
	for _, c := range g.at {
		mean.l, mean.a, mean.b = mean.l+c.l/n, mean.a+c.a/n, mean.b+c.b/n
		chroma += math.Hypot(c.a, c.b) / n
	}
	var light, colour, upper, lower float64
	top := g.high / 2
	for i, c := range g.at {
		light += (c.l - mean.l) * (c.l - mean.l) / n
		colour += ((c.a-mean.a)*(c.a-mean.a) + (c.b-mean.b)*(c.b-mean.b)) / n
		switch y := i / g.wide; {
		case y < top:
			upper += c.l / float64(top*g.wide)
		case y >= g.high-top:
			lower += c.l / float64(top*g.wide)
		}
	}
	across, along, fine := g.changes(1)
	_, _, coarse := g.changes(4)
	const least = 1e-3 // a change nobody sees
	f = Features{mean.l, math.Sqrt(light), mean.a, mean.b, chroma, math.Sqrt(colour), fine,
		math.Log((coarse + least) / (fine + least)), (across - along) / (across + along + least*least), upper - lower}
	for i, v := range f {
		f[i] = math.Round(v*1e6) / 1e6 // the same on every machine, and short in a log
	}
	return f
}

// raster is a picture in cells, row by row.
type raster struct {
	wide, high int
	at         []lab
}

// grid averages the pixels of every cell in linear light.
func grid(m image.Image) raster {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	long := max(w, h)
	g := raster{wide: max(1, min(w, (w*cells+long/2)/long)), high: max(1, min(h, (h*cells+long/2)/long))}
	g.at = make([]lab, g.wide*g.high)
	for y := range g.high {
		for x := range g.wide {
			x0, x1 := x*w/g.wide, (x+1)*w/g.wide
			y0, y1 := y*h/g.high, (y+1)*h/g.high
			var sum [3]float64
			nx, ny := min(samples, x1-x0), min(samples, y1-y0)
			for j := range ny {
				for i := range nx {
					r, gr, bl, a := m.At(b.Min.X+x0+(2*i+1)*(x1-x0)/(2*nx), b.Min.Y+y0+(2*j+1)*(y1-y0)/(2*ny)).RGBA()
					white := 0xffff - a // premultiplied, on white
					for k, v := range [3]uint32{r, gr, bl} {
						sum[k] += linear[(v+white)>>8]
					}
				}
			}
			n := float64(nx * ny)
			g.at[y*g.wide+x] = oklab(sum[0]/n, sum[1]/n, sum[2]/n)
		}
	}
	return g
}

// changes returns the mean squares of the differences of L between neighbours at a distance, to the right and downwards, and the mean of the absolute ones.
func (g raster) changes(step int) (across, along, mean float64) {
	var n, nx, ny float64
	for y := 0; y < g.high; y += step {
		for x := 0; x < g.wide; x += step {
			l := g.at[y*g.wide+x].l
			if x+step < g.wide {
				d := g.at[y*g.wide+x+step].l - l
				across, mean, nx, n = across+d*d, mean+math.Abs(d), nx+1, n+1
			}
			if y+step < g.high {
				d := g.at[(y+step)*g.wide+x].l - l
				along, mean, ny, n = along+d*d, mean+math.Abs(d), ny+1, n+1
			}
		}
	}
	return across / math.Max(nx, 1), along / math.Max(ny, 1), mean / math.Max(n, 1)
}

// linear is the light of an sRGB value of eight bits.
var linear = func() (out [256]float64) {
	for i := range out {
		if v := float64(i) / 255; v <= 0.04045 {
			out[i] = v / 12.92
		} else {
			out[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return out
}()

// OKLab returns lightness and the two opponent axes, red against green and yellow against blue, of a colour of sRGB.
func OKLab(r, g, b uint8) (light, red, yellow float64) {
	c := oklab(linear[r], linear[g], linear[b])
	return c.l, c.a, c.b
}

// oklab converts linear sRGB.
func oklab(r, g, b float64) lab {
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// MaxPixels is the size of the largest picture that is read: 400 MB of memory, if it has four bytes to a pixel.
const MaxPixels = 100 << 20

// errLarge is wrapped by the error about a picture of more pixels.
var errLarge = errors.New("it has too many pixels")

// PixelCount returns how many pixels a picture has, from its header.
func PixelCount(r io.Reader) (int, error) {
	c, _, err := image.DecodeConfig(r)
	if err != nil {
		return 0, err
	}
	if c.Width < 1 || c.Height < 1 || c.Width > MaxPixels/c.Height {
		return 0, fmt.Errorf("%d × %d: %w, want at most %d million", c.Width, c.Height, errLarge, MaxPixels>>20)
	}
	return c.Width * c.Height, nil
}

// decode reads a picture, PNG, JPEG, GIF, WebP or BMP, that is not too large; of one that moves the first frame.
func decode(r io.ReadSeeker) (image.Image, error) {
	if _, err := PixelCount(r); err != nil {
		return nil, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, _, err := image.Decode(r)
	return m, err
}

// ReadFeatures describes a picture.
func ReadFeatures(r io.ReadSeeker) (Features, error) {
	m, err := decode(r)
	if err != nil {
		return Features{}, err
	}
	return featuresOf(m), nil
}
