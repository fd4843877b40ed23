package gp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchDuels is a data set like a study's: the first 4d pairs anywhere, later ones closing in.
func benchDuels(n, d int) *Duels {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	ds := randomDuels(rng, n, d, Answers{}, Cuts{0})
	for i := 4 * d; i < n; i++ {
		for j := range d {
			c := 0.3 + 0.1*float64(j%4)
			ds.A[i*d+j] = c + 0.4*(ds.A[i*d+j]-c)
			ds.B[i*d+j] = c + 0.4*(ds.B[i*d+j]-c)
		}
	}
	return ds
}

func fitOrFatal(b testing.TB, m Model, ds *Duels, from *Posterior) *Posterior {
	b.Helper()
	p, err := m.Fit(context.Background(), ds, from)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkFit: cold is a fit with hyper-parameters from the centres of the priors; warm adds one
// duel to a fitted posterior and fits again; sites keeps the hyper-parameters.
func BenchmarkFit(b *testing.B) {
	for _, inf := range []Inference{EP, Variational, Laplace} {
		for _, n := range []int{32, 64, 128, 256, 512} {
			for _, d := range []int{2, 6, 20} {
				if inf != EP && (d != 6 || n > 256) {
					continue
				}
				m := Model{Inference: inf}
				ds := benchDuels(n, d)
				name := func(kind string) string { return fmt.Sprintf("%v/%s/n%d/d%d", inf, kind, n, d) }
				b.Run(name("cold"), func(b *testing.B) {
					var p *Posterior
					for b.Loop() {
						p = fitOrFatal(b, m, ds, nil)
					}
					b.ReportMetric(float64(p.Evaluations()), "evals")
				})
				head := &Duels{Dim: d, A: ds.A[:(n-1)*d], B: ds.B[:(n-1)*d], Outcome: ds.Outcome[:n-1]}
				from := fitOrFatal(b, m, head, nil)
				b.Run(name("warm"), func(b *testing.B) {
					var p *Posterior
					for b.Loop() {
						p = fitOrFatal(b, m, ds, from)
					}
					b.ReportMetric(float64(p.Evaluations()), "evals")
				})
				h := from.Hyper()
				b.Run(name("sites"), func(b *testing.B) {
					for b.Loop() {
						if _, err := m.Condition(ds, h, nil); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
	for _, n := range []int{24, 64, 120, 1000, 5000, 10000} {
		m := Model{Inference: Sparse}
		ds := benchDuels(n, 6)
		h := m.Start(6)
		b.Run(fmt.Sprintf("sparse/sites/n%d/d6", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Condition(ds, h, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("sparse/cold/n%d/d6", n), func(b *testing.B) {
			var p *Posterior
			for b.Loop() {
				p = fitOrFatal(b, m, ds, nil)
			}
			b.ReportMetric(float64(p.Evaluations()), "evals")
		})
	}
}

// BenchmarkMoments is what one evaluation of a four-point acquisition costs below the formula:
// joint moments and the gradient of a function of them.
func BenchmarkMoments(b *testing.B) {
	for _, n := range []int{32, 64, 128, 256, 512} {
		for _, d := range []int{2, 6, 20} {
			p, err := Model{}.Condition(benchDuels(n, d), Model{}.Start(d), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("n%d/d%d", n, d), func(b *testing.B) {
				const q = 4
				rng := rand.New(rand.NewPCG(1, 1))
				x, g := make([]float64, q*d), make([]float64, q*d)
				dm, dc := make([]float64, q), make([]float64, q*q)
				for i := range x {
					x[i] = rng.Float64()
				}
				for i := range dc {
					dc[i] = rng.NormFloat64()
				}
				m := NewMoments(q)
				b.ReportAllocs()
				for b.Loop() {
					p.Moments(m, x)
					m.Pullback(dm, dc, g)
				}
			})
		}
	}
}

// BenchmarkPosition: the same sided answers of three raters with position bias in the model and without. cold is a fit, average what statements are made by.
func BenchmarkPosition(b *testing.B) {
	for _, n := range []int{40, 100} {
		ds := sidedDuels(rand.New(rand.NewPCG(89, uint64(n))), n, 3, Answers{}, Cuts{0}, [3]float64{1, 0, -1})
		for _, prior := range []Prior{None(), DefaultPosition()} {
			m := Model{Position: prior, RaterNoise: DefaultRaterNoise()}
			b.Run(fmt.Sprintf("cold/n%d/%v", n, prior), func(b *testing.B) {
				var p *Posterior
				for b.Loop() {
					p = fitOrFatal(b, m, ds, nil)
				}
				b.ReportMetric(float64(p.Evaluations()), "evals")
			})
			b.Run(fmt.Sprintf("average/n%d/%v", n, prior), func(b *testing.B) {
				for b.Loop() {
					if _, err := Average(context.Background(), ds, m); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
