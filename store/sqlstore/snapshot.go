package sqlstore

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
)

// Build names this program to its snapshots: one of another program, or of another kind of processor, is not used, so that a study opened with a snapshot has
// the bits of one opened without. A program that was not built from a known revision is known by the size and time of its file.
var Build = sync.OnceValue(func() string {
	name := fmt.Sprintf("%s %s %s", gp.Kernels(), runtime.GOARCH, runtime.Version())
	if info, ok := debug.ReadBuildInfo(); ok {
		version := info.Main.Version
		if name += " " + info.Main.Path + "@" + version; version != "" && version != "(devel)" && !strings.HasSuffix(version, "+dirty") {
			return name
		}
	}
	if path, err := os.Executable(); err == nil {
		if file, err := os.Stat(path); err == nil {
			return fmt.Sprintf("%s %d bytes of %d", name, file.Size(), file.ModTime().UnixNano())
		}
	}
	return name
})

// KeepSnapshot keeps what makes the next opening of a study quick. Update does it by itself; a caller that holds
// a study of this store open for long may want to do it now and then.
func (s *Store) KeepSnapshot(ctx context.Context, study *prefer.Study) error {
	j, err := s.journalOf(study, "KeepSnapshot")
	if err != nil {
		return err
	}
	return j.keepSnapshot(ctx, study.Seq(), study.Host().Snapshot())
}

// keepSnapshot keeps a snapshot of the study with seq events, unless it is the one that is there. A study
// that is another edition by now, because somebody was forgotten, takes none.
func (j *journal) keepSnapshot(ctx context.Context, seq int, body []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.store
	if body == nil || bytes.Equal(body, j.snapshot) || s.readOnly {
		return nil
	}
	err := s.write(ctx, func(c *session, _ bool) {
		// An UPDATE that changes nothing: it holds the row against a Forget at the same time.
		if c.exec("UPDATE prefer_studies SET last = last WHERE id = $1 AND edition = $2", j.id, j.edition) == 0 {
			return
		}
		c.exec(`INSERT INTO prefer_snapshots (study, seq, build, body) VALUES ($1, $2, $3, $4)
			ON CONFLICT (study) DO UPDATE SET seq = excluded.seq, build = excluded.build, body = excluded.body
			WHERE prefer_snapshots.seq <= excluded.seq OR prefer_snapshots.build <> excluded.build`, j.id, seq, s.build, sealed(body))
	})
	if err == nil {
		j.snapshot = bytes.Clone(body)
	}
	return err
}

// KeepAhead keeps what Study.Prefetch has chosen for a rater, so that the process which gets their next request has it. There is one per rater: a newer one takes its
// place. It is a cache like a snapshot: losing it costs a search.
func (s *Store) KeepAhead(ctx context.Context, study *prefer.Study, rater string) error {
	j, err := s.journalOf(study, "KeepAhead")
	if err != nil {
		return err
	}
	seq, body := study.Host().Export(rater)
	if body == nil || s.readOnly {
		return nil
	}
	return s.write(ctx, func(c *session, _ bool) {
		if s.lazy != "" {
			c.exec(s.lazy)
		}
		// Another edition takes none, and a study that has been deleted: somebody may have been forgotten.
		c.exec(`INSERT INTO prefer_ahead (study, rater, seq, build, body)
			SELECT id, $1, $2, $3, $4 FROM prefer_studies WHERE id = $5 AND edition = $6 `+s.forShare+`
			ON CONFLICT (study, rater) DO UPDATE SET seq = excluded.seq, build = excluded.build, body = excluded.body
			WHERE prefer_ahead.seq <= excluded.seq OR prefer_ahead.build <> excluded.build`, rater, seq, s.build, sealed(body), j.id, j.edition)
	})
}

// UseAhead hands a study what another process has kept for a rater, and reports whether the study could use it.
func (s *Store) UseAhead(ctx context.Context, study *prefer.Study, rater string) (bool, error) {
	j, err := s.journalOf(study, "UseAhead")
	if err != nil {
		return false, err
	}
	var body []byte
	err = s.read(ctx, func(c *session) {
		body = nil
		c.find([]any{&body}, "SELECT body FROM prefer_ahead WHERE study = $1 AND rater = $2 AND build = $3", j.id, rater, s.build)
	})
	body = unsealed(body)
	return err == nil && body != nil && study.Host().Import(body), err
}
