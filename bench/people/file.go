package people

import (
	"io"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/bench"
)

// File keeps studies, and knows those of before.
type File struct {
	lines   *bench.Lines // nil: kept in memory only
	mu      sync.Mutex
	studies []Study
}

// OpenFile opens a file of studies, or creates it. An empty path keeps them in memory.
func OpenFile(path string) (*File, error) {
	f := &File{}
	if path == "" {
		return f, nil
	}
	var err error
	f.lines, err = bench.OpenLines(path, `{"population":"`, func(r io.Reader) (err error) {
		f.studies, err = Read(r)
		return err
	})
	return f, err
}

// has reports whether there is a study that was looked at at these marks.
func (f *File) has(k key, marks []int) bool {
	return slices.ContainsFunc(f.Studies(), func(s Study) bool { return s.key == k && slices.Equal(s.marks(), marks) })
}

// Studies returns what is in the file, in the order in which it came.
func (f *File) Studies() []Study {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.studies)
}

// add keeps a study.
func (f *File) add(s Study) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.studies = append(f.studies, s)
	if f.lines == nil {
		return nil
	}
	return f.lines.Append(s)
}

// Close closes the file.
func (f *File) Close() error {
	if f.lines == nil {
		return nil
	}
	return f.lines.Close()
}
