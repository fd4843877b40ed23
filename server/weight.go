package server

import "github.com/prefer-bo/prefer"

// What a study in use takes up, as BenchmarkStudyMemory measured it: the log, and the posteriors that a study
// keeps, each with two n×n matrices up to a thousand answers and two of n×200 beyond.
const (
	perAnswer  = 3 << 10
	perStudy   = 64 << 10
	posteriors = 8  // of a study that people share
	ofRaters   = 64 // of one in which everybody has a utility of her own
	dense      = 1000
	inducing   = 200
)

// weight estimates how many bytes of memory a study takes up.
func (r *running) weight() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	most, kept := r.book.standing, posteriors
	if r.cfg.People == prefer.PerRater {
		most, kept = 0, ofRaters
		for _, said := range r.book.said {
			most = max(most, len(said))
		}
	}
	columns := most
	if most > dense {
		columns = inducing
	}
	return perStudy + int64(r.book.standing)*perAnswer + int64(kept)*2*8*int64(most)*int64(columns)
}
