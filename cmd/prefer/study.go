package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// studyFlags say which study is meant, and whether a program reads the answer.
type studyFlags struct {
	Path  string `arg:"" name:"study" help:"The study: a SQLite file, or its name in --store." completion:"file"`
	Store string `help:"Database the study is in, in place of a file: postgres://…" placeholder:"URL"`
	Study string `help:"Name of the study, if it is not the file's." placeholder:"NAME"`
	JSON  bool   `help:"One JSON value on the standard output, and nothing else there."`
}

// raterFlag says who answers.
type raterFlag struct {
	Rater string `help:"Who answers. A study with one person needs no name." placeholder:"NAME"`
}

// kept is a study in an open store.
type kept struct {
	*store.Store
	name string
	file string // as the person wrote it; empty for a database
}

// address returns where the store is, and the name of a study that is made there.
func (f studyFlags) address() (address, name string, err error) {
	if f.Store != "" {
		if !strings.Contains(f.Store, "://") {
			return "", "", usageError{fmt.Errorf("--store %q, want postgres://…; a file is named in place of the study, as in \"prefer ask coffee.db\"", f.Store)}
		}
		if f.Study != "" && f.Study != f.Path {
			return "", "", usageError{fmt.Errorf("study %q and --study %q: with --store the study is named once", f.Path, f.Study)}
		}
		return f.Store, f.Path, nil
	}
	if strings.Contains(f.Path, "://") {
		return "", "", usageError{fmt.Errorf("study %q looks like the address of a database, want --store %s and the name of the study", f.Path, f.Path)}
	}
	if address, err = filepath.Abs(f.Path); err != nil { // absolute: never taken for a file: URL
		return "", "", err
	}
	if f.Study != "" {
		return address, f.Study, nil
	}
	base := filepath.Base(address)
	return address, strings.TrimSuffix(base, filepath.Ext(base)), nil
}

// create opens the store for a study that may not be there yet.
func (f studyFlags) create(ctx context.Context) (kept, error) {
	address, name, err := f.address()
	if err != nil {
		return kept{}, err
	}
	s, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		return kept{}, err
	}
	k := kept{Store: s, name: name}
	if f.Store == "" {
		k.file = f.Path
	}
	return k, nil
}

// there reports a file that is not, so that a slip of the pen makes no new one.
func (f studyFlags) there() error {
	if f.Store != "" || strings.Contains(f.Path, "://") {
		return nil
	}
	if _, err := os.Stat(f.Path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no %s; make the study first, for example: prefer init %s --param sugar=0..5 --param milk=0..1", f.Path, quoted(f.Path))
	}
	return nil
}

// open opens the store of a study that is there.
func (f studyFlags) open(ctx context.Context) (kept, error) {
	if err := f.there(); err != nil {
		return kept{}, err
	}
	k, err := f.create(ctx)
	if err != nil {
		return kept{}, err
	}
	if k.name, err = k.find(ctx, f.Study != "" || f.Store != ""); err != nil {
		return kept{}, errors.Join(err, k.Close())
	}
	return k, nil
}

// find returns the name of the study that is meant: the one with the name asked for or, if that is only the
// file's, the one that is there.
func (k kept) find(ctx context.Context, exact bool) (string, error) {
	list, err := k.List(ctx)
	if err != nil {
		return "", err
	}
	var names []string
	for _, info := range list {
		names = append(names, info.Name)
	}
	switch where := k.where(); {
	case slices.Contains(names, k.name):
		return k.name, nil
	case len(names) == 0:
		return "", fmt.Errorf("%s holds no study yet; make one with \"prefer init\"", where)
	case exact:
		return "", fmt.Errorf("%s holds no study %q, only %s", where, k.name, some(names))
	case len(names) > 1:
		return "", usageError{fmt.Errorf("%s holds %d studies, %s: say which with --study", where, len(names), some(names))}
	}
	return names[0], nil
}

// where names the store without what an address may have of passwords.
func (k kept) where() string {
	if k.file != "" {
		return k.file
	}
	return "the store"
}

// some lists names, the first of many.
func some(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// with runs do on the store of the study.
func (f studyFlags) with(ctx context.Context, do func(kept) error) error {
	k, err := f.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(k), k.Close())
}

// update runs do on the study, again if another process was first. What do prints comes last in it: what was
// kept is said even if the store fails after.
func (f studyFlags) update(ctx context.Context, do func(*prefer.Study) error) error {
	return f.with(ctx, func(k kept) error { return k.Update(ctx, k.name, do) })
}

// again is how the study is named on a command line, for advice.
func (f studyFlags) again() string {
	words := []string{quoted(f.Path)}
	if f.Study != "" {
		words = append(words, "--study", quoted(f.Study))
	}
	return strings.Join(words, " ") // --store is in PREFER_STORE, or in the shell's history: it may hold a password
}

// quoted writes a word as a shell reads it.
func quoted(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-/+:@%,=", r) || r > 127)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
