package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/terminal"
	"golang.org/x/term"
)

// buildFinding names the program. One that does not know its version cannot be asked for again.
func buildFinding(b build) finding {
	f := finding{Check: "build", Level: fine, Found: b.String()}
	if b.Modified {
		f.Level, f.Advice = warning, "its sources were changed after that commit: nobody else can have this program; build from a commit"
	}
	return f
}

// kernelsFinding says which arithmetic is used, and whether there is a quicker one.
func kernelsFinding(active linalg.Path, available []linalg.Path, arch string) finding {
	f := finding{Check: "kernels", Level: fine}
	var names []string
	for _, p := range available {
		names = append(names, p.String())
	}
	best := available[len(available)-1]
	f.Found = fmt.Sprintf("%s in use, of %s", active, strings.Join(names, ", "))
	switch {
	case active != best:
		f.Level = warning
		f.Advice = fmt.Sprintf("%s is quicker: unset PREFER_KERNELS, unless results must have the bits of %s", best, active)
	case best == linalg.Generic && arch == "amd64":
		f.Level = warning
		f.Advice = "questions take several times as long: use a processor with AVX2, and a program built without the tag noasm"
	}
	return f
}

// The years in which a clock is believed.
var (
	firstYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	lastYear  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// clockFinding judges two looks at the clock, each with a wall and a monotonic reading. built is when the
// program's commit was made, if known: no clock that is right is before that.
func clockFinding(now, later time.Time, built string) finding {
	f := finding{Check: "clock", Level: fine, Found: later.UTC().Format(time.RFC3339)}
	const set = "set the clock, for example: timedatectl set-ntp true"
	earliest, why := firstYear, "this program is younger"
	if at, err := time.Parse(time.RFC3339, built); err == nil {
		earliest, why = at.Add(-24*time.Hour), "this program was made on "+at.UTC().Format(time.DateOnly)
	}
	// Readings of one pair of moments, so that no delay in between can matter: wall clock without, and with, monotonic part.
	step := later.Round(0).Sub(now.Round(0)) - later.Sub(now)
	switch {
	case later.Before(earliest):
		f.Level, f.Found, f.Advice = trouble, f.Found+", and "+why, set
	case later.After(lastYear):
		f.Level, f.Advice = trouble, set
	case step.Abs() > 10*time.Millisecond:
		f.Level, f.Found = warning, fmt.Sprintf("%s, and it was set by %v meanwhile", f.Found, step.Round(time.Millisecond))
		f.Advice = "times of answers jump with it: see what sets the clock in steps"
	}
	return f
}

func terminalFinding(s streams) finding {
	_, screen := terminal.Find(s.in, s.out, s.err)
	if screen == nil {
		return finding{Check: "terminal", Level: fine, Found: "none here: \"prefer play\" would ask line by line"}
	}
	columns, rows, err := term.GetSize(int(screen.Fd()))
	if err != nil {
		columns, rows = 0, 0
	}
	return screenFinding(terminal.NewStyle(os.Getenv, true), columns, rows)
}

// screenFinding says what a terminal can show.
func screenFinding(st terminal.Style, columns, rows int) finding {
	colours := map[int]string{0: "no colours", 16: "16 colours", 256: "256 colours", terminal.TrueColour: "all colours"}[st.Colours]
	f := finding{Check: "terminal", Level: fine, Found: fmt.Sprintf("%d columns, %d rows, %s", columns, rows, colours)}
	switch {
	case !st.Unicode:
		f.Level, f.Found = warning, f.Found+", and a locale that is not UTF-8"
		f.Advice = "names are shown with question marks: export LC_ALL=C.UTF-8"
	case columns < 60 || rows < 16:
		f.Level, f.Advice = warning, "make the window larger: two options hardly fit side by side"
	}
	return f
}

// addressFinding says whether "prefer serve" could listen.
func addressFinding(address string) finding {
	f := finding{Check: "address", Level: fine, Found: address + " is free for \"prefer serve\""}
	listener, err := net.Listen("tcp", address)
	if err == nil {
		err = listener.Close()
	}
	if err == nil {
		return f
	}
	f.Level, f.Found = warning, err.Error()
	f.Advice = "choose another: prefer serve --addr HOST:PORT"
	if slices.ContainsFunc([]error{syscall.EADDRINUSE, syscall.Errno(10048)}, func(e error) bool { return errors.Is(err, e) }) { // 10048 is Windows' own
		f.Found = address + " is in use"
		f.Advice = "that may be a server of yours; if not, choose another: prefer serve --addr HOST:PORT"
	}
	return f
}
