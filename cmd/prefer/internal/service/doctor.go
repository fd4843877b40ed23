package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/say"
	"golang.org/x/term"
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

func (d *diagnosis) add(found ...finding) {
	for _, f := range found {
		d.Findings = append(d.Findings, f)
		if d.Level == fine || f.Level == trouble {
			d.Level = f.Level
		}
	}
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
	counts := map[level]int{}
	for _, f := range d.Findings {
		counts[f.Level]++
	}
	err := s.Result(d, d.print)
	if err == nil && counts[trouble] > 0 {
		err = fmt.Errorf("%s and %s", say.Count(counts[trouble], "problem"), say.Count(counts[warning], "warning"))
	}
	return err
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

// buildFinding names the program. One that does not know its version cannot be asked for again.
func buildFinding(b cli.Build) finding {
	if b.Modified {
		return warn("build", b.String(), "its sources were changed after that commit: nobody else can have this program; build from a commit")
	}
	return ok("build", b.String())
}

// kernelsFinding says which arithmetic is used, and whether there is a quicker one.
func kernelsFinding(active linalg.Path, available []linalg.Path, arch string) finding {
	best := available[len(available)-1]
	found := fmt.Sprintf("%s in use, of %s", active, strings.ReplaceAll(strings.Trim(fmt.Sprint(available), "[]"), " ", ", "))
	switch {
	case active != best:
		return warn("kernels", found, fmt.Sprintf("%s is quicker: unset PREFER_KERNELS, unless results must have the bits of %s", best, active))
	case best == linalg.Generic && arch == "amd64":
		return warn("kernels", found, "questions take several times as long: use a processor with AVX2, and a program built without the tag noasm")
	}
	return ok("kernels", found)
}

// The years in which a clock is believed.
var (
	firstYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	lastYear  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// clockFinding judges two looks at the clock. built is when the program's commit was made, if known: no clock that is right is before that.
func clockFinding(now, later time.Time, built string) finding {
	const set = "set the clock, for example: timedatectl set-ntp true"
	earliest, why := firstYear, "this program is younger"
	if at, err := time.Parse(time.RFC3339, built); err == nil {
		earliest, why = at.Add(-24*time.Hour), "this program was made on "+at.UTC().Format(time.DateOnly)
	}
	// Readings of one pair of moments, so that no delay in between can matter: wall clock without, and with, monotonic part.
	step := later.Round(0).Sub(now.Round(0)) - later.Sub(now)
	switch shown := later.UTC().Format(time.RFC3339); {
	case later.Before(earliest):
		return bad("clock", shown+", and "+why, set)
	case later.After(lastYear):
		return bad("clock", shown, set)
	case step.Abs() > 10*time.Millisecond:
		return warn("clock", fmt.Sprintf("%s, and it was set by %v meanwhile", shown, step.Round(time.Millisecond)), "times of answers jump with it: see what sets the clock in steps")
	default:
		return ok("clock", shown)
	}
}

func terminalFinding(s cli.Streams) finding {
	_, screen := terminal.Find(s.In, s.Out, s.Err)
	if screen == nil {
		return ok("terminal", "none here: \"prefer play\" would ask line by line")
	}
	columns, rows, _ := term.GetSize(int(screen.Fd())) // 0 where it is not known
	return screenFinding(terminal.NewStyle(os.Getenv, true), columns, rows)
}

func screenFinding(st terminal.Style, columns, rows int) finding {
	colours := map[int]string{0: "no colours", 16: "16 colours", 256: "256 colours", terminal.TrueColour: "all colours"}[st.Colours]
	found := fmt.Sprintf("%d columns, %d rows, %s", columns, rows, colours)
	switch {
	case !st.Unicode:
		return warn("terminal", found+", and a locale that is not UTF-8", "names are shown with question marks: export LC_ALL=C.UTF-8")
	case columns < 60 || rows < 16:
		return warn("terminal", found, "make the window larger: two options hardly fit side by side")
	}
	return ok("terminal", found)
}

func addressFinding(address string) finding {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		err = listener.Close()
	}
	const other = "choose another: prefer serve --addr HOST:PORT"
	switch {
	case err == nil:
		return ok("address", address+" is free for \"prefer serve\"")
	case errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.Errno(10048)): // Windows' own
		return warn("address", address+" is in use", "that may be a server of yours; if not, "+other)
	}
	return warn("address", err.Error(), other)
}
