package studies

import (
	"context"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store"
)

type List struct {
	Path  string `arg:"" optional:"" name:"file" help:"SQLite file." completion:"file"`
	Store string `help:"Database instead of a file: postgres://…" placeholder:"URL"`
}

type listed struct {
	store.Info
	Damage string `json:"damage,omitempty"` // in words
}

func (c List) Run(ctx context.Context, s cli.Streams) error {
	if c.Path != "" {
		c.Store = "" // PREFER_STORE is only the default
	}
	if c.Path == "" && c.Store == "" {
		return cli.Usagef("nothing to list, want a file or --store, as in \"prefer list coffee.db\"")
	}
	flags := cli.StudyFlags{Path: c.Path, Store: c.Store}
	if err := flags.CheckFile(); err != nil {
		return err
	}
	return flags.WithNewStore(ctx, func(k cli.StudyStore) error {
		list, err := k.List(ctx)
		if err != nil {
			return err
		}
		out := make([]listed, len(list))
		for i, in := range list {
			out[i].Info = in
			if in.Damage != nil {
				out[i].Damage = in.Damage.Error()
			}
		}
		return s.Result(out, func(w io.Writer) error { return cards{w: w}.print("list", out, nil) })
	})
}

type Forget struct {
	cli.StudyFlags
	Who    *string `arg:"" optional:"" name:"rater" help:"Rater whose questions and answers are erased."`
	Origin string  `help:"Instead of a rater: erase all raters who uploaded with the token of this id." placeholder:"ID" env:"-"`
	Yes    bool    `help:"Skip the confirmation." env:"-"`
}

func (c Forget) Run(ctx context.Context, s cli.Streams) error {
	whom, err := raters(c.Who, c.Origin)
	if err != nil {
		return err
	}
	return c.WithStore(ctx, func(k cli.StudyStore) error {
		if err := s.Confirm(c.Yes, fmt.Sprintf("Erase everything %s said in study %q", whom, k.Name)); err != nil {
			return err
		}
		removed, err := 0, error(nil)
		if whom.Origin == "" { // is looked for in the store alone: the study need not be opened
			removed, err = k.Forget(ctx, k.Name, whom.Rater)
		} else {
			err = cli.RunLive(ctx, s, k.Store, func(room *live.Studies) (err error) {
				removed, err = room.Forget(ctx, k.Name, whom)
				return err
			})
		}
		if err != nil {
			return err
		}
		if removed == 0 {
			return cli.NotFoundf("study %q has no data of rater %q; \"prefer raters %s\" lists its raters", k.Name, whom.Rater, c.Args())
		}
		return s.Notify(struct {
			Study   string `json:"study"`
			Removed int    `json:"removed"`
		}{k.Name, removed}, "erased %s\n", say.Count(removed, "record"))
	})
}

type Delete struct {
	cli.StudyFlags
	Media string `help:"Folder of uploads. Default: next to the SQLite file." placeholder:"FOLDER"`
	Yes   bool   `help:"Skip the confirmation." env:"-"`
}

func (c Delete) Run(ctx context.Context, s cli.Streams) error {
	return c.WithStore(ctx, func(k cli.StudyStore) error {
		if err := s.Confirm(c.Yes, fmt.Sprintf("Delete study %q of %s with all its answers", k.Name, k.Place)); err != nil {
			return err
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

type Exclude struct {
	cli.StudyFlags
	Who    *string `arg:"" optional:"" name:"rater" help:"The rater to exclude."`
	Origin string  `help:"Instead of a rater: exclude all raters who uploaded with the token of this id." placeholder:"ID" env:"-"`
	Why    string  `help:"The reason, kept in the log." placeholder:"TEXT"`
	Back   bool    `help:"Include them again." env:"-"`
}

func (c Exclude) Run(ctx context.Context, s cli.Streams) error {
	if c.Back && c.Why != "" {
		return cli.Usagef("--why and --back exclude each other")
	}
	whom, err := raters(c.Who, c.Origin)
	if err != nil {
		return err
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		if err := room.Exclude(ctx, name, live.Exclude{Whom: whom, Why: c.Why, Back: c.Back}); err != nil {
			return err
		}
		said, who := "%s is excluded; their answers are kept, and prefer exclude --back includes them again\n", whom.Rater
		if c.Back {
			said = "%s counts again\n"
		}
		if c.Origin != "" {
			who = "everybody of the upload token " + c.Origin
		}
		return s.Notify(struct {
			Study  string `json:"study"`
			Rater  string `json:"rater"`
			Origin string `json:"origin,omitempty"`
			Out    bool   `json:"out"`
		}{name, whom.Rater, c.Origin, !c.Back}, said, cli.Printable(who))
	})
}

// raters returns which raters a command is about: a named one, or all whose answers came by an upload token.
func raters(name *string, origin string) (live.Whom, error) {
	switch {
	case name != nil && origin == "":
		return live.Whom{Rater: *name}, nil
	case name == nil && origin != "":
		return live.Whom{Origin: origin}, nil
	}
	return live.Whom{}, cli.Usagef("name a rater, or give --origin with the id of an upload token")
}
