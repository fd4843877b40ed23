package chaos

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/store/sqlstore"
)

// listeners is how many studies somebody listens to.
const listeners = 10

// listener hears the changes of one study from whichever server, and from another when that one dies.
type listener struct {
	study string
	fleet *fleet

	mu   sync.Mutex
	last int // the event heard of last
}

func (l *listener) heard() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// listen goes on until ctx ends.
func (l *listener) listen(ctx context.Context, r *rand.Rand) {
	for ctx.Err() == nil {
		l.stream(ctx, l.fleet.any(r))
		_ = sleep(ctx, 200*time.Millisecond)
	}
}

// stream listens to one server until it is gone.
func (l *listener) stream(ctx context.Context, address string) {
	req, err := http.NewRequestWithContext(ctx, "GET", "http://"+address+"/v1/studies/"+l.study+"/events", nil)
	if err != nil {
		return
	}
	if last := l.heard(); last > 0 {
		req.Header.Set("Last-Event-ID", strconv.Itoa(last))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	for s := bufio.NewScanner(resp.Body); s.Scan(); {
		if id, ok := strings.CutPrefix(s.Text(), "id: "); ok {
			if seq, err := strconv.Atoi(id); err == nil {
				l.mu.Lock()
				l.last = max(l.last, seq)
				l.mu.Unlock()
			}
		}
	}
}

// caughtUp waits until every listener has heard of the last event of its study, and says who has not.
func caughtUp(ctx context.Context, address string, all []*listener) (missed []string, err error) {
	st, err := sqlstore.Open(ctx, address, sqlstore.Options{})
	if err != nil {
		return nil, err
	}
	defer st.Close()
	for start := time.Now(); ; {
		list, err := st.List(ctx)
		if err != nil {
			return nil, err
		}
		missed = nil
		for _, l := range all {
			for _, info := range list {
				if heard := l.heard(); info.Name == l.study && heard != info.Events {
					missed = append(missed, fmt.Sprintf("a listener of %s has heard of event %d, the last is %d", l.study, heard, info.Events))
				}
			}
		}
		if len(missed) == 0 || time.Since(start) > 30*time.Second {
			return missed, nil
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
	}
}
