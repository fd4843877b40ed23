package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/space"
)

// readItems reads a list of items, and of a folder what else is in it. Those of a folder are described by their pixels, if that is wanted.
func readItems(ctx context.Context, path string, pixels bool) (space space.Space, folder exchange.Folder, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if folder, err = exchange.ReadFolder(path); err != nil {
			return space, folder, err
		}
		space, err = folder.Space(ctx, path, pixels)
		return space, folder, err
	}
	space.Items, err = exchange.ReadItems(path)
	return space, folder, err
}

// leftOut is what of a folder is not in a study, as programs get it.
type leftOut struct {
	Unreadable []exchange.Unreadable `json:"unreadable,omitempty"`
	Ignored    []string              `json:"ignored,omitempty"`
}

// found tells people what there is in a folder, and returns what programs are told.
func (s streams) found(path string, f exchange.Folder) leftOut {
	if len(f.Items) > 0 && !s.json {
		fmt.Fprintf(s.err, "%s: %s\n", path, printable(f.String()))
	}
	return leftOut{f.Unreadable, f.Ignored}
}

// filesBeside returns where the files of a study of a SQLite file lie: uploads in one folder beside it, those that it was made of in another.
func filesBeside(file, study string) *media.Files {
	stem := strings.TrimSuffix(file, filepath.Ext(file))
	return &media.Files{Uploads: stem + ".media", Folders: map[string]string{study: stem}}
}
