package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
	"golang.org/x/term"
)

type Doctor struct {
	Path  string `arg:"" optional:"" name:"study" help:"SQLite file of studies." completion:"file"`
	Store string `help:"Database of studies instead of a file: postgres://…" placeholder:"FILE|URL"`
	Queue string `help:"Queue for workers: postgres://…" placeholder:"URL"`
	Deep  bool   `help:"List every study with its events and checksum." env:"-"`
	Addr  string `help:"Address at which \"prefer serve\" would listen." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
}

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

// flaw is what may be wrong with something, and what to do about it.
type flaw struct {
	has    bool
	level  level
	advice string
}

// judge returns the finding of the first flaw that something has.
func judge(check, found string, flaws ...flaw) finding {
	for _, f := range flaws {
		if f.has {
			return finding{check, f.level, found, f.advice}
		}
	}
	return ok(check, found)
}

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
	return judge("build", b.String(), flaw{b.Modified, warning, "its sources were changed after that commit: nobody else can have this program; build from a commit"})
}

func kernelsFinding(active linalg.Path, available []linalg.Path, arch string) finding {
	best := available[len(available)-1]
	found := fmt.Sprintf("%s in use, of %s", active, strings.ReplaceAll(strings.Trim(fmt.Sprint(available), "[]"), " ", ", "))
	return judge("kernels", found,
		flaw{active != best, warning, fmt.Sprintf("%s is quicker: unset PREFER_KERNELS, unless results must have the bits of %s", best, active)},
		flaw{best == linalg.Generic && arch == "amd64", warning, "questions take several times as long: use a processor with AVX2, and a program built without the tag noasm"})
}

// The years in which a clock is believed.
var (
	firstYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	lastYear  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// clockFinding judges two looks at the clock. built is when the program's commit was made, if known: no clock that is right is before that.
func clockFinding(now, later time.Time, built string) finding {
	earliest, why := firstYear, ", and this program is younger"
	if at, err := time.Parse(time.RFC3339, built); err == nil {
		earliest, why = at.Add(-24*time.Hour), ", and this program was made on "+at.UTC().Format(time.DateOnly)
	}
	// Readings of one pair of moments, so that no delay in between can matter: wall clock without, and with, monotonic part.
	step := later.Round(0).Sub(now.Round(0)) - later.Sub(now)
	found, jumps := later.UTC().Format(time.RFC3339), step.Abs() > 10*time.Millisecond
	if later.Before(earliest) {
		found += why
	} else if jumps {
		found += fmt.Sprintf(", and it was set by %v meanwhile", step.Round(time.Millisecond))
	}
	return judge("clock", found, flaw{later.Before(earliest) || later.After(lastYear), trouble, "set the clock, for example: timedatectl set-ntp true"},
		flaw{jumps, warning, "times of answers jump with it: see what sets the clock in steps"})
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
	if !st.Unicode {
		found += ", and a locale that is not UTF-8"
	}
	return judge("terminal", found, flaw{!st.Unicode, warning, "names are shown with question marks: export LC_ALL=C.UTF-8"},
		flaw{columns < 60 || rows < 16, warning, "make the window larger: two options hardly fit side by side"})
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

// What to do in several cases.
const (
	restore = "stop writing, keep a copy of the files, and restore a backup: docs/guides/deploy.md"
	start   = "start the database, and see that address, role and password are right"
	newer   = "use the prefer that wrote it, or a newer one"
)

// storeFindings looks at a store, a file or an address, without changing it.
func storeFindings(ctx context.Context, address string, now time.Time, deep bool) []finding {
	var found []finding
	if !strings.Contains(address, "://") {
		full, err := filepath.Abs(address) // absolute: never taken for a file: URL
		if err != nil {
			return []finding{bad("store", err.Error(), "")}
		}
		info, err := os.Stat(full)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return []finding{bad("store", "there is no "+address, "make a study first, for example: prefer init "+cli.Quote(address)+" --param sugar=0..5 --param milk=0..1")}
		case err != nil:
			return []finding{bad("store", err.Error(), "see that the folder is there and may be entered")}
		case info.Mode().IsRegular() && info.Size() == 0:
			return []finding{warn("store", address+" is empty", "it becomes a store when a study is made in it; if there was one, restore a backup: docs/guides/deploy.md")}
		}
		found = append(found, permissionsFinding(full, runtime.GOOS))
		free, known, err := freeSpace(filepath.Dir(full))
		if err != nil {
			found = append(found, warn("room", err.Error(), "see how much room is left by hand"))
		} else if known {
			found = append(found, roomFinding(free, uint64(info.Size())))
		}
		address = full
	}
	h, err := sqlstore.Examine(ctx, address, sqlstore.Options{Patience: 3 * time.Second})
	if err != nil {
		return append([]finding{unusable(err)}, found...)
	}
	return append(healthFindings(h, now, deep), found...)
}

func unusable(err error) finding {
	return judge("store", err.Error(),
		flaw{errors.Is(err, sqlstore.ErrForeign), trouble, "name another file; prefer leaves this one as it is"},
		flaw{errors.Is(err, store.ErrCorrupt), trouble, restore},
		flaw{errors.Is(err, store.ErrUnavailable), trouble, start},
		flaw{errors.Is(err, fs.ErrPermission), trouble, "run as the user whose file it is, or let this one read it"},
		flaw{true, trouble, "docs/dev/store.md tells what a store is"})
}

func healthFindings(h sqlstore.Health, now time.Time, deep bool) []finding {
	what, writing := h.Engine, ok("writing", "can be written")
	if h.Tables == h.Known {
		what += ", " + say.Count(h.Studies, "study") + ", " + say.Count(h.Answers, "answer")
	}
	if h.Writing != nil {
		writing = judge("writing", h.Writing.Error(), flaw{errors.Is(h.Writing, store.ErrUnavailable), trouble, "another program has held it locked for seconds: find and end that one"},
			flaw{true, trouble, "studies can be looked at, and not go on: give this user or role the right to write file and folder, or tables"})
	}
	found := append([]finding{ok("store", what), tablesFinding(h), writing}, integrityFindings(h, deep)...)
	switch {
	case h.File == "":
		found = append(found, durabilityFinding(h), serverClockFinding(h))
	case h.Journal != "wal":
		found = append(found, ok("log", fmt.Sprintf("journal mode %s, as after a restore; the next command makes it wal", h.Journal)))
	default: // SQLite empties the log every 4 MB, unless a program reads all the time
		found = append(found, judge("log", "write-ahead log of "+sizeText(uint64(h.Log)),
			flaw{h.Log > 64<<20, warning, "a program that never stops reading keeps it from being emptied: end those that have the file open"}))
	}
	if ahead := h.Newest.Sub(now); ahead > time.Minute {
		found = append(found, warn("newest event", fmt.Sprintf("%s, which is %v from now", h.Newest.UTC().Format(time.RFC3339), ahead.Round(time.Second)),
			"the writer's clock or this one is wrong; the order of answers does not depend on it"))
	}
	return found
}

// integrityFindings says which logs are as they were kept, of all studies if it goes deep.
func integrityFindings(h sqlstore.Health, deep bool) (found []finding) {
	unread := 0
	for _, c := range h.Checked {
		name := fmt.Sprintf("study %q", c.Study)
		switch {
		case c.Err == nil && deep:
			found = append(found, ok(name, fmt.Sprintf("%s, edition %d, head %v: as they were kept", say.Count(c.Events, "event"), c.Edition, c.Head)))
		case c.Err != nil:
			unread++
			found = append(found, judge(name, c.Err.Error(), flaw{errors.Is(c.Err, prefer.ErrNewer), trouble, newer}, flaw{true, trouble, restore}))
		}
	}
	switch {
	case h.Damage != nil:
		return append(found, bad("integrity", h.Damage.Error(), restore))
	case h.Tables != h.Known:
		return nil
	case unread > 0:
		return append(found, bad("integrity", fmt.Sprintf("%d of %d studies cannot be read", unread, len(h.Checked)), "the others can; see above"))
	}
	return append(found, ok("integrity", "every log is whole, fits its checksums and replays"))
}

func tablesFinding(h sqlstore.Health) finding {
	switch h.Tables {
	case 0:
		return warn("tables", "none yet", "they are made when the store is first used")
	case h.Known:
		return ok("tables", fmt.Sprintf("version %d, the one this program works with", h.Tables))
	}
	return judge("tables", fmt.Sprintf("version %d, and this program works with %d", h.Tables, h.Known), flaw{h.Tables > h.Known, trouble, newer + "; this one refuses to open it"},
		flaw{h.Tables < h.Known, warning, "make a backup: the next command brings the tables up to date, and older programs refuse them then"})
}

func durabilityFinding(h sqlstore.Health) finding {
	if len(h.Careless) == 0 {
		return ok("durability", "the server acknowledges what is on disk")
	}
	return warn("durability", strings.Join(h.Careless, ", ")+" off: a crash of the server can lose acknowledged answers", "turn it on in postgresql.conf, unless this is a test")
}

func serverClockFinding(h sqlstore.Health) finding {
	if h.Clock.Abs()-h.Doubt > 2*time.Second {
		return warn("server clock", fmt.Sprintf("differs from this machine's by %v", h.Clock.Round(100*time.Millisecond)),
			"let both take the time from the network: timedatectl set-ntp true")
	}
	return ok("server clock", "the same to within "+((h.Clock.Abs()+h.Doubt).Truncate(time.Millisecond)+time.Millisecond).String())
}

// permissionsFinding looks at the rights of a store, of the files beside it and of its folder of uploads, where there are such rights.
func permissionsFinding(path, system string) finding {
	if system == "windows" {
		return ok("permissions", "as the folder has them")
	}
	var wide, modes []string
	own := ""
	for _, name := range []string{path, path + "-wal", path + "-shm", cli.FilesBeside(path, "").Uploads} {
		info, err := os.Stat(name)
		if err != nil {
			continue // most have none of the others
		}
		mode := info.Mode().Perm()
		if name == path {
			own = mode.String()
		}
		if mode&0o077 != 0 {
			wide, modes = append(wide, cli.Quote(name)), append(modes, filepath.Base(name)+" "+mode.String())
		}
	}
	if len(wide) == 0 {
		return ok("permissions", own+": nobody else on this machine may read it")
	}
	return warn("permissions", strings.Join(modes, ", ")+": others on this machine may read what people said, or change it", "chmod go= "+strings.Join(wide, " "))
}

// roomFinding judges the free space beside a store. Forgetting a rater rewrites the file and the write-ahead log.
func roomFinding(free, size uint64) finding {
	return judge("room", sizeText(free)+" free", flaw{free < 32<<20, trouble, "make room: answers are refused when there is none"},
		flaw{free < 1<<30 || free < 2*size, warning, fmt.Sprintf("make room soon: the store has %s, and forgetting a rater takes twice that for a moment", sizeText(size))})
}

func sizeText(n uint64) string {
	for _, unit := range []string{"GB", "MB", "kB"} {
		if size := float64(n) / sizeUnits[unit]; size >= 1 {
			return fmt.Sprintf("%.1f %s", size, unit)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

func queueFindings(ctx context.Context, address string) []finding {
	h, err := queue.Examine(ctx, address, 3*time.Second)
	tables := fmt.Sprintf("tables version %d, of River %d", h.Version, h.River)
	switch {
	case err != nil: // pgx leaves the password out
		return []finding{judge("queue", err.Error(), flaw{errors.Is(err, queue.ErrNewer), trouble, "use the newest prefer that works on this queue"}, flaw{errors.Is(err, queue.ErrUnavailable), trouble, start},
			flaw{true, trouble, "see that the address is the queue's, and let this role read schema prefer_queue"})}
	case h.River == 0 && h.Version == 0:
		return []finding{bad("queue", "its tables are not there", "the first process that works on the queue makes them; see that the address is the queue's")}
	case !h.Current:
		return []finding{warn("queue", fmt.Sprintf("%s; this program works with version %d", tables, h.Known),
			"the next process of this version that works on the queue brings them up to date; then older ones no longer start")}
	}
	return []finding{ok("queue", tables+", those this program works with"), workersFinding(h.Status)}
}

func workersFinding(s queue.Status) finding {
	alive, jobs := s.Alive()
	found := fmt.Sprintf("%d alive, %s at a time; %s waiting", alive, say.Count(jobs, "job"), say.Count(s.Waiting, "cell"))
	var alone []string
	if alive == 0 && s.Waiting > 0 {
		alone = append(alone, "cells")
	}
	for _, e := range s.Jobs {
		found += fmt.Sprintf(", %s of a %s", say.Count(e.Waiting, "part"), e.Kind)
		if e.Waiting > 0 && e.Workers == 0 {
			alone = append(alone, e.Kind)
		}
	}
	return judge("workers", found, flaw{len(alone) > 0, warning,
		fmt.Sprintf("no worker does what waits (%s): start \"prefer worker\", for reports with the --store of the studies", strings.Join(alone, ", "))})
}
