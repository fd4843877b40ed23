package service

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/say"
)

type Doctor struct {
	Path  string `arg:"" optional:"" name:"study" help:"SQLite file of studies." completion:"file"`
	Store string `help:"Where studies are kept, in place of a file: postgres://…" placeholder:"FILE|URL"`
	Queue string `help:"Queue for workers: postgres://…" placeholder:"URL"`
	Deep  bool   `help:"Tell of every study: how many events it has, and the head of their checksums." env:"-"`
	Addr  string `help:"Address at which \"prefer serve\" would listen." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
}

// level says how bad a finding is.
type level string

const (
	fine    level = "ok"
	warning level = "warning"
	trouble level = "problem"
)

// finding is what the doctor sees in one place, and what to do about it.
type finding struct {
	Check  string `json:"check"`
	Level  level  `json:"level"`
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"`
}

func ok(check, found string) finding           { return finding{check, fine, found, ""} }
func warn(check, found, advice string) finding { return finding{check, warning, found, advice} }
func bad(check, found, advice string) finding  { return finding{check, trouble, found, advice} }

// diagnosis is all findings and the worst level among them.
type diagnosis struct {
	Level    level     `json:"level"`
	Findings []finding `json:"findings"`
}

func (d *diagnosis) add(fs ...finding) {
	for _, f := range fs {
		d.Findings = append(d.Findings, f)
		if d.Level == fine || f.Level == trouble {
			d.Level = f.Level
		}
	}
}

func (d diagnosis) count(l level) (n int) {
	for _, f := range d.Findings {
		if f.Level == l {
			n++
		}
	}
	return n
}

func (c Doctor) Run(ctx context.Context, s cli.Streams) error {
	if c.Path != "" {
		c.Store = c.Path // PREFER_STORE is only the default
	}
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		return cli.WrapFlagError(fmt.Errorf("--addr %q, want HOST:PORT: %w", c.Addr, err), "--addr", c.Addr)
	}
	if err := checkQueue(c.Queue); err != nil {
		return err
	}
	d := diagnosis{Level: fine}
	now := time.Now()
	time.Sleep(20 * time.Millisecond)
	d.add(buildFinding(cli.ThisBuild()), kernelsFinding(linalg.Active(), linalg.Available(), runtime.GOARCH),
		clockFinding(now, time.Now(), cli.ThisBuild().Time), terminalFinding(s), addressFinding(c.Addr))
	if c.Store != "" {
		d.add(storeFindings(ctx, c.Store, time.Now(), c.Deep)...)
	}
	if c.Queue != "" {
		d.add(queueFindings(ctx, c.Queue)...)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.Result(d, d.print); err != nil {
		return err
	}
	if n := d.count(trouble); n > 0 {
		return fmt.Errorf("%s and %s", say.Count(n, "problem"), say.Count(d.count(warning), "warning"))
	}
	return nil
}

func (d diagnosis) print(w io.Writer) error {
	t := cli.NewTable(w)
	for _, f := range d.Findings {
		fmt.Fprintf(t, "%-7s\t%s\t%s\n", f.Level, f.Check, cli.Printable(f.Found))
		if f.Advice != "" {
			fmt.Fprintf(t, "\t\t→ %s\n", cli.Printable(f.Advice))
		}
	}
	return t.Flush()
}
