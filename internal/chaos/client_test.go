package chaos

import (
	"bytes"
	"context"
	"encoding/json"
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
}

// send returns nil when the request was acknowledged. A refusal that is not a matter of time is an error.
func (c client) send(ctx context.Context, method, path string, body, out any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for start := time.Now(); ; {
		status, reply, err := c.once(ctx, method, "http://"+c.fleet.any(c.random)+path, text)
		switch {
		case err != nil:
			c.ledger.attempt(reason(err))
		case status < 300:
			c.ledger.attempt("")
			if out == nil {
				return nil
			}
			return json.Unmarshal(reply, out)
		case status == http.StatusServiceUnavailable:
			c.ledger.attempt(kind(reply))
		default:
			return fmt.Errorf("%s %s: %d %s", method, path, status, reply)
		}
		if time.Since(start) > giveUp {
			return fmt.Errorf("%s %s: not acknowledged within %v", method, path, giveUp)
		}
		if err := sleep(ctx, 50*time.Millisecond+time.Duration(c.random.Int64N(int64(200*time.Millisecond)))); err != nil {
			return err
		}
	}
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
