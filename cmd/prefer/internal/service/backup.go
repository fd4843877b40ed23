package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/outfile"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store"
)

// storeFlags say which store is meant, and not which study in it.
type storeFlags struct {
	Path  string `arg:"" optional:"" name:"store" help:"The store: a SQLite file, or postgres://…" completion:"file"`
	Store string `help:"The same; better as PREFER_STORE where it has a password." placeholder:"FILE|URL"`
}

func (f storeFlags) address() (string, error) {
	if f.Path != "" {
		return f.Path, nil // PREFER_STORE is only the default
	}
	if f.Store == "" {
		return "", cli.Usagef("name a store: a SQLite file, or postgres://…, or PREFER_STORE")
	}
	return f.Store, nil
}

type Backup struct {
	storeFlags
	Out string `help:"File to write, which must not be there yet." required:"" placeholder:"FILE" completion:"file" env:"-"`
}

func (c Backup) Run(ctx context.Context, s cli.Streams) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(c.Out); errors.Is(err, fs.ErrNotExist) { // one that is there is refused below
		if err := (cli.ForceFlag{}).Check("--out", c.Out); err != nil {
			return err
		}
	}
	copied, err := store.Backup(ctx, address, c.Out, store.Options{})
	if err != nil {
		return err
	}
	return s.Notify(newCopied(copied, c.Out), "backed up %s with %s into %s, %s; uploads are not in it\n",
		say.Count(copied.Studies, "study"), say.Count(copied.Events, "event"), cli.ShellQuote(c.Out), sizeText(uint64(copied.Bytes)))
}

type Restore struct {
	Backup string `arg:"" help:"File that \"prefer backup\" wrote, or any SQLite file of studies." completion:"file"`
	storeFlags
	Force bool `help:"Replace what is there." env:"-"`
}

func (c Restore) Run(ctx context.Context, s cli.Streams) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	if !strings.Contains(address, "://") {
		if err := outfile.CheckBeside(address); err != nil {
			return err
		}
	}
	copied, err := store.Restore(ctx, c.Backup, address, c.Force, store.Options{})
	if err != nil {
		if errors.Is(err, fs.ErrExist) && !c.Force {
			err = fmt.Errorf("%w; --force replaces what is there", err)
		}
		return err
	}
	where := cli.ShellQuote(address)
	if strings.Contains(address, "://") {
		where = "the database" // whose address may have a password
	}
	return s.Notify(newCopied(copied, ""), "restored %s with %s into %s, and looked at everything\n", say.Count(copied.Studies, "study"), say.Count(copied.Events, "event"), where)
}

// copied is what programs hear of a backup.
type copied struct {
	Out     string `json:"out,omitempty"`
	Tables  int64  `json:"tables"`
	Studies int    `json:"studies"`
	Events  int    `json:"events"`
	Bytes   int64  `json:"bytes,omitempty"`
}

func newCopied(c store.Copied, out string) copied {
	return copied{Out: out, Tables: c.Tables, Studies: c.Studies, Events: c.Events, Bytes: c.Bytes}
}
