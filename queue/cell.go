package queue

import (
	"fmt"

	"github.com/prefer-bo/prefer/bench"
	"github.com/riverqueue/river"
)

// cell is a cell as a job: all that a worker must know.
type cell struct {
	// Key spells out everything the rows depend on. It makes the job unique.
	Key       string      `json:"key" river:"unique"`
	Problem   string      `json:"problem"`
	Noise     float64     `json:"noise"`
	Method    string      `json:"method"`
	Seed      uint64      `json:"seed"`
	Setup     bench.Setup `json:"setup"`
	Questions int         `json:"questions"`
	Early     bool        `json:"early,omitempty"`
	Design    string      `json:"design,omitempty"` // SHA-256 of a design file
}

// newCell returns the job of a cell under a runner. design is the hash of the runner's designs, if it has any.
func newCell(r *bench.Runner, c bench.Cell, design string) cell {
	out := cell{Problem: c.Problem, Noise: c.Noise, Method: c.Method, Seed: c.Seed, Setup: r.Setup, Questions: r.Questions, Early: r.Early, Design: design}
	out.Key = out.key()
	return out
}

// key is a function of what the rows depend on. The setup comes in by its name, in which the ways to write the
// same choice are one.
func (c cell) key() string {
	text := fmt.Sprintf("%v, %s, %d questions", c.cell(), c.Setup.Name(), c.Questions)
	if c.Early {
		text += ", early rows"
	}
	if c.Design != "" {
		text += ", design " + c.Design
	}
	return text
}

func (c cell) cell() bench.Cell {
	return bench.Cell{Problem: c.Problem, Noise: c.Noise, Method: c.Method, Seed: c.Seed}
}

// check refuses a job that another version of this program has written in terms this one does not know: it
// would run another cell under the same name.
func (c cell) check() error {
	if key := c.key(); key != c.Key {
		return fmt.Errorf("queue: the job is %q and reads as %q here: it comes from another version of prefer; use the same on all machines", c.Key, key)
	}
	return nil
}

// Kind names the kind of job.
func (cell) Kind() string { return "cell" }

// InsertOpts are River's question.
func (cell) InsertOpts() river.InsertOpts { return unique(priorityCell) }
