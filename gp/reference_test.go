package gp

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference holds the numbers of an independent stack; see the origin and about fields of the file.
type reference struct {
	Kernels struct {
		Cases []struct {
			Lengthscale []float64
			Outputscale float64
			A, B        [][]float64
			Kaa         [][]float64 `json:"K_aa"`
			Kab         [][]float64 `json:"K_ab"`
			LogPrior    float64     `json:"log_prior"`
		}
	}
	Variational struct{ Cases []variationalCase }
	Greedy      struct {
		Cases []struct {
			Candidates  [][]float64
			Lengthscale []float64
			Outputscale float64
			MaxPoints   int `json:"max_points"`
			Chosen      []int
		}
	} `json:"greedy_variance_reduction"`
}

type gaussianAnswer struct {
	ELBO     float64
	KL       float64
	Expected float64 `json:"expected_loglik"`
	Mean     []float64
	Cov      [][]float64
}

type variationalCase struct {
	Name        string
	Win, Lose   [][]float64
	Z, Test     [][]float64
	Lengthscale []float64
	Outputscale float64
	Nodes20     gaussianAnswer `json:"fixed_hypers_20_nodes"`
	Nodes100    gaussianAnswer `json:"fixed_hypers_100_nodes"`
	Laplace     gaussianAnswer
	MAP         *mapAnswer `json:"map_20_nodes"`
	Acquisition *struct {
		ArgmaxMean []float64 `json:"argmax_mean"`
		MaxMean    float64   `json:"max_mean"`
	}
}

type mapAnswer struct {
	Objective   float64
	Lengthscale []float64
	Outputscale float64
	Mean        []float64
}

func loadReference(t *testing.T) *reference {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Kernels.Cases) == 0 || len(r.Variational.Cases) == 0 || len(r.Greedy.Cases) == 0 {
		t.Fatal("testdata/reference.json has no cases")
	}
	return &r
}

func (c *variationalCase) duels(t *testing.T) *Duels {
	t.Helper()
	d := &Duels{Dim: len(c.Lengthscale)}
	for i := range c.Win {
		if err := d.Add(c.Win[i], c.Lose[i], 1); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func (c *variationalCase) hyper() Hyper {
	return Hyper{Kernel: Kernel{Lengthscale: c.Lengthscale, Outputscale: c.Outputscale}, Cuts: Cuts{0}}
}

func flatten(rows [][]float64) []float64 {
	var f []float64
	for _, r := range rows {
		f = append(f, r...)
	}
	return f
}

// checkPosterior compares means and covariances at points with reference values.
func checkPosterior(t *testing.T, p *Posterior, at [][]float64, mean []float64, cov [][]float64, tol float64) {
	t.Helper()
	m := NewMoments(len(at))
	p.Moments(m, flatten(at))
	for i := range at {
		near(t, "mean", m.Mean[i], mean[i], tol)
		for j := range cov {
			near(t, "cov", m.Cov[i*len(at)+j], cov[i][j], tol)
		}
	}
}

// near fails unless |got − want| ≤ tol·max(1, |want|).
func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g (off by %.2g, allowed %.2g)", what, got, want, got-want, tol)
	}
}
