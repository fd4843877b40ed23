package live

import "testing"

// TestLose: what could not be shown is counted by option, at whatever side it was; a question of somebody else is passed over.
func TestLose(t *testing.T) {
	h := newTestStudies(t, nil)
	q := h.ask("ann")
	for _, c := range []struct {
		rater string
		place int
		want  bool
	}{{"ann", 1, true}, {"ann", 0, true}, {"ann", 1, true}, {"bob", 0, true}, {"ann", 2, false}} {
		if err := h.open().ReportLoadFailure(t.Context(), c.rater, q.Asked.ID, c.place); (err == nil) != c.want {
			t.Errorf("%+v: %v", c, err)
		}
	}
	lost := h.open().Lost()
	if len(lost) != 2 || lost[0].Times != 2 || lost[1].Times != 1 || lost[0].Option.String() != q.Options[1].Params.String() || lost[1].Option.String() != q.Options[0].Params.String() {
		t.Errorf("lost are %+v of %+v", lost, q.Options)
	}
}
