package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/report"
	"github.com/prefer-bo/prefer/server/page"
	"github.com/prefer-bo/prefer/space"
)

type reportCommand struct {
	studyFlags
	raterFlag
	Out   string `help:"Page to write; - for the standard output." default:"report.html" placeholder:"FILE"`
	Title string `help:"Title of the page. Defaults to the study's name." placeholder:"TEXT"`
	Media string `help:"Folder with the files of the items; by default beside the SQLite file." placeholder:"FOLDER"`
	forceFlag
}

func (c reportCommand) Run(ctx context.Context, s streams) error {
	if c.Out != "-" {
		if err := c.check("--out", c.Out); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	o := report.Options{Title: c.Title, Rater: c.Rater, Version: thisBuild().name()}
	p := newProgress(s.err, "report", time.Now)
	o.Progress = func(done, steps int) {
		p.show(float64(done)/float64(steps), fmt.Sprintf("%d of %d steps", done, steps))
	}
	err := c.with(ctx, func(k studyStore) error {
		if o.Title == "" {
			o.Title = k.name
		}
		o.Media = func(name string) ([]byte, error) { return c.picture(k.name, name) }
		return inRoom(ctx, s, k.Store, func(room *live.Studies) error {
			return room.With(ctx, k.name, func(open *live.Study) (err error) {
				text.Reset()
				o.Conduct, o.Budget = open.Conduct(), open.Budget()
				if o.Checks, err = live.CheckedIn(k.Store)(ctx, k.name, open.Study); err != nil {
					return err
				}
				if o.Draw, err = page.DrawnIn(k.Store)(ctx, k.name, open.Study); err != nil {
					return err
				}
				return report.Write(ctx, &text, open.Study, o)
			})
		})
	})
	p.end()
	switch {
	case space.CodeOf(err) == "shared":
		return badFlag(fmt.Errorf("--rater %q: the raters of this study share one taste, and the report is about that; leave --rater out", c.Rater), "--rater", c.Rater)
	case err != nil:
		return err
	case c.Out == "-":
		_, err := s.out.Write(text.Bytes())
		return err
	}
	if err := c.write("--out", c.Out, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err }); err != nil {
		return err
	}
	return s.line(map[string]string{"file": c.Out}, c.Out)
}

// picture reads the file of an item as the server of the study does: from --media, the folder beside the study's file, or its uploads. Of a table
// of items the name is relative to the folder of the study, or to this one.
func (c reportCommand) picture(study, name string) ([]byte, error) {
	if c.Media != "" {
		files := media.Files{Uploads: c.Media, Folders: map[string]string{study: c.Media}}
		return files.Read(study, name)
	}
	data, err := os.ReadFile(name)
	if c.Store != "" {
		return data, err
	}
	if data, err := filesBeside(c.Path, study).Read(study, name); err == nil {
		return data, nil
	}
	if err != nil && !filepath.IsAbs(name) {
		return os.ReadFile(filepath.Join(filepath.Dir(c.Path), name))
	}
	return data, err
}
