package research

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Bounds of one request.
const (
	maxPoints = 1 << 20 // points whose means are wanted
	maxJoint  = 8192    // whose covariance is: half a gigabyte
	maxGroup  = 64      // of a row, where each row is by itself
	maxDraws  = 4096
)

// pointsRequest asks about points.
type pointsRequest struct {
	modelRequest
	X *Array `json:"x"`
}

// at returns the points in the unit cube, so many in a row.
func (q *pointsRequest) at(m *model, f frame, points, limit int) ([]float64, error) {
	if _, err := q.X.rows(f.raw, "x", points*m.box.dim(), limit); err != nil {
		return nil, err
	}
	return m.box.in("x", q.X)
}

type posteriorRequest struct {
	pointsRequest
	Covariance string `json:"covariance"`
}

// posterior returns the mean of the utility at points and, as "covariance" says, their joint covariance (the default), "variance" alone, or "none".
func (s *session) posterior(_ context.Context, m *model, f frame, q *posteriorRequest) (reply, error) {
	limit := maxPoints
	if q.Covariance == "" || q.Covariance == "joint" {
		limit = maxJoint
	}
	x, err := q.at(m, f, 1, limit)
	if err != nil {
		return nil, err
	}
	n := len(x) / m.box.dim()
	mean := make([]float64, n)
	r := reply{"mean": vector(mean)}
	switch q.Covariance {
	case "", "joint":
		cov := make([]float64, n*n)
		m.post.Means(mean, x, s.Workers)
		m.post.CrossCovariance(cov, x, x, s.Workers)
		r["covariance"] = matrix(cov, n)
	case "variance":
		variance := make([]float64, n)
		m.post.Marginals(mean, variance, x, s.Workers)
		r["variance"] = vector(variance)
	case "none":
		m.post.Means(mean, x, s.Workers)
	default:
		return nil, wrong("covariance", "covariance = %q, want joint, variance or none", q.Covariance)
	}
	return r, nil
}

type momentsRequest struct {
	pointsRequest
	Points int `json:"points"`
}

// moments returns the joint mean and covariance of each of many groups of a few points, which lie side by side in the rows of x: of the two options of
// questions, for an acquisition of the caller's own.
func (s *session) moments(ctx context.Context, m *model, f frame, q *momentsRequest) (reply, error) {
	if q.Points < 1 || q.Points > maxGroup {
		return nil, wrong("points", "points = %d, want 1 to %d in a row", q.Points, maxGroup)
	}
	x, err := q.at(m, f, q.Points, maxPoints)
	if err != nil {
		return nil, err
	}
	width := q.Points * m.box.dim()
	n := len(x) / width
	mean, cov := make([]float64, n*q.Points), make([]float64, n*q.Points*q.Points)
	cooperate.Parallel(context.Background(), n, s.Workers, func(int) func(int) {
		work := gp.NewMoments(q.Points)
		return func(i int) {
			if ctx.Err() != nil {
				return
			}
			m.post.Moments(work, x[i*width:(i+1)*width])
			copy(mean[i*q.Points:], work.Mean)
			copy(cov[i*q.Points*q.Points:], work.Cov)
		}
	})
	return reply{"mean": matrix(mean, q.Points), "covariance": &Array{Shape: []int{n, q.Points, q.Points}, Data: cov}}, nil
}

// gradient returns means and their gradients.
func (s *session) gradient(_ context.Context, m *model, f frame, q *pointsRequest) (reply, error) {
	x, err := q.at(m, f, 1, maxPoints)
	if err != nil {
		return nil, err
	}
	d := m.box.dim()
	mean, grad := make([]float64, len(x)/d), make([]float64, len(x))
	work := gp.NewMoments(1)
	for i := range mean {
		mean[i] = m.post.MeanGradient(work, x[i*d:(i+1)*d], grad[i*d:(i+1)*d])
	}
	return reply{"mean": vector(mean), "gradient": matrix(m.box.slope(grad), d)}, nil
}

type drawRequest struct {
	pointsRequest
	Count    int    `json:"count"`
	Seed     uint64 `json:"seed"`
	Gradient bool   `json:"gradient"`
}

// draw evaluates functions drawn from the posterior, the same ones for the same seed, with their gradients if these are wanted.
func (s *session) draw(_ context.Context, m *model, f frame, q *drawRequest) (reply, error) {
	if q.Count < 1 || q.Count > maxDraws {
		return nil, wrong("count", "count = %d, want 1 to %d", q.Count, maxDraws)
	}
	x, err := q.at(m, f, 1, maxPoints)
	if err != nil {
		return nil, err
	}
	d := m.box.dim()
	n := len(x) / d
	if n*q.Count > 1<<27/max(1, d) {
		return nil, wrong("count", "count = %d draws at %d points of %d coordinates are too many numbers: want fewer of either", q.Count, n, d)
	}
	values := make([]float64, q.Count*n)
	var grad []float64
	if q.Gradient {
		grad = make([]float64, q.Count*n*d)
	}
	fs := m.post.Functions(rand.New(rand.NewPCG(q.Seed, 0xd4a3)), q.Count)
	cooperate.Parallel(context.Background(), q.Count, s.Workers, func(int) func(int) {
		work := gp.NewMoments(1)
		return func(c int) {
			for i := range n {
				var g []float64
				if grad != nil {
					g = grad[(c*n+i)*d : (c*n+i+1)*d]
				}
				values[c*n+i] = fs[c].At(work, x[i*d:(i+1)*d], g)
			}
		}
	})
	r := reply{"value": matrix(values, n)}
	if grad != nil {
		r["gradient"] = &Array{Shape: []int{q.Count, n, d}, Data: m.box.slope(grad)}
	}
	return r, nil
}

type conditionRequest struct {
	modelRequest
	A       []float64 `json:"a"`
	B       []float64 `json:"b"`
	Outcome int       `json:"outcome"`
}

// condition keeps the model after one more answer, at the same hyper-parameters.
func (s *session) condition(_ context.Context, m *model, _ frame, q *conditionRequest) (reply, error) {
	a, err := m.box.inPoint("a", q.A)
	b, bad := m.box.inPoint("b", q.B)
	if err = cmp.Or(err, bad); err != nil {
		return nil, err
	}
	if q.Outcome < -101 || q.Outcome > 101 || !m.post.Answers().Has(gp.Outcome(q.Outcome)) {
		return nil, wrong("outcome", "outcome = %d is not on offer: ties %t, grades %d", q.Outcome, m.post.Answers().Ties, m.post.Answers().Grades)
	}
	after := m.post.Condition(a, b, gp.Outcome(q.Outcome))
	return s.keep(&model{post: after, fitted: m.fitted, box: m.box, shown: distinct(m.box.dim(), m.shown, a, b)}), nil
}

// model is a posterior that is kept for later requests.
type model struct {
	post   *gp.Posterior
	fitted *gp.Posterior // what the fit found out, in the units it was made in
	box    box
	shown  []float64 // different options of the duels, row by row in the unit cube

	given map[givenKey]*acquisition.Given // knowledge gradients of given questions, as far as they were asked for
}

// keep numbers a model and describes it.
func (s *session) keep(m *model) reply {
	s.last++
	s.models[s.last] = m
	p := m.post
	h := p.Hyper()
	return reply{
		"model": s.last, "dim": p.Dim(), "ties": p.Answers().Ties, "grades": p.Answers().Grades,
		"hyper":    hyper{h.Kernel.Lengthscale, h.Kernel.Outputscale, p.Noise(), h.Cuts, h.Kernel.Trend, h.Raters},
		"evidence": p.Evidence(), "log_prior": m.fitted.LogPrior(), "evaluations": m.fitted.Evaluations(),
		"warnings": append([]string{}, xslices.Map(m.fitted.Warnings(), error.Error)...),
	}
}

// modelRequest is a request about a model.
type modelRequest struct {
	head
	Model int `json:"model"`
}

func (q *modelRequest) number() int { return q.Model }

// onModel makes an operation of a method that answers requests about a model.
func onModel[Q any, P interface {
	*Q
	number() int
}](s *session, do func(context.Context, *model, frame, P) (reply, error)) operation {
	return func(ctx context.Context, f frame) (reply, error) {
		q := P(new(Q))
		if err := f.decode(q); err != nil {
			return nil, err
		}
		m := s.models[q.number()]
		if m == nil {
			return nil, wrong("model", "model = %d, and there is none of that number: the latest is %d, and models may have been dropped", q.number(), s.last)
		}
		return do(ctx, m, f, q)
	}
}

func (s *session) drop(_ context.Context, f frame) (reply, error) {
	var q struct {
		head
		Models []int `json:"models"`
	}
	if err := f.decode(&q); err != nil {
		return nil, err
	}
	for _, n := range q.Models {
		delete(s.models, n)
	}
	return reply{}, nil
}

// task is a search on the model.
func (m *model) task(s *session, seed uint64) acquisition.Task {
	return acquisition.Task{Posterior: m.post, Shown: m.shown, Seed: seed, Sequence: seed, Search: acquisition.Search{Workers: s.Workers}}
}

// distinct returns the different rows of some blocks of points, in their order.
func distinct(d int, blocks ...[]float64) (out []float64) {
	seen := map[string]bool{}
	for row := range slices.Chunk(slices.Concat(blocks...), d) {
		if key := string(vector(row).put(nil)); !seen[key] { // the bits of the point
			seen[key] = true
			out = append(out, row...)
		}
	}
	return out
}
