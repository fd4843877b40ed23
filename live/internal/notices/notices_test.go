package notices

import (
	"errors"
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer/live/token"
)

// TestChanges: one who does not keep up hears the last change.
func TestChanges(t *testing.T) {
	b := New()
	l, leave, err := b.Watch("coffee", "")
	if err != nil {
		t.Fatal(err)
	}
	for seq := range 5 {
		b.Notify("coffee", seq, "asked")
		b.Notify("tea", 99, "asked")
	}
	if c := <-l; c.Seq != 4 {
		t.Errorf("heard %+v, want the last", c)
	}
	if len(b.watchers) != 1 || len(b.Studies()) != 1 {
		t.Errorf("%d listen to %v", len(b.watchers), b.Studies())
	}
	leave()
	if len(b.watchers) != 0 || len(b.Studies()) != 0 {
		t.Errorf("%d listen to %v", len(b.watchers), b.Studies())
	}
}

// TestWatchersBounded: neither one rater nor the crowd of a study, nor all crowds together, keep others from listening.
func TestWatchersBounded(t *testing.T) {
	b := New()
	names := 0
	stranger := func() string { names++; return fmt.Sprint("rater ", names) }
	// listen counts who may listen until one is refused.
	listen := func(study string, rater func() string) (n int) {
		for {
			_, _, err := b.Watch(study, rater())
			if refusal := (*token.Error)(nil); errors.As(err, &refusal) && refusal.Code == TooMany {
				return n
			}
			n++
		}
	}
	if n := listen("coffee", func() string { return "ann" }); n != maxOwnWatchers {
		t.Errorf("one rater listens %d times, want %d", n, maxOwnWatchers)
	}
	if n := listen("coffee", stranger); n != maxStudyWatchers-maxOwnWatchers {
		t.Errorf("beside them %d listen, want %d", n, maxStudyWatchers-maxOwnWatchers)
	}
	left := maxRaterWatchers - maxStudyWatchers
	for study := 0; left > 0; study++ {
		want := min(left, maxStudyWatchers)
		if n := listen(fmt.Sprint("study ", study), stranger); n != want {
			t.Errorf("study %d: %d listen, want %d", study, n, want)
		}
		left -= want
	}
	if n := listen("coffee", func() string { return "" }); n != maxWatchers-maxRaterWatchers {
		t.Errorf("the owner listens %d times, want %d", n, maxWatchers-maxRaterWatchers)
	}
}
