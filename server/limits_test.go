package server

import (
	"testing"
	"time"
)

// TestLimits: a rater, and whoever tries tokens, is slowed down; the owner is not.
func TestLimits(t *testing.T) {
	now := time.Unix(1e9, 0)
	h := newHouse(t, func(c *Config) { withOwner(c); c.Rate = 1; c.Now = func() time.Time { return now } })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	ann := h.invite("coffee", "ann")
	for _, each := range []*house{ann, h.as("guess")} {
		ok := 0
		for range 10 {
			if status, head, _ := each.do("GET", "/v1/me", ""); status != 429 {
				ok++
			} else if head.Get("Retry-After") != "2" {
				t.Errorf("Retry-After is %q", head.Get("Retry-After"))
			}
		}
		if ok != 3 {
			t.Errorf("%d requests went through, want 3", ok)
		}
	}
	for range 10 {
		h.want(200, "GET", "/v1/me", "", nil)
	}
}
