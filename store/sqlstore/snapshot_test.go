package sqlstore

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// testSnapshot: the newest is kept, another build's is ignored, and none can do harm.
func testSnapshot(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	play(t, running, "ann", 2)
	keep := func(seq int, body string) {
		t.Helper()
		if err := study(t, s, "coffee").Config().Journal.(*journal).keepSnapshot(ctx, seq, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	snapshot := func() string {
		t.Helper()
		l, err := s.load(ctx, "coffee")
		if err != nil {
			t.Fatal(err)
		}
		return string(l.snapshot)
	}
	if err := s.KeepSnapshot(ctx, running); err != nil || snapshot() != string(running.Host().Snapshot()) {
		t.Errorf("kept %q, %v, want %q", snapshot(), err, running.Host().Snapshot())
	}
	seq := len(running.Events(0))
	keep(seq, "\x00\xff later")
	keep(seq-1, "earlier")
	if got := snapshot(); got != "\x00\xff later" {
		t.Errorf("kept is %q", got)
	}
	for _, flipped := range []string{"'x'", "substr(body, 1, 33)"} {
		if _, err := s.db.ExecContext(ctx, "UPDATE prefer_snapshots SET body = "+flipped); err != nil {
			t.Fatal(err)
		}
		if got := snapshot(); got != "" {
			t.Errorf("a damaged snapshot is used: %q", got)
		}
		keep(seq, "\x00\xff later")
	}
	if opened := study(t, s, "coffee").Config().Journal.(*journal); string(opened.snapshot) != "\x00\xff later" {
		t.Errorf("the study was opened with the snapshot %q", opened.snapshot)
	}
	sameStudy(t, s, "coffee", study(t, s, "coffee")) // which is asked, and so longer by one
	s.build = "another"
	if got := snapshot(); got != "" {
		t.Errorf("a snapshot of another build is used: %q", got)
	}
	keep(1, "of another build")
	if got := snapshot(); got != "of another build" {
		t.Errorf("kept is %q", got)
	}
	if other, err := prefer.New(t.Context(), config()); err != nil || s.KeepSnapshot(ctx, other) == nil {
		t.Errorf("%v, or the snapshot of a study of no store was taken", err)
	}
}
