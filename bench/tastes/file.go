package tastes

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
	studies map[key]Study
	order   []key
}

// key names a study.
type key struct {
	taste
	rater, setup, method string
}

func (s Study) key() key { return key{s.taste, s.Rater, s.Setup, s.Method} }

// OpenFile opens a file of studies, or creates it. An empty path keeps them in memory.
func OpenFile(path string) (*File, error) {
	f := &File{studies: map[key]Study{}}
	if path == "" {
		return f, nil
	}
	var err error
	f.lines, err = bench.OpenLines(path, `{"seed":`, func(r io.Reader) error {
		all, err := Read(r)
		for _, s := range all {
			f.put(s)
		}
		return err
	})
	return f, err
}

// put remembers a study; one with more picks comes in place of an earlier one.
func (f *File) put(s Study) {
	k := s.key()
	old, known := f.studies[k]
	if !known {
		f.order = append(f.order, k)
	}
	if len(s.Picks) >= len(old.Picks) {
		f.studies[k] = s
	}
}

// Studies returns what is in the file, in the order in which it came.
func (f *File) Studies() []Study {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]Study, len(f.order))
	for i, k := range f.order {
		out[i] = f.studies[k]
	}
	return out
}

// has reports whether a study was played up to the last of these marks, and looked at at each.
func (f *File) has(k key, marks []int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.studies[k]
	return !slices.ContainsFunc(marks, func(m int) bool {
		_, looked := s.gap(m)
		return !looked
	})
}

// add keeps a study.
func (f *File) add(s Study) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lines != nil {
		if err := f.lines.Append(s); err != nil {
			return err
		}
	}
	f.put(s)
	return nil
}

// Close closes the file.
func (f *File) Close() error {
	if f.lines == nil {
		return nil
	}
	return f.lines.Close()
}
