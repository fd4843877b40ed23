//go:build walk

package server

import (
	"fmt"
	"os"
	"testing"
)

// TestWalk answers some questions, and with PREFER_WALK set one more with the next question asked for: what the second run
// covers more often than the first is what one tell enters. scripts/house counts its files.
func TestWalk(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	for range 8 {
		h.tell(h.ask("ann"), "first")
	}
	q := h.ask("ann")
	if os.Getenv("PREFER_WALK") != "" {
		h.want(200, "POST", "/v1/studies/coffee/tell?next=true", fmt.Sprintf(`{"question_id":%q,"rater":"ann","choice":"first"}`, q.ID), nil)
	}
}
