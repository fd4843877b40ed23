package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store"
)

// defaultStore is the file of studies that "prefer serve" alone keeps, in the working folder.
const defaultStore = "studies.db"

// source is what a command line names: where studies are kept, and a study to make if it is not there.
type source struct {
	store, media, study, folder string
	beside                      bool   // the folder has the name of the file: it is the study's if that is there
	file                        string // the study file to make one of; empty: nothing to make, or of a folder
}

func (c Serve) resolve() (source, error) {
	var from source
	if c.What != "" {
		info, err := os.Stat(c.What)
		if errors.Is(err, fs.ErrNotExist) && isStoreName(c.What) {
			info, err = nil, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return from, cli.Usagef("there is no %s, want a SQLite file, a study in JSON or a folder; \"prefer init\" makes a study", c.What)
		}
		if err != nil {
			return from, err
		}
		full, err := filepath.Abs(c.What)
		if err != nil {
			return from, err
		}
		from.study = strings.TrimSuffix(filepath.Base(full), filepath.Ext(full))
		from.store = filepath.Join(filepath.Dir(full), from.study+".db")
		switch {
		case info != nil && info.IsDir():
			from.study, from.folder = filepath.Base(full), full
			from.store = full + ".db"
		case strings.EqualFold(filepath.Ext(full), ".json"):
			from.file = full
		case c.Store != "":
			return from, cli.Usagef("%s and --store %s are two places, want one", c.What, c.Store)
		default:
			from.store = full
			if beside, err := os.Stat(strings.TrimSuffix(full, filepath.Ext(full))); err == nil && beside.IsDir() {
				from.folder, from.beside = strings.TrimSuffix(full, filepath.Ext(full)), true
			}
		}
	}
	from.store = cmp.Or(c.Store, from.store, defaultStore)
	from.media = c.Media
	if from.media == "" && !strings.Contains(from.store, "://") {
		from.media = cli.FilesBeside(from.store, "").Uploads
	}
	return from, nil
}

// isStoreName reports whether a file that is not there is one of studies to make: by its ending, in a folder that there is.
func isStoreName(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".db", ".sqlite", ".sqlite3":
		info, err := os.Stat(filepath.Dir(name))
		return err == nil && info.IsDir()
	}
	return false
}

// create makes the study unless it is there. Of a folder it says what is in it.
func (f source) create(ctx context.Context, s cli.Streams, st *store.Store, srv *server.Server) (made bool, err error) {
	if f.beside {
		if _, err := st.Study(ctx, f.study); err != nil {
			return false, nil // whatever is wrong with it, the others can be served
		}
	}
	if f.folder != "" {
		found, made, err := srv.OpenFolder(ctx, f.study)
		if err == nil {
			s.JSON = false // these streams are for people
			s.ReportFolder(f.folder, found)
		}
		return made, err
	}
	if f.file == "" {
		return false, nil
	}
	if _, err := st.Study(ctx, f.study); !errors.Is(err, store.ErrNoStudy) {
		return false, err
	}
	var settings live.Settings
	cfg, err := cli.ReadConfig(f.file, nil, &settings)
	if err != nil {
		return false, err
	}
	return true, srv.Create(ctx, f.study, cfg, settings)
}
