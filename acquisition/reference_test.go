package acquisition

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// reference holds the numbers of an independent stack; see the origin and about fields of the file.
type reference struct {
	ClosedForms struct {
		Mean  []float64
		Cov   [][]float64
		Cases []struct {
			X1, X2      int
			EUBO, Tau   float64
			Prob        float64   `json:"prob_x1_wins"`
			Up          []float64 `json:"lookahead_if_x1_wins"`
			Down        []float64 `json:"lookahead_if_x2_wins"`
			KG          float64   `json:"kg_discrete"`
			ArgmaxUp    int       `json:"argmax_if_x1_wins"`
			ArgmaxDown  int       `json:"argmax_if_x2_wins"`
			AtArgmaxes  float64   `json:"kg_one_shot_at_argmaxes"`
			QuadratureU []float64 `json:"quadrature_if_x1_wins"`
		}
	} `json:"closed_forms"`
	QLogEI struct {
		Mean    []float64
		Cov     [][]float64
		Normals [][]float64 `json:"base_samples"`
		Cases   []struct {
			Best   float64 `json:"best_f"`
			QLogEI float64
		}
	}
	Variational struct {
		Cases []struct {
			Name        string
			Win, Lose   [][]float64
			Z           [][]float64
			Lengthscale []float64
			Outputscale float64
			Acquisition struct {
				Points     [][][]float64
				KG         []float64
				Gradient   [][][]float64 `json:"kg_gradient"`
				EUBO       []float64
				KGMax      float64     `json:"kg_max"`
				KGArgmax   [][]float64 `json:"kg_argmax"`
				EUBOMax    float64     `json:"eubo_max"`
				EUBOArgmax [][]float64 `json:"eubo_argmax"`
				MaxMean    float64     `json:"max_mean"`
			}
		}
	}
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
	if len(r.ClosedForms.Cases) == 0 || len(r.QLogEI.Cases) == 0 || len(r.Variational.Cases) == 0 {
		t.Fatal("testdata/reference.json has no cases")
	}
	return &r
}

// reorder swaps the fantasy points of rows (x₁, x₂, x₊, x₋) into our order: the second's win first.
func reorder(rows [][]float64) []float64 {
	return flatRows([][]float64{rows[0], rows[1], rows[3], rows[2]})
}

func flatRows(rows [][]float64) []float64 {
	var f []float64
	for _, r := range rows {
		f = append(f, r...)
	}
	return f
}

// momentsOf returns the joint moments of the listed members of a list of options.
func momentsOf(mean []float64, cov [][]float64, at ...int) *gp.Moments {
	m := gp.NewMoments(len(at))
	for i, a := range at {
		m.Mean[i] = mean[a]
		for j, b := range at {
			m.Cov[i*len(at)+j] = cov[a][b]
		}
	}
	return m
}

const exact = 1e-10 // closed forms: rounding on either side, no truncation error

func TestClosedForms(t *testing.T) {
	r := loadReference(t).ClosedForms
	kg := KG{Edges: []float64{0}, Sigma: 1}
	cov := flatRows(r.Cov)
	for _, c := range r.Cases {
		agree(t, "eubo", EUBO{}.Value(momentsOf(r.Mean, r.Cov, c.X1, c.X2), nil), c.EUBO, exact)
		for x := range r.Mean {
			m := momentsOf(r.Mean, r.Cov, c.X1, c.X2, x)
			up := NewLookAhead(m, gp.Interval{Lo: 0, Hi: math.Inf(1)}, 1)
			down := NewLookAhead(m, gp.Interval{Lo: math.Inf(-1), Hi: 0}, 1)
			agree(t, "probability of a win", up.Prob(), c.Prob, exact)
			agree(t, "probability of a loss", down.Prob(), 1-c.Prob, exact)
			agree(t, "mean after a win", up.Mean(2), c.Up[x], exact)
			agree(t, "mean after a win, quadrature", up.Mean(2), c.QuadratureU[x], exact)
			agree(t, "mean after a loss", down.Mean(2), c.Down[x], exact)
		}
		argmax := make([]int, 2)
		agree(t, "kg over the list", kg.Discrete(r.Mean, cov, c.X1, c.X2, argmax), c.KG, exact)
		if argmax[0] != c.ArgmaxDown || argmax[1] != c.ArgmaxUp {
			t.Errorf("best after (loss, win) = %v, want [%d %d]", argmax, c.ArgmaxDown, c.ArgmaxUp)
		}
		m := momentsOf(r.Mean, r.Cov, c.X1, c.X2, c.ArgmaxDown, c.ArgmaxUp)
		agree(t, "kg at the argmaxes", kg.Value(m, nil), c.AtArgmaxes, exact)
	}
}

func TestQLogEI(t *testing.T) {
	r := loadReference(t).QLogEI
	m := momentsOf(r.Mean, r.Cov, 0, 1)
	for _, c := range r.Cases {
		a := LogEI{Q: 2, Best: c.Best, Normals: flatRows(r.Normals)}
		agree(t, "qlogei", a.Value(m, nil), c.QLogEI, exact)
	}
}

// TestVariationalAcquisition evaluates acquisitions on the paper's surrogate, fitted by us and by the
// reference. The reference's variational parameters come from a gradient search; its posterior agrees
// with ours to 1e-10, which is what limits the comparison, not the formulas.
func TestVariationalAcquisition(t *testing.T) {
	const fitted = 1e-9
	for _, c := range loadReference(t).Variational.Cases {
		d := len(c.Lengthscale)
		duels := &gp.Duels{Dim: d}
		for i := range c.Win {
			if err := duels.Add(c.Win[i], c.Lose[i], 1); err != nil {
				t.Fatal(err)
			}
		}
		model := gp.Model{Inference: gp.Sparse, SparseOptions: gp.SparseOptions{Points: flatRows(c.Z)}}
		h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: c.Lengthscale, Outputscale: c.Outputscale}, Cuts: gp.Cuts{0}}
		post, err := model.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		kg := NewEvaluator(post, NewKG(post.Answers(), h.Cuts, 1))
		eubo := NewEvaluator(post, EUBO{})
		grad := make([]float64, 4*d)
		want := c.Acquisition
		if len(want.Points) == 0 || len(want.Points) != len(want.Gradient) {
			t.Fatal("no points to compare at")
		}
		for i, x := range want.Points {
			agree(t, c.Name+" kg", kg.At(reorder(x), grad), want.KG[i], fitted)
			for j, g := range reorder(want.Gradient[i]) {
				agree(t, c.Name+" kg gradient", grad[j], g, fitted)
			}
			agree(t, c.Name+" eubo", eubo.At(flatRows(x[:2]), nil), want.EUBO[i], fitted)
		}
		agree(t, c.Name+" kg at its maximum", kg.At(reorder(want.KGArgmax), nil), want.KGMax, fitted)
		agree(t, c.Name+" eubo at its maximum", eubo.At(flatRows(want.EUBOArgmax), nil), want.EUBOMax, fitted)
	}
}

// agree fails unless |got − want| ≤ tol·max(1, |want|).
func agree(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g (off by %.2g, allowed %.2g)", what, got, want, got-want, tol)
	}
}
