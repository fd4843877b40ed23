package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/errand"
	"github.com/prefer-bo/prefer/rehearse"
	"github.com/prefer-bo/prefer/store"
)

// TestErrandDropped: what was deleted is nowhere any more, whether the errand, its study, or one of twins.
func TestErrandDropped(t *testing.T) {
	word := make(chan struct{})
	desk := newSlowDesk(t, word)
	h := newHouse(t, func(c *Config) { c.Desk = desk })
	var e, twin Errand
	for _, name := range []string{"tea", "twin"} {
		h.want(201, "POST", "/v1/studies", strings.Replace(tea, "tea", name, 1), nil)
	}
	unknown := func(when string) {
		t.Helper()
		if _, err := desk.Look(t.Context(), e.ID); !errors.Is(err, errand.ErrUnknown) {
			t.Errorf("%s the desk says %v", when, err)
		}
	}
	h.want(202, "POST", "/v1/studies/tea/simulations", "", &e)
	h.want(202, "POST", "/v1/studies/tea/simulations", `{"max_questions":60}`, &twin)
	if e.ID != twin.ID || e.Parts != 24 {
		t.Errorf("without a word it is %+v, want 24 people and 60 questions", e)
	}
	h.want(204, "DELETE", "/v1/studies/tea/errands/"+e.ID, "", nil)
	unknown("when it is dropped")
	h.refused(404, "no_errand", "", "GET", "/v1/studies/tea/errands/"+e.ID, "")
	h.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
	h.want(202, "POST", "/v1/studies/twin/simulations", strings.Replace(few, `"raters":2`, `"raters":1`, 1), &twin)
	if e.ID != twin.ID || twin.Parts != 2 {
		t.Fatalf("twins are %+v and %+v", e, twin)
	}
	close(word)
	one := h.finish("twin", twin.ID)
	if d := cmp.Diff(h.rehearsed("twin", rehearse.Config{Raters: 1, MaxQuestions: 5, Noise: []rehearse.Noise{rehearse.Prior, {ErrorRate: 0.2}}}, 5), one.Result); d != "" {
		t.Errorf("a twin that wants less:\n%s", d)
	}
	if two := h.finish("tea", e.ID); two.Done != 4 || two.Result.Levels[0].Finished != 2 {
		t.Errorf("and the other is %+v", two)
	}
	h.want(202, "POST", "/v1/studies/tea/simulations", strings.Replace(few, "{", `{"seed":9,`, 1), &e)
	h.want(204, "DELETE", "/v1/studies/tea", "", nil)
	unknown("when its study is deleted")
	if followed := h.server.errands.list(); len(followed) != 0 {
		t.Errorf("still looked after: %v", followed)
	}
}

// TestErrandRoom: a study has so many errands, and the oldest that is over makes room.
func TestErrandRoom(t *testing.T) {
	now := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	word := make(chan struct{})
	h := newHouse(t, func(c *Config) {
		c.Desk, c.Now = newSlowDesk(t, word), func() time.Time { now = now.Add(time.Second); return now }
	})
	h.want(201, "POST", "/v1/studies", tea, nil)
	ask := func(seed int) string { return fmt.Sprintf(`{"raters":1,"max_questions":1,"seed":%d}`, seed) }
	var ids []string
	for seed := range maxErrands {
		var e Errand
		h.want(202, "POST", "/v1/studies/tea/simulations", ask(seed), &e)
		ids = append(ids, e.ID)
	}
	h.refused(409, "too_many_errands", "", "POST", "/v1/studies/tea/simulations", ask(maxErrands))
	word <- struct{}{} // the oldest is done
	h.finish("tea", ids[0])
	var e Errand
	h.want(202, "POST", "/v1/studies/tea/simulations", ask(maxErrands), &e)
	var list struct{ Errands []Errand }
	h.want(200, "GET", "/v1/studies/tea/errands", "", &list)
	var got, want []string
	for i := range list.Errands {
		got, want = append(got, list.Errands[i].ID), append(want, append(ids, e.ID)[maxErrands-i])
	}
	if len(got) != maxErrands || !reflect.DeepEqual(got, want) {
		t.Errorf("the list is\n%v, want\n%v", got, want)
	}
	close(word)
}

// TestErrandFails: a failure is kept with what was done, and asking again is another attempt.
func TestErrandFails(t *testing.T) {
	fail := true
	var mu sync.Mutex
	kinds := errand.Studies{}.Kinds()
	do := kinds[errand.Simulation]
	kinds[errand.Simulation] = func(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if fail && part == 1 {
			return nil, errors.New("errand: out of paper")
		}
		return do(ctx, body, part)
	}
	desk := errand.NewLocal(kinds, 1)
	t.Cleanup(desk.Close)
	h := newHouse(t, func(c *Config) { c.Desk = desk })
	h.want(201, "POST", "/v1/studies", tea, nil)
	var e Errand
	h.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
	if e = h.finish("tea", e.ID); e.State != "failed" || e.Failure != "out of paper" || e.Done != 3 || e.Result.Levels[0].Finished != 2 || e.Result.Levels[1].Finished != 1 {
		t.Errorf("it ended as %+v", e)
	}
	mu.Lock()
	fail = false
	mu.Unlock()
	h.want(202, "POST", "/v1/studies/tea/simulations", few, nil)
	if e = h.finish("tea", e.ID); e.State != "done" || e.Failure != "" || e.Done != 4 {
		t.Errorf("the second attempt ended as %+v", e)
	}
	if n := h.server.metrics.errandsFailed.n.Load(); n != 1 {
		t.Errorf("%d failures were counted", n)
	}
}

// TestErrandNote: a note that cannot be read is damage, not a surprise.
func TestErrandNote(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", tea, nil)
	for _, body := range []string{"{", `{"kind":"simulation","body":{},"parts":0,"over":true}`, `{"body":{},"parts":1}`, `[]`} {
		if err := h.store.KeepNote(t.Context(), store.Note{Study: "tea", Name: errandNoteOf("simulation-1"), Body: body}); err != nil {
			t.Fatal(err)
		}
		h.refused(500, "store_damaged", "", "GET", "/v1/studies/tea/errands/simulation-1", "")
		h.refused(500, "store_damaged", "", "GET", "/v1/studies/tea/errands", "")
	}
}
