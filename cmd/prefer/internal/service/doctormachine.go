package service

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/terminal"
	"golang.org/x/term"
)

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

// clockFinding judges two looks at the clock, each with a wall and a monotonic reading. built is when the
// program's commit was made, if known: no clock that is right is before that.
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
		return warn("clock", fmt.Sprintf("%s, and it was set by %v meanwhile", shown, step.Round(time.Millisecond)),
			"times of answers jump with it: see what sets the clock in steps")
	default:
		return ok("clock", shown)
	}
}

func terminalFinding(s cli.Streams) finding {
	_, screen := terminal.Find(s.In, s.Out, s.Err)
	if screen == nil {
		return ok("terminal", "none here: \"prefer play\" would ask line by line")
	}
	columns, rows, err := term.GetSize(int(screen.Fd()))
	if err != nil {
		columns, rows = 0, 0
	}
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
