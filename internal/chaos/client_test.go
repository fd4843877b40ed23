package chaos

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

const (
	patience = 15 * time.Second // for one attempt
	giveUp   = 2 * time.Minute  // for all of them: a promise is broken
)

// client sends requests to servers at random, again until one is acknowledged.
type client struct {
	fleet  *fleet
	random *rand.Rand
	ledger *ledger
	pause  time.Duration // between attempts, a quarter of it at least; 0: 200 ms
}

// sending is what became of a request.
type sending struct {
	attempts int
	last     time.Time // when the last of them was sent
}

// refusal is one that is not a matter of time.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

// send returns nil when the request was acknowledged.
func (c client) send(ctx context.Context, method, path string, body, out any) (s sending, err error) {
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return s, err
		}
	}
	pause := cmp.Or(c.pause, 200*time.Millisecond)
	for start := time.Now(); ; {
		s.attempts++
		s.last = time.Now()
		status, reply, err := c.once(ctx, method, "http://"+c.fleet.any(c.random)+path, text)
		switch {
		case err != nil:
			c.ledger.attempt(reason(err))
		case status < 300:
			c.ledger.attempt("")
			if out == nil {
				return s, nil
			}
			return s, json.Unmarshal(reply, out)
		case status == http.StatusServiceUnavailable:
			c.ledger.attempt(kind(reply))
		default:
			return s, &refusal{status, fmt.Sprintf("%s %s: %d %s", method, path, status, reply)}
		}
		if time.Since(start) > giveUp {
			return s, fmt.Errorf("%s %s: not acknowledged within %v", method, path, giveUp)
		}
		if err := sleep(ctx, pause/4+time.Duration(c.random.Int64N(int64(pause)))); err != nil {
			return s, err
		}
	}
}

// sendOnce is send for what a second attempt may find done by the first, whose reply was lost: that is refused with a status.
func (c client) sendOnce(ctx context.Context, method, path string, body any, done int) (sending, error) {
	s, err := c.send(ctx, method, path, body, nil)
	var r *refusal
	if errors.As(err, &r) && r.status == done && s.attempts > 1 {
		return s, nil
	}
	return s, err
}

func (c client) once(ctx context.Context, method, address string, body []byte) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.fleet.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(resp.Body)
	return resp.StatusCode, reply, err
}
