package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// ReadItems reads a list of items, and of a folder what else is in it. Those of a folder are described by their pixels, if that is wanted.
func ReadItems(ctx context.Context, path string, pixels bool) (space space.Space, folder exchange.Folder, err error) {
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

// Omitted is what of a folder is not in a study, as programs get it.
type Omitted struct {
	Unreadable []exchange.Unreadable `json:"unreadable,omitempty"`
	Ignored    []string              `json:"ignored,omitempty"`
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
