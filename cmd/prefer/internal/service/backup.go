package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/outfile"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

type storeFlags struct {
	Path  string `arg:"" optional:"" name:"store" help:"The store: a SQLite file, or postgres://…" completion:"file"`
	Store string `help:"The same; use PREFER_STORE if it has a password." placeholder:"FILE|URL"`
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
	Out string `help:"File to write; must not exist yet." required:"" placeholder:"FILE" completion:"file" env:"-"`
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
	copied, err := sqlstore.Backup(ctx, address, c.Out, sqlstore.Options{})
	if err != nil {
		return err
	}
	return s.Notify(struct {
		Out string `json:"out"`
		sqlstore.Copied
	}{c.Out, copied}, "backed up %s with %s into %s, %s; uploads are not in it\n",
		say.Count(copied.Studies, "study"), say.Count(copied.Events, "event"), cli.Quote(c.Out), sizeText(uint64(copied.Bytes)))
}

type Restore struct {
	Backup string `arg:"" help:"Backup file, or any SQLite file of studies." completion:"file"`
	storeFlags
	Force bool `help:"Replace existing studies." env:"-"`
}

func (c Restore) Run(ctx context.Context, s cli.Streams) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	where := "the database" // whose address may have a password
	if !strings.Contains(address, "://") {
		where = cli.Quote(address)
		if err := outfile.CheckBeside(address); err != nil {
			return err
		}
	}
	copied, err := sqlstore.Restore(ctx, c.Backup, address, c.Force, sqlstore.Options{})
	if errors.Is(err, fs.ErrExist) && !c.Force {
		err = fmt.Errorf("%w; --force replaces what is there", err)
	}
	if err != nil {
		return err
	}
	return s.Notify(copied, "restored %s with %s into %s, and looked at everything\n", say.Count(copied.Studies, "study"), say.Count(copied.Events, "event"), where)
}

type Migrate struct {
	storeFlags
	DryRun bool `help:"Show what would be done without doing it." env:"-"`
}

type migration struct {
	sqlstore.Plan
	Done bool `json:"done"` // the tables have the version known now
}

func (c Migrate) Run(ctx context.Context, s cli.Streams) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	plan, err := sqlstore.NewPlan(ctx, address, sqlstore.Options{})
	if err != nil {
		return err
	}
	m := migration{plan, len(plan.Steps) == 0}
	if !c.DryRun && !m.Done {
		st, err := sqlstore.Open(ctx, address, sqlstore.Options{})
		if err == nil {
			err = st.Close()
		}
		if err != nil {
			return err
		}
		m.Done = true
	}
	return s.Result(m, func(w io.Writer) error { return m.print(w, c.DryRun) })
}

func (m migration) print(w io.Writer, dry bool) error {
	has := fmt.Sprintf("version %d", m.Tables)
	if m.Tables == 0 {
		has = "none"
	}
	fmt.Fprintf(w, "tables\t%s; this program works with version %d\n", has, m.Known)
	fmt.Fprintf(w, "holds\t%s with %s\n", say.Count(m.Studies, "study"), say.Count(m.Events, "event"))
	for _, step := range m.Steps {
		fmt.Fprintf(w, "step %d\t%s\n", step.Version, step.Name)
		for line := range strings.Lines(step.Statements) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	last := "brought up to date; older programs refuse this store now"
	switch {
	case len(m.Steps) == 0:
		last = "nothing to do"
	case dry:
		last = "nothing was changed; back up first: older programs refuse the store afterwards"
	}
	_, err := fmt.Fprintln(w, last)
	return err
}
