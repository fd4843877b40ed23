package main

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

	"github.com/prefer-bo/prefer/queue"
	"github.com/prefer-bo/prefer/store"
)

// restore is what to do about damage.
const restore = "stop writing, keep a copy of the files, and restore a backup: docs/deploy.md"

// storeFindings looks at a store, a file or an address, without changing it.
func storeFindings(ctx context.Context, address string, now time.Time) []finding {
	var found []finding
	if !strings.Contains(address, "://") {
		full, err := filepath.Abs(address) // absolute: never taken for a file: URL
		if err != nil {
			return []finding{{"store", trouble, err.Error(), ""}}
		}
		info, err := os.Stat(full)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return []finding{{"store", trouble, "there is no " + address, "make a study first, for example: prefer init " + quote(address) + " --param sugar=0..5 --param milk=0..1"}}
		case err != nil:
			return []finding{{"store", trouble, err.Error(), "see that the folder is there and may be entered"}}
		case info.Mode().IsRegular() && info.Size() == 0:
			return []finding{{"store", warning, address + " is empty", "it becomes a store when a study is made in it; if there was one, restore a backup: docs/deploy.md"}}
		}
		found = append(found, permissionsFinding(info, runtime.GOOS))
		free, known, err := freeSpace(filepath.Dir(full))
		if err != nil {
			found = append(found, finding{"room", warning, err.Error(), "see how much room is left by hand"})
		} else if known {
			found = append(found, roomFinding(free, uint64(info.Size())))
		}
		address = full
	}
	h, err := store.Examine(ctx, address, store.Options{Patience: 3 * time.Second})
	if err != nil {
		return append([]finding{unusable(err)}, found...)
	}
	return append(healthFindings(h, now), found...)
}

// unusable is a store that cannot even be looked at.
func unusable(err error) finding {
	f := finding{"store", trouble, err.Error(), "docs/store.md tells what a store is"}
	switch {
	case errors.Is(err, store.ErrForeign):
		f.Advice = "name another file; prefer leaves this one as it is"
	case errors.Is(err, store.ErrCorrupt):
		f.Advice = restore
	case errors.Is(err, store.ErrUnavailable):
		f.Advice = "start the database, and see that address, role and password are right"
	case errors.Is(err, fs.ErrPermission):
		f.Advice = "run as the user whose file it is, or let this one read it"
	}
	return f
}

// healthFindings says what a store's Health means.
func healthFindings(h store.Health, now time.Time) []finding {
	found := []finding{storeFinding(h), tablesFinding(h), writingFinding(h)}
	if h.Tables == h.Known {
		f := finding{"integrity", fine, "every log is whole and replays", ""}
		if h.Damage != nil {
			f = finding{"integrity", trouble, h.Damage.Error(), restore}
		}
		found = append(found, f)
	}
	if h.File != "" {
		found = append(found, logFinding(h))
	} else {
		found = append(found, durabilityFinding(h), serverClockFinding(h))
	}
	if ahead := h.Newest.Sub(now); ahead > time.Minute {
		found = append(found, finding{"newest event", warning, fmt.Sprintf("%s, which is %v from now", h.Newest.UTC().Format(time.RFC3339), ahead.Round(time.Second)),
			"the clock of whoever wrote it, or this one, is wrong; the order of answers does not depend on it"})
	}
	return found
}

func storeFinding(h store.Health) finding {
	f := finding{Check: "store", Level: fine, Found: h.Engine}
	if h.Tables == h.Known {
		f.Found += fmt.Sprintf(", %d studies, %s", h.Studies, count(h.Answers, "answer"))
		if h.Studies == 1 {
			f.Found = h.Engine + ", 1 study, " + count(h.Answers, "answer")
		}
	}
	return f
}

func tablesFinding(h store.Health) finding {
	found := fmt.Sprintf("version %d, and this program works with %d", h.Tables, h.Known)
	switch {
	case h.Tables > h.Known:
		return finding{"tables", trouble, found, "use the prefer that wrote it, or a newer one; this one refuses to open it"}
	case h.Tables == 0:
		return finding{"tables", warning, "none yet", "they are made when the store is first used"}
	case h.Tables < h.Known:
		return finding{"tables", warning, found, "make a backup: the next command brings the tables up to date, and older programs refuse them then"}
	}
	return finding{"tables", fine, fmt.Sprintf("version %d, the one this program works with", h.Tables), ""}
}

func writingFinding(h store.Health) finding {
	switch {
	case h.Writing == nil:
		return finding{"writing", fine, "can be written", ""}
	case errors.Is(h.Writing, store.ErrUnavailable):
		return finding{"writing", trouble, h.Writing.Error(), "another program has held it locked for seconds: find and end that one"}
	}
	return finding{"writing", trouble, h.Writing.Error(), "studies can be looked at, and not go on: give this user or role the right to write file and folder, or tables"}
}

func logFinding(h store.Health) finding {
	const much = 64 << 20 // SQLite empties the log every 4 MB, unless somebody reads all the time
	switch {
	case h.Journal != "wal":
		return finding{"log", fine, fmt.Sprintf("journal mode %s, as after a restore; the next command makes it wal", h.Journal), ""}
	case h.Log > much:
		return finding{"log", warning, fmt.Sprintf("write-ahead log of %s", sizeText(uint64(h.Log))), "a program that never stops reading keeps it from being emptied: end those that have the file open"}
	}
	return finding{"log", fine, fmt.Sprintf("write-ahead log of %s", sizeText(uint64(h.Log))), ""}
}

func durabilityFinding(h store.Health) finding {
	if len(h.Careless) > 0 {
		return finding{"durability", warning, strings.Join(h.Careless, ", ") + " off: a crash of the server can lose acknowledged answers", "turn it on in postgresql.conf, unless this is a test"}
	}
	return finding{"durability", fine, "the server acknowledges what is on disk", ""}
}

func serverClockFinding(h store.Health) finding {
	f := finding{"server clock", fine, "the same to within " + ((h.Clock.Abs() + h.Doubt).Truncate(time.Millisecond) + time.Millisecond).String(), ""}
	if h.Clock.Abs()-h.Doubt > 2*time.Second {
		f = finding{"server clock", warning, fmt.Sprintf("differs from this machine's by %v", h.Clock.Round(100*time.Millisecond)),
			"let both take the time from the network: timedatectl set-ntp true"}
	}
	return f
}

// permissionsFinding looks at the rights of a file where there are such.
func permissionsFinding(info fs.FileInfo, system string) finding {
	f := finding{"permissions", fine, info.Mode().Perm().String(), ""}
	switch mode := info.Mode().Perm(); {
	case system == "windows":
		f.Found = "as the folder has them"
	case mode&0o002 != 0:
		f.Level, f.Found, f.Advice = warning, f.Found+": everybody on this machine may change it", "chmod o-rw "+quote(info.Name())
	case mode&0o004 != 0:
		f.Found += ": everybody on this machine may read it"
	}
	return f
}

// roomFinding judges the free room beside a store of some size. Forgetting somebody writes the file anew, and the
// write-ahead log with it.
func roomFinding(free, size uint64) finding {
	f := finding{"room", fine, sizeText(free) + " free", ""}
	switch {
	case free < 32<<20:
		f.Level, f.Advice = trouble, "make room: answers are refused when there is none"
	case free < 1<<30 || free < 2*size:
		f.Level, f.Advice = warning, fmt.Sprintf("make room soon: the store has %s, and forgetting a rater takes twice that for a moment", sizeText(size))
	}
	return f
}

// sizeText writes a size for people.
func sizeText(n uint64) string {
	for _, u := range []struct {
		name string
		size uint64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// queueFindings look at a queue without changing it.
func queueFindings(ctx context.Context, address string) []finding {
	h, err := queue.Examine(ctx, address, 3*time.Second)
	f := finding{Check: "queue", Level: trouble}
	switch {
	case errors.Is(err, queue.ErrNewer):
		f.Found, f.Advice = err.Error(), "use the newest prefer that works on this queue"
	case errors.Is(err, queue.ErrUnavailable):
		f.Found, f.Advice = err.Error(), "start the database, and see that address, role and password are right"
	case err != nil:
		f.Found, f.Advice = err.Error(), "see that the address is the queue's, and let this role read schema prefer_queue" // pgx leaves the password out
	case h.River == 0 && h.Version == 0:
		f.Found, f.Advice = "its tables are not there", "the first process that works on the queue makes them; see that the address is the queue's"
	case !h.Current:
		f.Level, f.Found = warning, fmt.Sprintf("tables version %d, of River %d; this program works with version %d", h.Version, h.River, h.Known)
		f.Advice = "the next process of this version that works on the queue brings them up to date; then older ones no longer start"
	default:
		f.Level, f.Found = fine, fmt.Sprintf("tables version %d, of River %d, those this program works with", h.Version, h.River)
		return []finding{f, workersFinding(h.Status)}
	}
	return []finding{f}
}

// workersFinding says who works, and whether something waits for somebody who does not.
func workersFinding(s queue.Status) finding {
	alive, jobs := s.Alive()
	f := finding{Check: "workers", Level: fine, Found: fmt.Sprintf("%d alive, %s at a time; %s waiting", alive, count(jobs, "job"), count(s.Waiting, "cell"))}
	var alone []string
	if alive == 0 && s.Waiting > 0 {
		alone = append(alone, "cells")
	}
	for _, e := range s.Jobs {
		f.Found += fmt.Sprintf(", %s of a %s", count(e.Waiting, "part"), e.Kind)
		if e.Waiting > 0 && e.Workers == 0 {
			alone = append(alone, e.Kind)
		}
	}
	if len(alone) > 0 {
		f.Level, f.Advice = warning, fmt.Sprintf("no worker does what waits (%s): start \"prefer worker\", for reports with the --store of the studies", strings.Join(alone, ", "))
	}
	return f
}
