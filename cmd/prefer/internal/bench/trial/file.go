package trial

import (
	"io"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

// Row is a study that was played, a line of a file.
type Row[K comparable] = bench.Keyed[K]

// File keeps rows of a kind, and knows those that were played before.
type File[K comparable, R Row[K]] = bench.RowFile[K, R]

// OpenFile opens a file of rows, or creates it. An empty path keeps them in memory.
func OpenFile[K comparable, R Row[K]](path string) (*File[K, R], error) {
	return bench.OpenRows[K, R](path)
}

// ReadRows reads rows, one line of JSON each. check returns what a row lacks.
func ReadRows[R any](r io.Reader, check func(R) error) ([]R, error) {
	return bench.ReadChecked(r, check)
}
