package studies

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
)

type List struct {
	Path  string `arg:"" optional:"" name:"file" help:"SQLite file." completion:"file"`
	Store string `help:"Database, in place of a file: postgres://…" placeholder:"URL"`
}

// listed is one study of a list, as programs get it.
type listed struct {
	Study   string    `json:"study"`
	Created time.Time `json:"created"`
	Changed time.Time `json:"changed"`
	Events  int       `json:"events"`
	Answers int       `json:"answers"`
	Bytes   int       `json:"bytes"`
	Damage  string    `json:"damage,omitempty"` // why it cannot be opened, as far as a list can tell
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
			out[i] = listed{in.Name, in.Created, in.Changed, in.Events, in.Answers, in.Bytes, ""}
			if in.Damage != nil {
				out[i].Damage = in.Damage.Error()
			}
		}
		return s.Result(out, func(w io.Writer) error {
			minute := func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
			t := cli.NewTable(w)
			fmt.Fprintln(t, "study\tanswers\tevents\tcreated\tchanged\t")
			for _, l := range out {
				fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t\n", l.Study, l.Answers, l.Events, minute(l.Created), minute(l.Changed))
				if l.Damage != "" {
					fmt.Fprintf(t, "\t→ %s\n", cli.Printable(l.Damage))
				}
			}
			return t.Flush()
		})
	})
}

type Forget struct {
	cli.StudyFlags
	Who    *string `arg:"" optional:"" name:"rater" help:"Whose questions and answers are erased."`
	Origin string  `help:"In place of a rater: erase everybody of whom answers came by the upload token of this id." placeholder:"ID" env:"-"`
	Yes    bool    `help:"Do it without asking." env:"-"`
}

func (c Forget) Run(ctx context.Context, s cli.Streams) error {
	whom, err := raters(c.Who, c.Origin)
	if err != nil {
		return err
	}
	return c.WithStore(ctx, func(k cli.StudyStore) error {
		if !c.Yes {
			if err := s.Confirm(fmt.Sprintf("Erase everything %s said in study %q", whom, k.Name)); err != nil {
				return err
			}
		}
		removed, err := c.erase(ctx, s, k, whom)
		if err != nil {
			return err
		}
		if removed == 0 {
			return cli.NotFoundf("study %q has nothing of rater %q, and traces of who was forgotten before are overwritten; \"prefer raters %s\" lists who is there", k.Name, whom.Rater, c.Args())
		}
		return s.Notify(struct {
			Study   string `json:"study"`
			Removed int    `json:"removed"`
		}{k.Name, removed}, "erased %s\n", say.Count(removed, "record"))
	})
}

// erase erases what raters said. One who is named is looked for in the store alone: the study need not be opened.
func (c Forget) erase(ctx context.Context, s cli.Streams, k cli.StudyStore, whom live.Whom) (removed int, err error) {
	if whom.Origin == "" {
		return k.Forget(ctx, k.Name, whom.Rater)
	}
	err = cli.RunLive(ctx, s, k.Store, func(room *live.Studies) (err error) {
		removed, err = room.Forget(ctx, k.Name, whom)
		return err
	})
	return removed, err
}
