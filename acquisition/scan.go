package acquisition

import "slices"

// panel is the covariances of some rows of a list with others, under each posterior of the task.
type panel struct {
	rows, cols int
	cov        [][]float64
}

func (l *list) panel(rows, cols []float64) panel {
	p := panel{rows: len(rows) / l.d, cols: len(cols) / l.d}
	for _, s := range l.k {
		c := make([]float64, p.rows*p.cols)
		s.post.CrossCovariance(c, rows, cols, l.workers)
		p.cov = append(p.cov, c)
	}
	return p
}

// at returns row i under every posterior.
func (p panel) at(i int) [][]float64 {
	rows := make([][]float64, len(p.cov))
	for k, c := range p.cov {
		rows[k] = c[i*p.cols : (i+1)*p.cols]
	}
	return rows
}

// scan computes gains of questions with the inner maximum over some rows: the sum over the outcomes of
//
//	max_x Σ_k w_k [P_k (μ_k(x) − μ_k(x̂)) + (φ(α_k) − φ(β_k)) (c_k(x) − c_k(x̂))/s_k],
//
// see knowledge. x̂ itself has 0, so no digits of the gain are lost beside the mean.
type scan struct {
	l          *list
	k          knowledge   // that of the list, or without noise
	rows       []int       // nil: all
	here       int         // the place of x̂ among them
	rise       [][]float64 // per posterior: μ(x) − μ(x̂)
	prob, tilt [][]float64 // per posterior: w_k P_k and w_k (φ(α_k) − φ(β_k))/s_k of every outcome
	sum        []float64
}

// scan returns a scan of the given rows, or of all if rows is nil; x̂ is among them.
func (l *list) scan(rows []int) *scan {
	s := &scan{l: l, k: l.k, rows: rows, here: l.best}
	n := l.n
	if rows != nil {
		n, s.here = len(rows), slices.Index(rows, l.best)
	}
	outcomes := l.k.points() - 2
	for k := range l.k {
		rise := make([]float64, n)
		for x := range rise {
			rise[x] = l.means[k][s.row(x)] - l.means[k][l.best]
		}
		s.rise = append(s.rise, rise)
		s.prob, s.tilt = append(s.prob, make([]float64, outcomes)), append(s.tilt, make([]float64, outcomes))
	}
	s.sum = make([]float64, n)
	return s
}

func (s *scan) row(x int) int {
	if s.rows == nil {
		return x
	}
	return s.rows[x]
}

// gain returns the gain of the question about rows i and j, given the covariance of the two and their covariances a and b with the rows of the scan, all per
// posterior. Rows i and j may be the best, too. The best row after outcome o goes to argmax[o] unless that is nil.
func (s *scan) gain(i, j int, cov []float64, a, b [][]float64, argmax []int) float64 {
	l := s.l
	for k, share := range s.k {
		sd := spread(l.vars[k][i]+l.vars[k][j]-2*cov[k], share.kg.Sigma)
		if sd == 0 { // the answer is known and teaches nothing
			clear(s.prob[k])
			clear(s.tilt[k])
			continue
		}
		share.kg.partition(l.means[k][i]-l.means[k][j], sd, s.prob[k], s.tilt[k])
		for o := range s.prob[k] {
			s.prob[k][o] *= share.weight
			s.tilt[k][o] *= share.weight / sd
		}
	}
	var gain float64
	for o := range s.prob[0] {
		x, top := s.inner(o, a, b)
		best := s.row(x)
		var first, second float64
		for k := range l.k {
			p, w, here := s.prob[k][o], s.tilt[k][o], a[k][s.here]-b[k][s.here]
			mean, v := l.means[k], l.vars[k]
			first += p*(mean[i]-mean[l.best]) + w*(v[i]-cov[k]-here)
			second += p*(mean[j]-mean[l.best]) + w*(cov[k]-v[j]-here)
		}
		if first > top {
			best, top = i, first
		}
		if second > top {
			best, top = j, second
		}
		gain += top
		if argmax != nil {
			argmax[o] = best
		}
	}
	return gain
}

// inner returns the place of the best row after outcome o and what it gains. The common case of one posterior needs no sums.
func (s *scan) inner(o int, a, b [][]float64) (int, float64) {
	best, top := s.here, 0.0
	sum := s.sum
	for k := range s.rise {
		p, w := s.prob[k][o], s.tilt[k][o]
		rise := s.rise[k][:len(sum)]
		ak, bk := a[k][:len(sum)], b[k][:len(sum)]
		here := ak[s.here] - bk[s.here]
		if len(s.rise) == 1 {
			for x, r := range rise {
				if v := p*r + w*(ak[x]-bk[x]-here); v > top {
					best, top = x, v
				}
			}
			return best, top
		}
		if k == 0 {
			clear(sum)
		}
		for x, r := range rise {
			sum[x] += p*r + w*(ak[x]-bk[x]-here)
		}
	}
	for x, v := range sum {
		if v > top {
			best, top = x, v
		}
	}
	return best, top
}
