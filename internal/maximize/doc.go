// Package maximize finds maxima of smooth functions in a box.
//
// [Local] climbs from one start to a local maximum with L-BFGS-B: a limited-memory quadratic model of the function, minimised along the projected gradient path
// to decide which bounds hold (cauchy.go), then over the variables left free (subspace.go), then a line search towards that point (linesearch.go). [MultiStart]
// evaluates many raw points, climbs from the most promising and keeps the best.
//
//	l := maximize.NewLocal(len(lo), maximize.Settings{})
//	r := l.Maximize(ctx, f, lo, hi, x0)   // r.X, r.Value, r.Status
//
// Everything is deterministic: no randomness, no clock, and MultiStart returns the same bits for every number of workers.
//
// Inside, the package minimises φ = −f, as the papers do; the sign changes where the objective is called and where the result is made, and nowhere else.
//
// # Contents
//
//	multistart                      many starts, and which points they are
//	lbfgsb                          one climb
//	history · gram · dense          the quadratic model: its memory, split by free and held variables, and small matrices
//	cauchy · subspace · linesearch  the three steps of an iteration
//	settings · result               what goes in and comes out; boxes
//
// # References
//
//   - [Byrd1995] R. H. Byrd, P. Lu, J. Nocedal, C. Zhu (1995), A limited memory algorithm for bound constrained
//     optimization, SIAM J. Sci. Comput. 16, 1190–1208.
//   - [Byrd1994] R. H. Byrd, J. Nocedal, R. B. Schnabel (1994), Representations of quasi-Newton matrices and their use in
//     limited memory methods, Math. Program. 63, 129–156.
//   - [Morales2011] J. L. Morales, J. Nocedal (2011), Remark on Algorithm 778, ACM TOMS 38, 7:1–7:4.
//   - [More1994] J. J. Moré, D. J. Thuente (1994), Line search algorithms with guaranteed sufficient decrease,
//     ACM TOMS 20, 286–307.
package maximize
