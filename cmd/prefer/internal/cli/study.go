// Package cli is what the commands of prefer share: flags, streams, errors with their exit codes, and ways to open a study.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// StudyFlags say which study is meant, and whether a program reads the answer.
type StudyFlags struct {
	Path  string `arg:"" name:"study" help:"The study: a SQLite file, or a name in --store." completion:"file"`
	Store string `help:"Database of the study instead of a file: postgres://…" placeholder:"URL"`
	Study string `help:"Name of the study. Default: the file's." placeholder:"NAME"`
}

// StudyStore is an open store, and the study in it that is meant.
type StudyStore struct {
	*sqlstore.Store
	Name  string
	Place string // the store, in words
}

// address returns where the store is, and the name of a study that is made there.
func (f StudyFlags) address() (address, name string, err error) {
	if f.Store != "" {
		if !strings.Contains(f.Store, "://") {
			return "", "", FlagError("--store", f.Store, "want postgres://…; a file is named in place of the study, as in \"prefer ask coffee.db\"")
		}
		if f.Study != "" && f.Study != f.Path {
			return "", "", Usagef("study %q and --study %q: with --store the study is named once", f.Path, f.Study)
		}
		return f.Store, f.Path, nil
	}
	if strings.Contains(f.Path, "://") {
		return "", "", Usagef("study %q looks like the address of a database, want --store %s and the name of the study", f.Path, f.Path)
	}
	if address, err = filepath.Abs(f.Path); err != nil { // absolute: never taken for a file: URL
		return "", "", err
	}
	return address, cmp.Or(f.Study, strings.TrimSuffix(filepath.Base(address), filepath.Ext(address))), nil
}

// CheckFile reports a file that is not there, so that a typing mistake creates no new one.
func (f StudyFlags) CheckFile() error {
	if f.Store != "" || strings.Contains(f.Path, "://") {
		return nil
	}
	if _, err := os.Stat(f.Path); errors.Is(err, fs.ErrNotExist) {
		return NotFoundf("there is no %s; make the study first, for example: prefer init %s --param sugar=0..5 --param milk=0..1", f.Path, Quote(f.Path))
	}
	return nil
}

// Find returns the name of the study: the given one or, unless it must be that one, the only one that is there.
func (k StudyStore) Find(ctx context.Context, named bool) (string, error) {
	list, err := k.List(ctx)
	if err != nil {
		return "", err
	}
	names := xslices.Map(list, func(info store.Info) string { return info.Name })
	switch where := k.Place; {
	case slices.Contains(names, k.Name):
		return k.Name, nil
	case len(names) == 0:
		return "", NotFoundf("%s holds no study yet; make one with \"prefer init\"", where)
	case named:
		return "", NotFoundf("%s holds no study %q, only %s", where, k.Name, exchange.FirstOf(names, 8))
	case len(names) > 1:
		return "", Usagef("%s holds %d studies, %s: choose one with --study", where, len(names), exchange.FirstOf(names, 8))
	}
	return names[0], nil
}

// WithNewStore runs do on the store of a study that may not be there yet.
func (f StudyFlags) WithNewStore(ctx context.Context, do func(StudyStore) error) error {
	address, name, err := f.address()
	if err != nil {
		return err
	}
	st, err := sqlstore.Open(ctx, address, sqlstore.Options{})
	if err != nil {
		return err
	}
	k := StudyStore{Store: st, Name: name, Place: "the store"} // its address may hold a password
	if f.Store == "" {
		k.Place = f.Path
	}
	return errors.Join(do(k), st.Close())
}

// WithStore runs do on the store of a study that is there.
func (f StudyFlags) WithStore(ctx context.Context, do func(StudyStore) error) error {
	if err := f.CheckFile(); err != nil {
		return err
	}
	return f.WithNewStore(ctx, func(k StudyStore) (err error) {
		if k.Name, err = k.Find(ctx, f.Study != "" || f.Store != ""); err != nil {
			return err
		}
		return do(k)
	})
}

// WithLive runs do with live studies and the name of the one that is meant.
func (f StudyFlags) WithLive(ctx context.Context, s Streams, do func(room *live.Studies, name string) error) error {
	return f.WithStore(ctx, func(k StudyStore) error {
		return RunLive(ctx, s, k.Store, func(room *live.Studies) error { return do(room, k.Name) })
	})
}

// WithLiveStudy runs do on the live study.
func (f StudyFlags) WithLiveStudy(ctx context.Context, s Streams, do func(*live.Study) error) error {
	return f.WithLive(ctx, s, func(room *live.Studies, name string) error { return room.With(ctx, name, do) })
}

// RunLive runs do on live studies without time limits and background work. A nil store is in memory.
func RunLive(ctx context.Context, s Streams, st store.Store, do func(*live.Studies) error) error {
	logger := slog.New(slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	room, err := live.New(live.Config{Store: st, Budget: -1, Workers: -1, Logger: logger})
	if err != nil {
		return err
	}
	return errors.Join(do(room), room.Close(context.WithoutCancel(ctx)))
}

// Args name the study on a command line, for advice.
func (f StudyFlags) Args() string {
	if f.Study == "" {
		return Quote(f.Path) // --store is in PREFER_STORE, or in the shell's history: it may hold a password
	}
	return Quote(f.Path) + " --study " + Quote(f.Study)
}

var plainWord = regexp.MustCompile(`^[a-zA-Z0-9._\-/+:@%,=\x{80}-\x{10FFFF}]+$`)

// Quote writes a word as a shell reads it.
func Quote(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// ReadItems reads a list of items, and of a folder what else is in it.
func ReadItems(path string) (space space.Space, folder exchange.Folder, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder, err = exchange.ReadFolder(path)
		space.Items = folder.Items
		return space, folder, err
	}
	space.Items, err = exchange.ReadItems(path)
	return space, folder, err
}

// Omitted is what of a folder is not in a study, as programs get it.
type Omitted struct {
	Unreadable []exchange.Unreadable `json:"unreadable,omitempty"`
	Ignored    []string              `json:"ignored,omitempty"`
}

// ReportFolder tells people what there is in a folder, and returns what programs are told.
func (s Streams) ReportFolder(path string, f exchange.Folder) Omitted {
	if len(f.Items) > 0 && !s.JSON {
		fmt.Fprintf(s.Err, "%s: %s\n", path, Printable(f.String()))
	}
	return Omitted{f.Unreadable, f.Ignored}
}

// FilesBeside returns where the files of a study of a SQLite file lie: uploads in one folder beside it, those that it was made of in another.
func FilesBeside(file, study string) *media.Files {
	stem := strings.TrimSuffix(file, filepath.Ext(file))
	return &media.Files{Uploads: stem + ".media", Folders: map[string]string{study: stem}}
}

// ReadConfig reads a study file, or the standard input for "-", and the settings that stand in it beside the study, over those that settings has.
func ReadConfig(path string, stdin io.Reader, settings *live.Settings) (prefer.Config, error) {
	name := path
	if path == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(path)
		if err != nil {
			return prefer.Config{}, err
		}
		defer f.Close()
		stdin = f
	}
	cfg, fields, err := exchange.ReadStudyFile(stdin)
	if err != nil {
		return cfg, fmt.Errorf("%s: %w", name, err)
	}
	if refused, ok := errors.AsType[*live.Error](settings.Read(fields)); ok {
		return cfg, Failure{Kind: "usage", Message: fmt.Sprintf("%s: %s: %s", name, refused.Field, refused.Detail), Field: refused.Field, Code: ExitUsage}
	}
	return cfg, nil
}
