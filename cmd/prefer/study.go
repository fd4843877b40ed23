package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/store"
)

// studyFlags say which study is meant, and whether a program reads the answer.
type studyFlags struct {
	Path  string `arg:"" name:"study" help:"The study: a SQLite file, or its name in --store." completion:"file"`
	Store string `help:"Database the study is in, in place of a file: postgres://…" placeholder:"URL"`
	Study string `help:"Name of the study, if it is not the file's." placeholder:"NAME"`
}

// raterFlag says who answers.
type raterFlag struct {
	Rater string `help:"Who answers. A study with one person needs no name." placeholder:"NAME"`
}

// fixedFlag says among which options something is looked for.
type fixedFlag struct {
	Fixed []string `help:"Among options with this value: the context, or what a parameter is to be. May be repeated." sep:"none" placeholder:"NAME=VALUE"`
}

// look reads what is to be looked at.
func (f fixedFlag) look(study *prefer.Study, rater string) (l prefer.Look, err error) {
	l.Rater = rater
	if len(f.Fixed) > 0 {
		l.Fixed, err = parseOption(study, "--fixed", f.Fixed, true)
	}
	return l, err
}

// fixedWords say the same on a command line, for advice.
func (f fixedFlag) fixedWords() (out string) {
	for _, text := range f.Fixed {
		out += " --fixed " + quote(text)
	}
	return out
}

// everywhere reports whether nothing is said about the contexts of a study that has some: then all of them are meant.
func (f fixedFlag) everywhere(study *prefer.Study) bool {
	return len(f.Fixed) == 0 && len(study.Config().Space.Contexts()) > 0
}

// raterWords names the rater on a command line, for advice.
func (f raterFlag) raterWords() string {
	if f.Rater == "" {
		return ""
	}
	return " --rater " + quote(f.Rater)
}

// known refuses a rater whom nobody knows, where there are others: the name may be misspelt.
func (f raterFlag) known(study *prefer.Study) error {
	seen := map[string]bool{}
	for _, e := range study.Events(0) {
		switch {
		case e.Asked != nil:
			seen[live.PersonOf(e.Asked.Rater)] = true
		case e.Observed != nil:
			seen[live.PersonOf(e.Observed.Duel.Rater)] = true
		}
	}
	if f.Rater == "" || seen[f.Rater] || len(seen) == 0 {
		return nil
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		names = append(names, printable(cmp.Or(name, "one without a name")))
	}
	return failure{Kind: "not_found", Message: fmt.Sprintf("rater %q was never asked and has not answered; the raters of this study: %s", f.Rater, listNames(names)), Field: "--rater", Value: f.Rater}
}

// studyStore is an open store, and the study in it that is meant.
type studyStore struct {
	*store.Store
	name  string
	place string // the store, in words
}

// address returns where the store is, and the name of a study that is made there.
func (f studyFlags) address() (address, name string, err error) {
	if f.Store != "" {
		if !strings.Contains(f.Store, "://") {
			return "", "", flagError("--store", f.Store, "want postgres://…; a file is named in place of the study, as in \"prefer ask coffee.db\"")
		}
		if f.Study != "" && f.Study != f.Path {
			return "", "", usage("study %q and --study %q: with --store the study is named once", f.Path, f.Study)
		}
		return f.Store, f.Path, nil
	}
	if strings.Contains(f.Path, "://") {
		return "", "", usage("study %q looks like the address of a database, want --store %s and the name of the study", f.Path, f.Path)
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

// checkFile reports a file that is not there, so that a slip of the pen makes no new one.
func (f studyFlags) checkFile() error {
	if f.Store != "" || strings.Contains(f.Path, "://") {
		return nil
	}
	if _, err := os.Stat(f.Path); errors.Is(err, fs.ErrNotExist) {
		return notFound("there is no %s; make the study first, for example: prefer init %s --param sugar=0..5 --param milk=0..1", f.Path, quote(f.Path))
	}
	return nil
}

// find returns the name of the study that is meant: the one with the name asked for or, if that is only the
// file's, the one that is there.
func (k studyStore) find(ctx context.Context, exact bool) (string, error) {
	list, err := k.List(ctx)
	if err != nil {
		return "", err
	}
	var names []string
	for _, info := range list {
		names = append(names, info.Name)
	}
	switch where := k.place; {
	case slices.Contains(names, k.name):
		return k.name, nil
	case len(names) == 0:
		return "", notFound("%s holds no study yet; make one with \"prefer init\"", where)
	case exact:
		return "", notFound("%s holds no study %q, only %s", where, k.name, listNames(names))
	case len(names) > 1:
		return "", usage("%s holds %d studies, %s: say which with --study", where, len(names), listNames(names))
	}
	return names[0], nil
}

// listNames lists names, the first of many.
func listNames(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// withStore runs do on the store of a study that may not be there yet.
func (f studyFlags) withStore(ctx context.Context, do func(studyStore) error) error {
	address, name, err := f.address()
	if err != nil {
		return err
	}
	st, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		return err
	}
	k := studyStore{Store: st, name: name, place: "the store"} // its address may hold a password
	if f.Store == "" {
		k.place = f.Path
	}
	return errors.Join(do(k), st.Close())
}

// with runs do on the store of a study that is there.
func (f studyFlags) with(ctx context.Context, do func(studyStore) error) error {
	if err := f.checkFile(); err != nil {
		return err
	}
	return f.withStore(ctx, func(k studyStore) (err error) {
		if k.name, err = k.find(ctx, f.Study != "" || f.Store != ""); err != nil {
			return err
		}
		return do(k)
	})
}

// withRoom runs do with the study open in a room, where questions are asked and answered.
func (f studyFlags) withRoom(ctx context.Context, s streams, do func(room *live.Studies, name string) error) error {
	return f.with(ctx, func(k studyStore) error {
		return inRoom(ctx, s, k.Store, func(room *live.Studies) error { return do(room, k.name) })
	})
}

// withStudy runs do on the study as it is open in a room.
func (f studyFlags) withStudy(ctx context.Context, s streams, do func(*live.Study) error) error {
	return f.withRoom(ctx, s, func(room *live.Studies, name string) error { return room.With(ctx, name, do) })
}

// inRoom runs do in a room for one person: a search takes as long as it needs, and nothing is done that nobody waits for.
// A nil store is in memory.
func inRoom(ctx context.Context, s streams, st live.Store, do func(*live.Studies) error) error {
	logger := slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	room, err := live.New(live.Config{Store: st, Budget: -1, Workers: -1, Logger: logger})
	if err != nil {
		return err
	}
	return errors.Join(do(room), room.Close(context.WithoutCancel(ctx)))
}

// update runs do on the study, again if another process was first. What do prints comes last in it: what was
// kept is said even if the store fails after.
func (f studyFlags) update(ctx context.Context, do func(*prefer.Study) error) error {
	return f.with(ctx, func(k studyStore) error { return k.Update(ctx, k.name, do) })
}

// words name the study on a command line, for advice.
func (f studyFlags) words() string {
	out := []string{quote(f.Path)}
	if f.Study != "" {
		out = append(out, "--study", quote(f.Study))
	}
	return strings.Join(out, " ") // --store is in PREFER_STORE, or in the shell's history: it may hold a password
}

// quote writes a word as a shell reads it.
func quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-/+:@%,=", r) || r > 127)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
