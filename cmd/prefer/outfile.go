package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// replaceFile writes a file whole or not at all, and never over a study: what is said of a study must not cost one. A pipe or a
// device is written to as it is.
func replaceFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if holdsStudies(path) {
		return flagError("--out", path, "which holds studies: want another file")
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = write(w)
	err = errors.Join(err, w.Flush(), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// holdsStudies reports whether a file is a SQLite database, or what belongs to one.
func holdsStudies(path string) bool {
	for _, beside := range []string{"", "-wal", "-shm", "-journal"} {
		name, ok := strings.CutSuffix(path, beside)
		if !ok {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		head := make([]byte, 16) // "SQLite format 3\0", https://www.sqlite.org/fileformat.html §1.3
		_, err = io.ReadFull(f, head)
		f.Close()
		if err == nil && bytes.Equal(head, []byte("SQLite format 3\x00")) {
			return true
		}
	}
	return false
}
