package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

type forgetCommand struct {
	studyFlags
	Who string `arg:"" name:"rater" help:"Whose questions and answers are erased."`
	Yes bool   `help:"Do it without asking." env:"-"`
}

func (c forgetCommand) Run(ctx context.Context, s streams) error {
	return c.with(ctx, func(k studyStore) error {
		if !c.Yes {
			if err := c.confirm(s, k.name); err != nil {
				return err
			}
		}
		removed, err := k.Forget(ctx, k.name, c.Who)
		if err != nil {
			return err
		}
		if removed == 0 {
			return notFound("study %q has nothing of rater %q; \"prefer raters %s\" lists them", k.name, c.Who, c.words())
		}
		return s.talk(struct {
			Study   string `json:"study"`
			Removed int    `json:"removed"`
		}{k.name, removed}, "erased %s\n", count(removed, "event"))
	})
}

// confirm asks on a terminal; elsewhere nobody could answer.
func (c forgetCommand) confirm(s streams, study string) error {
	if f, ok := s.in.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return usage("this erases for good: say --yes")
	}
	fmt.Fprintf(s.err, "Erase everything rater %q said in study %q, for good? Type yes: ", printable(c.Who), study)
	line, err := bufio.NewReader(s.in).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if strings.TrimSpace(line) != "yes" {
		return errors.New("nothing was erased")
	}
	return nil
}
