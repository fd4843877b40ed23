package service

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/say"
)

type Links struct {
	cli.StudyFlags
	Who       string `arg:"" optional:"" name:"rater" help:"Create a link for this rater."`
	Everybody bool   `help:"Create a shared link; everyone who opens it gets their own name." env:"-"`
	tokenFlags
}

// tokenFlags are for links and upload tokens alike.
type tokenFlags struct {
	Expires   string `help:"Expiry: a duration (14d, 36h), a day (2031-12-31) or a time (2031-12-31T18:00:00Z)." placeholder:"WHEN" env:"-"`
	Renew     string `help:"Renew the one of this id; its old address stops working." placeholder:"ID" env:"-"`
	Withdraw  string `help:"Revoke the one of this id. Its answers are kept." placeholder:"ID" env:"-"`
	PublicURL string `help:"Public address of the server, printed before the path." placeholder:"https://HOST"`
}

func (c Links) Run(ctx context.Context, s cli.Streams) error {
	asked := cli.Count(c.Who != "", c.Everybody, c.Renew != "", c.Withdraw != "")
	if asked > 1 {
		return cli.Usagef("give one of: a rater, --everybody, --renew, --withdraw")
	}
	if c.Expires != "" && (asked == 0 || c.Withdraw != "") {
		return cli.Usagef("--expires needs a rater, --everybody or --renew")
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		if asked == 0 {
			none := fmt.Sprintf("nobody has a link; make one with \"prefer links %s RATER\"", c.Args())
			return listTokens(ctx, s, room, name, token.Personal, none, "id\tfor\tmade\tlast asked\tworks\t", linkRow)
		}
		t := token.Token{Study: name, Kind: token.Personal, Rater: c.Who}
		if c.Everybody {
			t.Kind = token.Shared
		}
		return c.change(ctx, s, room, t)
	})
}

func parseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil {
			return now.AddDate(0, 0, n), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(d), nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return day.AddDate(0, 0, 1), nil // the day included
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, cli.FlagError("--expires", text, "want how long, as in 14d or 36h, a day, as in 2031-12-31, or a time, as in 2031-12-31T18:00:00Z")
	}
	return at, nil
}

// tokenFields are the fields of a token beside its secret, whose field is called Token.
type tokenFields = token.Token

// change withdraws or renews the token of an id, or makes t, and prints the address of a new one: only now its secret is known.
func (c tokenFlags) change(ctx context.Context, s cli.Streams, room *live.Studies, t token.Token) (err error) {
	if t.Expires, err = parseExpiry(c.Expires, time.Now()); err != nil {
		return err
	}
	if c.Withdraw != "" {
		if err := room.Tokens.Withdraw(ctx, t.Study, t.Kind, c.Withdraw); err != nil {
			return err
		}
		noun := map[bool]string{true: "upload token", false: "link"}[t.Kind == token.Upload]
		return s.Notify(struct {
			Study     string `json:"study"`
			Withdrawn string `json:"withdrawn"`
		}{t.Study, c.Withdraw}, "the %s %s no longer works\n", noun, cli.Printable(c.Withdraw))
	}
	var secret string
	if c.Renew != "" {
		secret, t, err = room.Tokens.Renew(ctx, t.Study, t.Kind, c.Renew, t.Expires)
	} else {
		secret, t, err = room.Tokens.Make(ctx, t)
	}
	if err != nil {
		return err
	}
	address, fragment, what := "/r/"+secret, "", "the link of "+linkOwner(t)
	if t.Kind == token.Upload {
		address, fragment, what = token.UploadPath, "#"+secret, "an upload token"
	}
	if c.PublicURL != "" {
		if address, err = url.JoinPath(c.PublicURL, address); err != nil {
			return cli.WrapFlagError(fmt.Errorf("--public-url %q, want an address like https://prefer.example.org: %w", c.PublicURL, err), "--public-url", c.PublicURL)
		}
	}
	if !s.JSON {
		fmt.Fprintf(s.Err, "%s, id %s, %s; it is not shown again\n", what, t.ID, validity(t.Expires))
	}
	return s.Line(struct {
		URL   string `json:"url"`
		Token string `json:"token"`
		tokenFields
	}{address + fragment, secret, t}, address+fragment)
}

func linkOwner(l token.Token) string {
	if l.Everybody {
		return "everybody"
	}
	return cli.Printable(l.Rater)
}

func validity(expires time.Time) string {
	switch {
	case expires.IsZero():
		return "good until it is withdrawn"
	case !expires.After(time.Now()):
		return "expired on " + minute(expires) + " UTC"
	}
	return "good until " + minute(expires) + " UTC"
}

// minute writes a time for people, "-" if there is none.
func minute(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

func listTokens(ctx context.Context, s cli.Streams, room *live.Studies, study string, kind token.Kind, none, columns string, row func(token.Token) string) error {
	all, err := room.Tokens.List(ctx, study, kind)
	if err != nil {
		return err
	}
	return s.Result(append([]token.Token{}, all...), func(w io.Writer) error {
		if len(all) == 0 {
			_, err := fmt.Fprintln(s.Err, none)
			return err
		}
		t := cli.NewTable(w)
		fmt.Fprintln(t, columns)
		for _, l := range all {
			fmt.Fprintln(t, row(l))
		}
		return t.Flush()
	})
}

func linkRow(l token.Token) string {
	who := linkOwner(l)
	switch {
	case l.Everybody:
		who += fmt.Sprintf(" (%s so far)", say.Count(l.Guests, "guest"))
	case l.Through != "":
		who += " (through " + l.Through + ")"
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t", l.ID, who, minute(l.Created), minute(l.LastAsked), validity(l.Expires))
}

type Uploads struct {
	cli.StudyFlags
	New bool `help:"Create an upload token." env:"-"`
	tokenFlags
}

func (c Uploads) Run(ctx context.Context, s cli.Streams) error {
	if cli.Count(c.New, c.Renew != "", c.Withdraw != "") > 1 {
		return cli.Usagef("give one of: --new, --renew, --withdraw")
	}
	if c.Expires != "" && !c.New && c.Renew == "" {
		return cli.Usagef("--expires needs --new or --renew")
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		if !c.New && c.Renew == "" && c.Withdraw == "" {
			none := fmt.Sprintf("nobody can upload logs; make a token with \"prefer uploads %s --new\"", c.Args())
			return listTokens(ctx, s, room, name, token.Upload, none, "id\tmade\tworks\t", func(l token.Token) string {
				return fmt.Sprintf("%s\t%s\t%s\t", l.ID, minute(l.Created), validity(l.Expires))
			})
		}
		return c.change(ctx, s, room, token.Token{Study: name, Kind: token.Upload})
	})
}
