package studies

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/live"
)

type Delete struct {
	cli.StudyFlags
	Media string `help:"Folder of uploads, if the server of the study had one of its own; by default beside the SQLite file." placeholder:"FOLDER"`
	Yes   bool   `help:"Do it without asking." env:"-"`
}

func (c Delete) Run(ctx context.Context, s cli.Streams) error {
	return c.WithStore(ctx, func(k cli.StudyStore) error {
		if !c.Yes {
			if err := s.Confirm(fmt.Sprintf("Delete study %q of %s with all its answers", k.Name, k.Place)); err != nil {
				return err
			}
		}
		err := cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error { return room.Delete(ctx, k.Name) })
		if err != nil {
			return err
		}
		uploads := &media.Files{Uploads: c.Media} // the folder that a study was made of stays
		if c.Media == "" && c.Store == "" {
			uploads = cli.FilesBeside(c.Path, k.Name)
		}
		if err := uploads.Remove(k.Name); err != nil {
			return fmt.Errorf("study %q is deleted, its uploads are left: %w", k.Name, err)
		}
		return s.Notify(map[string]string{"study": k.Name}, "deleted study %q\n", k.Name)
	})
}
