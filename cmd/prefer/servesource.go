package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store"
)

// defaultStore is the file of studies that "prefer serve" alone keeps, in the working folder.
const defaultStore = "studies.db"

// source is what a command line names: where studies are kept, and a study to make if it is not there.
type source struct {
	store, media, study, folder string
	config                      func() (prefer.Config, error) // nil: nothing to make
}

func (c serveCommand) resolve() (source, error) {
	var from source
	if c.What != "" {
		info, err := os.Stat(c.What)
		if errors.Is(err, fs.ErrNotExist) {
			return from, usage("there is no %s, want a SQLite file, a study in JSON or a folder; \"prefer init\" makes a study", c.What)
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
		case info.IsDir():
			from.study, from.folder = filepath.Base(full), full
			from.store = full + ".db"
			from.config = func() (cfg prefer.Config, err error) {
				cfg.Space, err = readItems(context.Background(), full, c.Pixels)
				return cfg, err
			}
		case strings.EqualFold(filepath.Ext(full), ".json"):
			from.config = func() (prefer.Config, error) { return readConfig(full, nil) }
		case c.Store != "":
			return from, usage("%s and --store %s are two places, want one", c.What, c.Store)
		default:
			from.store = full
		}
	}
	from.store = cmp.Or(c.Store, from.store, defaultStore)
	from.media = c.Media
	if from.media == "" && !strings.Contains(from.store, "://") {
		from.media = strings.TrimSuffix(from.store, filepath.Ext(from.store)) + ".media"
	}
	return from, nil
}

// create makes the study unless it is there.
func (f source) create(ctx context.Context, st *store.Store, srv *server.Server) (made bool, err error) {
	if _, err := st.Study(ctx, f.study); !errors.Is(err, store.ErrNoStudy) {
		return false, err
	}
	cfg, err := f.config()
	if err != nil {
		return false, err
	}
	return true, srv.Create(ctx, f.study, cfg, server.Settings{})
}
