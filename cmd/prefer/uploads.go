package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
)

type uploadsCommand struct {
	studyFlags
	New       bool   `help:"Make an upload token." env:"-"`
	Expires   string `help:"Until when it works: how long, as in 14d or 36h, a day, as in 2031-12-31, or a time, as in 2031-12-31T18:00:00Z." placeholder:"WHEN" env:"-"`
	Renew     string `help:"Put a new token in place of the one of this id, which no longer works." placeholder:"ID" env:"-"`
	Withdraw  string `help:"End the token of this id. What came by it stays." placeholder:"ID" env:"-"`
	PublicURL string `help:"Where browsers reach the server, to be put before the path that is printed." placeholder:"https://HOST"`
}

func (c uploadsCommand) Run(ctx context.Context, s streams) error {
	asked := 0
	for _, is := range []bool{c.New, c.Renew != "", c.Withdraw != ""} {
		if is {
			asked++
		}
	}
	if asked > 1 {
		return usage("--new, --renew and --withdraw: say one of them")
	}
	if c.Expires != "" && !c.New && c.Renew == "" {
		return usage("--expires says until when a token works that is made or renewed: say --new or --renew")
	}
	expires, err := until(c.Expires, time.Now())
	if err != nil {
		return err
	}
	return c.withRoom(ctx, s, func(room *live.Studies, name string) error {
		if asked == 0 {
			return c.list(ctx, s, room, name)
		}
		return changeToken(ctx, s, room, token.Token{Study: name, Kind: token.Upload, Expires: expires}, c.Renew, c.Withdraw, c.PublicURL)
	})
}

// list prints the upload tokens there are.
func (c uploadsCommand) list(ctx context.Context, s streams, room *live.Studies, study string) error {
	all, err := room.Tokens.List(ctx, study, token.Upload)
	if err != nil {
		return err
	}
	if all == nil {
		all = []token.Token{}
	}
	return s.result(all, func(w io.Writer) error {
		if len(all) == 0 {
			_, err := fmt.Fprintf(s.err, "nobody can upload logs; make a token with \"prefer uploads %s --new\"\n", strings.TrimSpace(c.words()))
			return err
		}
		t := newTable(w)
		fmt.Fprintln(t, "id\tmade\tworks\t")
		for _, l := range all {
			fmt.Fprintf(t, "%s\t%s\t%s\t\n", l.ID, l.Created.UTC().Format("2006-01-02 15:04"), lasts(l.Expires))
		}
		return t.Flush()
	})
}
