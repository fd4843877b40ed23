package main

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/live"
)

type deleteCommand struct {
	studyFlags
	Media string `help:"Folder of uploads, if the server of the study had one of its own; by default beside the SQLite file." placeholder:"FOLDER"`
	Yes   bool   `help:"Do it without asking." env:"-"`
}

func (c deleteCommand) Run(ctx context.Context, s streams) error {
	return c.with(ctx, func(k studyStore) error {
		if !c.Yes {
			if err := s.confirm(fmt.Sprintf("Delete study %q of %s with all its answers", k.name, k.place)); err != nil {
				return err
			}
		}
		err := inRoom(ctx, s, k.Store, func(room *live.Studies) error { return room.Delete(ctx, k.name) })
		if err != nil {
			return err
		}
		if err := c.uploads(k.name).Remove(k.name); err != nil {
			return fmt.Errorf("study %q is deleted, its uploads are left: %w", k.name, err)
		}
		return s.talk(map[string]string{"study": k.name}, "deleted study %q\n", k.name)
	})
}

// uploads are the files that were brought to the server of a study, and belong to it. The folder that a study was made of does not.
func (c deleteCommand) uploads(study string) *media.Files {
	if c.Media == "" && c.Store == "" {
		return filesBeside(c.Path, study)
	}
	return &media.Files{Uploads: c.Media}
}
