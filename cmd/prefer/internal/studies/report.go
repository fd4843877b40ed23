package studies

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/report"
)

type Report struct {
	cli.StudyFlags
	raterFlag
	Out   string `help:"Page to write; - for standard output." default:"report.html" placeholder:"FILE"`
	Title string `help:"Title of the page. Defaults to the study's name." placeholder:"TEXT"`
	Media string `help:"Folder with the files of the items. Default: next to the SQLite file." placeholder:"FOLDER"`
	cli.ForceFlag
}

func (c Report) Run(ctx context.Context, s cli.Streams) error {
	if c.Out != "-" {
		if err := c.Check("--out", c.Out); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	o := report.Options{Title: c.Title, Rater: c.Rater, Version: cli.ThisBuild().Name()}
	p := cli.NewProgress(s.Err, "report", time.Now)
	o.Progress = p.Count("steps")
	err := c.WithStore(ctx, func(k cli.StudyStore) error {
		o.Title = cmp.Or(o.Title, k.Name)
		o.Media = func(name string) ([]byte, error) { return c.picture(k.Name, name) }
		return cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error {
			return room.With(ctx, k.Name, func(open *live.Study) (err error) {
				text.Reset()
				o.Procedure, o.Budget = open.MethodsText(), open.Budget()
				if o.Checks, err = live.CheckedIn(k.Store)(ctx, k.Name, open.Study); err != nil {
					return err
				}
				if o.Draw, err = page.DrawnIn(k.Store)(ctx, k.Name, open.Study); err != nil {
					return err
				}
				return report.Write(ctx, &text, open.Study, o)
			})
		})
	})
	p.End()
	switch {
	case errcode.Of(err) == "shared":
		return cli.WrapFlagError(fmt.Errorf("--rater %q: the raters of this study share one taste, and the report is about that; leave --rater out", c.Rater), "--rater", c.Rater)
	case err != nil:
		return err
	case c.Out == "-":
		_, err := s.Out.Write(text.Bytes())
		return err
	}
	if err := c.WriteBytes("--out", c.Out, text.Bytes()); err != nil {
		return err
	}
	return s.Line(map[string]string{"file": c.Out}, c.Out)
}

// picture reads the file of an item: from --media, or beside the study's file as its server does, or relative to that file or this folder.
func (c Report) picture(study, name string) ([]byte, error) {
	if c.Media != "" {
		files := media.Files{Uploads: c.Media, Folders: map[string]string{study: c.Media}}
		return files.Read(study, name)
	}
	data, err := os.ReadFile(name)
	if c.Store != "" {
		return data, err
	}
	if data, err := cli.FilesBeside(c.Path, study).Read(study, name); err == nil {
		return data, nil
	}
	if err != nil && !filepath.IsAbs(name) {
		return os.ReadFile(filepath.Join(filepath.Dir(c.Path), name))
	}
	return data, err
}
