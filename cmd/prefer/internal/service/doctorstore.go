package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/queue"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store"
)

// restore is what to do about damage.
const restore = "stop writing, keep a copy of the files, and restore a backup: docs/deploy.md"

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
			return []finding{bad("store", "there is no "+address, "make a study first, for example: prefer init "+cli.ShellQuote(address)+" --param sugar=0..5 --param milk=0..1")}
		case err != nil:
			return []finding{bad("store", err.Error(), "see that the folder is there and may be entered")}
		case info.Mode().IsRegular() && info.Size() == 0:
			return []finding{warn("store", address+" is empty", "it becomes a store when a study is made in it; if there was one, restore a backup: docs/deploy.md")}
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
	h, err := store.Examine(ctx, address, store.Options{Patience: 3 * time.Second})
	if err != nil {
		return append([]finding{unusable(err)}, found...)
	}
	return append(healthFindings(h, now, deep), found...)
}

// unusable is a store that cannot even be looked at.
func unusable(err error) finding {
	advice := "docs/store.md tells what a store is"
	switch {
	case errors.Is(err, store.ErrForeign):
		advice = "name another file; prefer leaves this one as it is"
	case errors.Is(err, store.ErrCorrupt):
		advice = restore
	case errors.Is(err, store.ErrUnavailable):
		advice = "start the database, and see that address, role and password are right"
	case errors.Is(err, fs.ErrPermission):
		advice = "run as the user whose file it is, or let this one read it"
	}
	return bad("store", err.Error(), advice)
}

// healthFindings says what a store's Health means.
func healthFindings(h store.Health, now time.Time, deep bool) []finding {
	what := h.Engine
	if h.Tables == h.Known {
		what += ", " + say.Count(h.Studies, "study") + ", " + say.Count(h.Answers, "answer")
	}
	found := append([]finding{ok("store", what), tablesFinding(h), writingFinding(h)}, integrityFindings(h, deep)...)
	if h.File != "" {
		found = append(found, logFinding(h))
	} else {
		found = append(found, durabilityFinding(h), serverClockFinding(h))
	}
	if ahead := h.Newest.Sub(now); ahead > time.Minute {
		found = append(found, warn("newest event", fmt.Sprintf("%s, which is %v from now", h.Newest.UTC().Format(time.RFC3339), ahead.Round(time.Second)),
			"the clock of whoever wrote it, or this one, is wrong; the order of answers does not depend on it"))
	}
	return found
}

// integrityFindings says which logs are as they were kept, of all studies if it goes deep.
func integrityFindings(h store.Health, deep bool) (found []finding) {
	unread := 0
	for _, c := range h.Checked {
		name := fmt.Sprintf("study %q", c.Study)
		switch {
		case c.Err == nil && deep:
			found = append(found, ok(name, fmt.Sprintf("%s, edition %d, head %v: as they were kept", say.Count(c.Events, "event"), c.Edition, c.Head)))
		case errors.Is(c.Err, prefer.ErrNewer):
			unread++
			found = append(found, bad(name, c.Err.Error(), "use the prefer that wrote it, or a newer one"))
		case c.Err != nil:
			unread++
			found = append(found, bad(name, c.Err.Error(), restore))
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

func tablesFinding(h store.Health) finding {
	found := fmt.Sprintf("version %d, and this program works with %d", h.Tables, h.Known)
	switch {
	case h.Tables > h.Known:
		return bad("tables", found, "use the prefer that wrote it, or a newer one; this one refuses to open it")
	case h.Tables == 0:
		return warn("tables", "none yet", "they are made when the store is first used")
	case h.Tables < h.Known:
		return warn("tables", found, "make a backup: the next command brings the tables up to date, and older programs refuse them then")
	}
	return ok("tables", fmt.Sprintf("version %d, the one this program works with", h.Tables))
}

func writingFinding(h store.Health) finding {
	switch {
	case h.Writing == nil:
		return ok("writing", "can be written")
	case errors.Is(h.Writing, store.ErrUnavailable):
		return bad("writing", h.Writing.Error(), "another program has held it locked for seconds: find and end that one")
	}
	return bad("writing", h.Writing.Error(), "studies can be looked at, and not go on: give this user or role the right to write file and folder, or tables")
}

func logFinding(h store.Health) finding {
	const much = 64 << 20 // SQLite empties the log every 4 MB, unless somebody reads all the time
	size := "write-ahead log of " + sizeText(uint64(h.Log))
	switch {
	case h.Journal != "wal":
		return ok("log", fmt.Sprintf("journal mode %s, as after a restore; the next command makes it wal", h.Journal))
	case h.Log > much:
		return warn("log", size, "a program that never stops reading keeps it from being emptied: end those that have the file open")
	}
	return ok("log", size)
}

func durabilityFinding(h store.Health) finding {
	if len(h.Careless) == 0 {
		return ok("durability", "the server acknowledges what is on disk")
	}
	return warn("durability", strings.Join(h.Careless, ", ")+" off: a crash of the server can lose acknowledged answers", "turn it on in postgresql.conf, unless this is a test")
}

func serverClockFinding(h store.Health) finding {
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
			wide, modes = append(wide, cli.ShellQuote(name)), append(modes, filepath.Base(name)+" "+mode.String())
		}
	}
	if len(wide) == 0 {
		return ok("permissions", own+": nobody else on this machine may read it")
	}
	return warn("permissions", strings.Join(modes, ", ")+": others on this machine may read what people said, or change it", "chmod go= "+strings.Join(wide, " "))
}

// roomFinding judges the free space beside a store. Forgetting a rater rewrites the file and the write-ahead log.
func roomFinding(free, size uint64) finding {
	left := sizeText(free) + " free"
	switch {
	case free < 32<<20:
		return bad("room", left, "make room: answers are refused when there is none")
	case free < 1<<30 || free < 2*size:
		return warn("room", left, fmt.Sprintf("make room soon: the store has %s, and forgetting a rater takes twice that for a moment", sizeText(size)))
	}
	return ok("room", left)
}

func sizeText(n uint64) string {
	for _, unit := range []string{"GB", "MB", "kB"} {
		if size := float64(n) / sizeUnits[unit]; size >= 1 {
			return fmt.Sprintf("%.1f %s", size, unit)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// queueFindings look at a queue without changing it.
func queueFindings(ctx context.Context, address string) []finding {
	h, err := queue.Examine(ctx, address, 3*time.Second)
	tables := fmt.Sprintf("tables version %d, of River %d", h.Version, h.River)
	switch {
	case errors.Is(err, queue.ErrNewer):
		return []finding{bad("queue", err.Error(), "use the newest prefer that works on this queue")}
	case errors.Is(err, queue.ErrUnavailable):
		return []finding{bad("queue", err.Error(), "start the database, and see that address, role and password are right")}
	case err != nil: // pgx leaves the password out
		return []finding{bad("queue", err.Error(), "see that the address is the queue's, and let this role read schema prefer_queue")}
	case h.River == 0 && h.Version == 0:
		return []finding{bad("queue", "its tables are not there", "the first process that works on the queue makes them; see that the address is the queue's")}
	case !h.Current:
		return []finding{warn("queue", fmt.Sprintf("%s; this program works with version %d", tables, h.Known),
			"the next process of this version that works on the queue brings them up to date; then older ones no longer start")}
	}
	return []finding{ok("queue", tables+", those this program works with"), workersFinding(h.Status)}
}

// workersFinding says who works, and whether something waits for somebody who does not.
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
	if len(alone) == 0 {
		return ok("workers", found)
	}
	return warn("workers", found, fmt.Sprintf("no worker does what waits (%s): start \"prefer worker\", for reports with the --store of the studies", strings.Join(alone, ", ")))
}
