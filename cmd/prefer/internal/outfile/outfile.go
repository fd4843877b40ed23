// Package outfile writes output files atomically. It never overwrites a store, and a file that prefer did not create only
// with --force.
package outfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Refusal is a path that nothing is written to.
type Refusal struct{ Path, Why string }

func (r *Refusal) Error() string { return fmt.Sprintf("%q %s", r.Path, r.Why) }

// Check says before long work whether Write would refuse a path. With force another's file may be replaced, a store never.
func Check(path string, force bool) error {
	_, _, err := look(path, force)
	return err
}

// Write writes a file beside the old one, which it replaces when it is whole and on the disk. A pipe or a device is written to as it is.
func Write(path string, force bool, write func(io.Writer) error) error {
	path, stream, err := look(path, force)
	if err != nil {
		return err
	}
	if stream {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	half := filepath.Join(filepath.Dir(path), ".prefer-"+rand.Text()[:12])
	f, err := os.OpenFile(half, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%q is in a folder that is not there: %w", path, fs.ErrNotExist)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("cannot create %q in its folder: %w", path, fs.ErrPermission)
	case err != nil:
		return err
	}
	w := bufio.NewWriter(f)
	err = write(w)
	if err == nil {
		err = errors.Join(w.Flush(), f.Sync())
	}
	if info, lost := os.Stat(path); lost == nil && err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half))
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil { // a user who may write to a folder need not be able to read it
		_ = d.Sync() // the new name is on the disk, too, where folders can be synced
		return d.Close()
	}
	return nil
}

// look follows a path to its file, and says whether that is a pipe or a device, or why nothing may be written there.
func look(path string, force bool) (file string, stream bool, err error) {
	switch {
	case path == "":
		return "", false, &Refusal{path, "names no file"}
	case path == "-":
		return "", false, &Refusal{path, "is no file here; ./- is one of that name"}
	}
	file, err = follow(path)
	if err != nil {
		return "", false, err
	}
	if err := CheckStore(file); err != nil {
		return "", false, &Refusal{path, err.(*Refusal).Why}
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if os.IsPathSeparator(path[len(path)-1]) {
			return "", false, &Refusal{path, "names a folder, want a file in it"}
		}
		return file, false, nil
	case err != nil:
		return "", false, err
	case info.IsDir():
		return "", false, &Refusal{path, "is a folder, want a file in it"}
	case !info.Mode().IsRegular():
		return file, true, nil
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0) // to rename over it takes no right to it
	if err != nil {
		return "", false, err
	}
	f.Close()
	if force || info.Size() == 0 {
		return file, false, nil
	}
	head, err := Beginning(file)
	if err == nil && !regexp.MustCompile(marks).Match(head) {
		err = &Refusal{path, "is there and prefer did not write it: want another name, or --force"}
	}
	return file, false, err
}

// follow goes after symbolic links, also those to files that are not there yet: a link stays a link.
func follow(path string) (string, error) {
	for range 40 { // as many as Linux follows
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", &Refusal{path, "is a link that leads back to itself"}
}

// heads are how the files of a SQLite database begin (https://www.sqlite.org/fileformat.html §1.3, §4.1 and §3); shared memory has no such mark.
var heads = []string{"SQLite format 3\x00", "\x37\x7f\x06\x82", "\x37\x7f\x06\x83", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"}

// CheckStore refuses a file that is a SQLite database, or has or would have the name of what belongs to one.
func CheckStore(path string) error {
	path, err := follow(path)
	if err != nil {
		return err
	}
	if begins(path, heads...) {
		return &Refusal{path, "holds studies: want another file"}
	}
	return CheckBeside(path)
}

// CheckBeside refuses a file that has or would have the name of what belongs to a SQLite database.
func CheckBeside(path string) error {
	path, err := follow(path)
	if err != nil {
		return err
	}
	for _, beside := range []string{"-wal", "-shm", "-journal"} {
		if name, ok := strings.CutSuffix(path, beside); ok {
			if name, err = follow(name); err == nil && begins(name, heads[0]) {
				return &Refusal{path, "belongs to a file that holds studies: want another file"}
			}
		}
	}
	return nil
}

// begins reports whether a file can be read and begins with one of these. Closing it drops SQLite's locks of this process, but the write is refused then.
func begins(path string, with ...string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // to look into a pipe would wait for it
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head)
	return slices.ContainsFunc(with, func(w string) bool { return strings.HasPrefix(string(head[:n]), w) })
}

// Comment marks SVG and Markdown files as made by prefer, Generator HTML files.
const (
	Comment   = "<!-- made by prefer -->"
	Generator = `<meta name="generator" content="prefer"`
)

// marks are how files begin that prefer makes, one for each sort: other files may speak of such marks, but not begin so.
const marks = `(?s)\A(?:` +
	`\{\s*"format":\s*"prefer\.log"` + // a log, in lines or as one value
	`|\{\s*"study":\s*"[^\n]{0,1000}",\s*"config_sha256"` + // results
	`|study,rater,session,seq,time,question_id,|study,rater,[^\n]*,utility,sd,confidence,beats,|study,[^\n]*people,[^\n]*,score,utility,sd,|study,rater_a,rater_b,` +
	`|<!DOCTYPE html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8"(?: /)?>\s*` + Generator + // reports
	`|(?:<\?xml[^>]*>\s*)?` + Comment +
	`|\{"problem":"[^"\n]*","noise":[^,\n]*,"method":|problem,noise,setup,method,(?:iter|other_setup),` + // experiments
	`|\{"[0-9]+":\[\{"initial_pairs":|\{"taste":[0-9]+,"space":` +
	`)`

// Beginning reads the first 64 KB of a file, which is longer than any header.
func Beginning(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 64<<10))
}
