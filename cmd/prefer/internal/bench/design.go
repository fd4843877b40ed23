package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// gridBits is the resolution of a design: coordinates are multiples of 2⁻³⁰, so that a file of integers
// holds them without loss and any stack reads the same numbers.
const gridBits = 30

// Design is what a cell is given rather than chooses, a function of dimension and seed: the initial
// pairs, the Sobol candidates for inducing points, and the rater's noise by answer.
type Design struct {
	Pairs    [][]float64 // each x₁ followed by x₂, in the unit cube
	Inducing []float64   // row by row
	Seed     uint64
	normals  []float64 // nil: drawn as needed
}

// Draw returns the randomness of answer number k, counted from 0 with the initial pairs.
func (d Design) Draw(k int) (problem.Draw, error) {
	draw := problem.At(d.Seed, uint64(k))
	if d.normals == nil {
		return draw, nil
	}
	if k >= len(d.normals) {
		return draw, fmt.Errorf("bench: the design file has %d normals for seed %d, answer %d needs one more", len(d.normals), d.Seed, k+1)
	}
	draw.Normal = d.normals[k]
	return draw, nil
}

const (
	inducingCandidates = 100       // §4
	designStream       = 0x1d0c1e5 // keeps the sequence of the inducing candidates apart from others of the same seed
)

// NewDesign returns the design prefer uses by itself: count pairs of a scrambled Sobol sequence in 2·dim
// dimensions, as every study begins with (§4, "4d pairs sampled by a Sobol sequence").
func NewDesign(dim, count int, seed uint64) Design {
	d := Design{Seed: seed, Inducing: sobol.Points(dim, inducingCandidates, seed^designStream)}
	seq := sobol.Scrambled(2*dim, seed)
	for i := range count {
		x := make([]float64, 2*dim)
		seq.At(uint64(i), x)
		onGrid(x)
		d.Pairs = append(d.Pairs, x)
	}
	onGrid(d.Inducing)
	return d
}

func onGrid(x []float64) {
	for i, v := range x {
		x[i] = float64(int64(v*(1<<gridBits))) / (1 << gridBits)
	}
}

// Designs is a design file: designs by dimension and seed, the rater's normals by seed, and, where known, σ by problem and noise.
type Designs struct {
	seeds   []uint64
	normals [][]float64
	sets    map[int][]fileDesign
	sigma   map[string]map[string]float64
}

// fileDesign holds coordinates as integers / 2³⁰.
type fileDesign struct {
	Pairs    [][]int64 `json:"initial_pairs"`
	Inducing [][]int64 `json:"inducing_sobol"`
}

const designNormals = 256 // the number of answers a written file has noise for

// NewDesigns returns the designs prefer would use for these problems: perDim pairs per dimension.
func NewDesigns(problems []problem.Problem, noise []float64, seeds []uint64, perDim int) (*Designs, error) {
	f := &Designs{seeds: seeds, sets: map[int][]fileDesign{}, sigma: map[string]map[string]float64{}}
	for _, s := range seeds {
		z := xslices.Times(designNormals, func(k int) float64 { return problem.At(s, uint64(k)).Normal })
		f.normals = append(f.normals, z)
	}
	for _, p := range problems {
		f.sigma[p.Name] = map[string]float64{}
		for _, rate := range noise {
			r, err := problem.NewRater(p, rate)
			if err != nil {
				return nil, err
			}
			f.sigma[p.Name][rateKey(rate)] = r.Sigma
		}
		if f.sets[p.Dim] != nil {
			continue
		}
		for _, s := range seeds {
			d := NewDesign(p.Dim, perDim*p.Dim, s)
			f.sets[p.Dim] = append(f.sets[p.Dim], fileDesign{integers(slices.Concat(d.Pairs...), 2*p.Dim), integers(d.Inducing, p.Dim)})
		}
	}
	return f, nil
}

func rateKey(rate float64) string { return strconv.FormatFloat(rate, 'g', -1, 64) }

func integers(x []float64, width int) (rows [][]int64) {
	for some := range slices.Chunk(x, width) {
		rows = append(rows, xslices.Map(some, func(v float64) int64 { return int64(v * (1 << gridBits)) }))
	}
	return rows
}

// For returns the design for a dimension and seed, with its first count pairs.
func (f *Designs) For(dim, count int, seed uint64) (Design, error) {
	at := slices.Index(f.seeds, seed)
	if at < 0 {
		return Design{}, fmt.Errorf("bench: the design file has no seed %d, only %v", seed, f.seeds)
	}
	set, ok := f.sets[dim]
	if !ok {
		return Design{}, fmt.Errorf("bench: the design file has no designs in %d dimensions, only in %v", dim, slices.Sorted(maps.Keys(f.sets)))
	}
	fd := set[at]
	if count > len(fd.Pairs) {
		return Design{}, fmt.Errorf("bench: the design file has %d initial pairs in %d dimensions, not %d", len(fd.Pairs), dim, count)
	}
	pairs, inducing := xslices.Map(fd.Pairs[:count], floats), slices.Concat(xslices.Map(fd.Inducing, floats)...)
	return Design{Pairs: pairs, Inducing: inducing, Seed: seed, normals: f.normals[at]}, nil
}

func floats(row []int64) []float64 {
	return xslices.Map(row, func(v int64) float64 { return float64(v) / (1 << gridBits) })
}

// Sigma returns the rater's noise the file states for a problem, if it does.
func (f *Designs) Sigma(p string, noise float64) (float64, bool) {
	s, ok := f.sigma[p][rateKey(noise)]
	return s, ok
}

const aboutDesigns = "per dimension and seed: initial pairs (rows x1|x2) and the Sobol candidates for inducing points, as integers / 2^30; " +
	"oracle_normals[seed][k] is the noise of answer k, initial pairs included: x1 wins if f(x1)-f(x2) + sigma*normal > 0; seeds names the " +
	"seed of each place in the lists (absent: its position); sigma is by problem and target error rate"

func (f *Designs) MarshalJSON() ([]byte, error) {
	out := map[string]any{"about": aboutDesigns, "seeds": f.seeds, "oracle_normals": f.normals, "sigma": f.sigma}
	for d, set := range f.sets {
		out[strconv.Itoa(d)] = set
	}
	return json.Marshal(out)
}

// ReadDesigns reads a design file and checks that its lists agree.
func ReadDesigns(r io.Reader) (*Designs, error) {
	var raw map[string]json.RawMessage
	if err := json.NewDecoder(r).Decode(&raw); err != nil {
		return nil, fmt.Errorf("bench: design file: %w", err)
	}
	f := &Designs{sets: map[int][]fileDesign{}}
	for key, msg := range raw {
		var err error
		switch key {
		case "about":
		case "seeds":
			err = json.Unmarshal(msg, &f.seeds)
		case "oracle_normals":
			err = json.Unmarshal(msg, &f.normals)
		case "sigma":
			err = json.Unmarshal(msg, &f.sigma)
		default:
			d, bad := strconv.Atoi(key)
			if bad != nil || d < 1 || d > sobol.MaxDim {
				return nil, fmt.Errorf("bench: design file: key %q is neither a dimension nor one of about, seeds, oracle_normals, sigma", key)
			}
			var set []fileDesign
			err = json.Unmarshal(msg, &set)
			f.sets[d] = set
		}
		if err != nil {
			return nil, fmt.Errorf("bench: design file: %s: %w", key, err)
		}
	}
	return f, f.check()
}

func (f *Designs) check() error {
	if f.normals == nil {
		return errors.New("bench: design file: oracle_normals is missing")
	}
	if f.seeds == nil {
		f.seeds = xslices.Times(len(f.normals), func(i int) uint64 { return uint64(i) })
	}
	if len(f.seeds) != len(f.normals) {
		return fmt.Errorf("bench: design file: %d seeds but oracle_normals for %d", len(f.seeds), len(f.normals))
	}
	for d, set := range f.sets {
		if len(set) != len(f.seeds) {
			return fmt.Errorf("bench: design file: %d designs in %d dimensions for %d seeds", len(set), d, len(f.seeds))
		}
		for i, fd := range set {
			if err := cmp.Or(rowsOf("initial_pairs", fd.Pairs, 2*d), rowsOf("inducing_sobol", fd.Inducing, d)); err != nil {
				return fmt.Errorf("bench: design file: dimension %d, seed %d, %w", d, f.seeds[i], err)
			}
		}
	}
	return nil
}

func rowsOf(name string, rows [][]int64, width int) error {
	for i, row := range rows {
		if len(row) != width {
			return fmt.Errorf("%s[%d] has %d numbers, want %d", name, i, len(row), width)
		}
		for _, v := range row {
			if v < 0 || v > 1<<gridBits {
				return fmt.Errorf("%s[%d] has %d, want 0 to 2^30", name, i, v)
			}
		}
	}
	return nil
}
