package server

import (
	"context"
	"time"
)

// How long the store is waited for. A database that restarts is back within the store's own patience; one that
// neither answers nor hangs up is given up after maxWait, with a 503 and Retry-After.
const (
	maxWait    = 20 * time.Second
	maxHealth  = 2 * time.Second
	retryAfter = "1"
)

// lasting returns a context that does not end when the client leaves, but in time: what was begun is finished.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), maxWait)
}
