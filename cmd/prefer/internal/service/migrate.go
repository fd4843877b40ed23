package service

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store"
)

type Migrate struct {
	storeFlags
	DryRun bool `help:"Say what would be done, and do nothing." env:"-"`
}

// migration is what programs hear of it.
type migration struct {
	Tables  int64           `json:"tables"` // version before
	Known   int64           `json:"known"`
	Steps   []migrationStep `json:"steps"`
	Studies int             `json:"studies"`
	Events  int             `json:"events"`
	Done    bool            `json:"done"` // the tables have the version known now
}

type migrationStep struct {
	Version    int64  `json:"version"`
	Name       string `json:"name"`
	Statements string `json:"statements,omitempty"`
}

func (c Migrate) Run(ctx context.Context, s cli.Streams) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	plan, err := store.NewPlan(ctx, address, store.Options{})
	if err != nil {
		return err
	}
	m := migration{Tables: plan.Tables, Known: plan.Known, Steps: []migrationStep{}, Studies: plan.Studies, Events: plan.Events, Done: len(plan.Steps) == 0}
	for _, step := range plan.Steps {
		m.Steps = append(m.Steps, migrationStep(step))
	}
	if !c.DryRun && !m.Done {
		st, err := store.Open(ctx, address, store.Options{})
		if err != nil {
			return err
		}
		if err := st.Close(); err != nil {
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
