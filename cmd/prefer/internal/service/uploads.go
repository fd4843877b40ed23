package service

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
)

type Uploads struct {
	cli.StudyFlags
	New       bool   `help:"Make an upload token." env:"-"`
	Expires   string `help:"Until when it works: how long, as in 14d or 36h, a day, as in 2031-12-31, or a time, as in 2031-12-31T18:00:00Z." placeholder:"WHEN" env:"-"`
	Renew     string `help:"Put a new token in place of the one of this id, which no longer works." placeholder:"ID" env:"-"`
	Withdraw  string `help:"End the token of this id. What came by it stays." placeholder:"ID" env:"-"`
	PublicURL string `help:"Where browsers reach the server, to be put before the path that is printed." placeholder:"https://HOST"`
}

func (c Uploads) Run(ctx context.Context, s cli.Streams) error {
	if count(c.New, c.Renew != "", c.Withdraw != "") > 1 {
		return cli.Usagef("--new, --renew and --withdraw: say one of them")
	}
	if c.Expires != "" && !c.New && c.Renew == "" {
		return cli.Usagef("--expires says until when a token works that is made or renewed: say --new or --renew")
	}
	expires, err := parseExpiry(c.Expires, time.Now())
	if err != nil {
		return err
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		if !c.New && c.Renew == "" && c.Withdraw == "" {
			return c.list(ctx, s, room, name)
		}
		return changeToken(ctx, s, room, token.Token{Study: name, Kind: token.Upload, Expires: expires}, c.Renew, c.Withdraw, c.PublicURL)
	})
}

func (c Uploads) list(ctx context.Context, s cli.Streams, room *live.Studies, study string) error {
	all, err := room.Tokens.List(ctx, study, token.Upload)
	if err != nil {
		return err
	}
	return s.Result(append([]token.Token{}, all...), func(w io.Writer) error {
		if len(all) == 0 {
			_, err := fmt.Fprintf(s.Err, "nobody can upload logs; make a token with \"prefer uploads %s --new\"\n", c.Args())
			return err
		}
		t := cli.NewTable(w)
		fmt.Fprintln(t, "id\tmade\tworks\t")
		for _, l := range all {
			fmt.Fprintf(t, "%s\t%s\t%s\t\n", l.ID, minute(l.Created), validity(l.Expires))
		}
		return t.Flush()
	})
}
