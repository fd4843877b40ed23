// Package outfile writes the files that people name for what comes out: whole or not at all, never over a store, and over
// nothing that prefer did not make unless it is told to.
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
)

// Refusal is a path that nothing is written to.
type Refusal struct{ Path, Why string }

func (r *Refusal) Error() string { return fmt.Sprintf("%q %s", r.Path, r.Why) }

func refuse(path, why string) error { return &Refusal{path, why} }

// Check says whether Write would refuse a path: for before the work that takes long. With force another's file may be
// replaced, a store never.
func Check(path string, force bool) error {
	_, _, err := look(path, force)
	return err
}

// Write writes a file. It comes about beside the old one, which it replaces when it is whole and on the disk: a program that is
// killed, or a disk that is full, leaves the old one as it was. A pipe or a device is written to as it is.
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
		return fmt.Errorf("%q is in a folder that takes no new files from us: %w", path, fs.ErrPermission)
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
	return syncFolder(filepath.Dir(path))
}

// syncFolder has the new name on the disk, too, where folders can be synced.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return nil // who may write to a folder need not be able to read it
	}
	_ = d.Sync()
	return d.Close()
}

// look follows a path to the file it names, and says whether that is a pipe or a device, or why nothing may be written there.
func look(path string, force bool) (file string, stream bool, err error) {
	switch {
	case path == "":
		return "", false, refuse(path, "names no file")
	case path == "-":
		return "", false, refuse(path, "is no file here; ./- is one of that name")
	}
	file, err = follow(path)
	if err != nil {
		return "", false, err
	}
	if err := CheckStore(file); err != nil {
		return "", false, refuse(path, err.(*Refusal).Why)
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if os.IsPathSeparator(path[len(path)-1]) {
			return "", false, refuse(path, "names a folder, want a file in it")
		}
		return file, false, nil
	case err != nil:
		return "", false, err
	case info.IsDir():
		return "", false, refuse(path, "is a folder, want a file in it")
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
	ours, err := made(file)
	if err != nil {
		return "", false, err
	}
	if !ours {
		return "", false, refuse(path, "is there and prefer did not write it: want another name, or --force")
	}
	return file, false, nil
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
	return "", refuse(path, "is a link that leads back to itself")
}
