package store

import (
	"database/sql/driver"
	"fmt"

	"github.com/prefer-bo/prefer/internal/chain"
	"modernc.org/sqlite"
)

// checksum reads a column. What is no checksum is read as that of nothing, which no event has: the chain breaks there.
type checksum chain.Sum

func (c *checksum) Scan(column any) error {
	*c = checksum{}
	if b, ok := column.([]byte); ok && len(b) == len(c) {
		copy(c[:], b)
	}
	return nil
}

// ending is an event with all before it. A log with another checksum there is another log: a failover has lost some events and
// others came in their place, somebody was forgotten, or it is damaged.
type ending struct {
	seq   int
	chain chain.Sum
}

// checkEnd refuses events, the first of which has number first, that end before or after where the study does.
func (e ending) checkEnd(first int, rows []kept) error {
	switch last := first + len(rows) - 1; {
	case len(rows) == 0:
		return fmt.Errorf("it has no events, want %d", e.seq)
	case last == e.seq-1:
		return fmt.Errorf("event %d is missing: its end was cut off", e.seq)
	case last < e.seq:
		return fmt.Errorf("events %d to %d are missing: its end was cut off", last+1, e.seq)
	case last > e.seq:
		return fmt.Errorf("event %d comes after the last one, %d", e.seq+1, e.seq)
	}
	if last := rows[len(rows)-1]; last.chain != e.chain {
		return fmt.Errorf("its head is %v, and event %d has %v: one of them is not as it was kept", e.chain, e.seq, last.chain)
	}
	return nil
}

// sealed puts a checksum before what a cache keeps, and unsealed takes it off. What does not fit is not there: it can be made again.
func sealed(body []byte) []byte {
	sum := chain.Sum{}.Next(body)
	return append(sum[:], body...)
}

func unsealed(kept []byte) []byte {
	if len(kept) < len(chain.Sum{}) {
		return nil
	}
	sum, body := chain.Sum(kept), kept[len(chain.Sum{}):]
	if sum != (chain.Sum{}).Next(body) {
		return nil
	}
	return body
}

// prefer_chain is prefer.Chain.Next in SQLite, for the migration that gives old logs their checksums. PostgreSQL has sha256.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("prefer_chain", 2, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		var before checksum
		if err := before.Scan(args[0]); err != nil {
			return nil, err
		}
		var next chain.Sum
		switch body := args[1].(type) {
		case string:
			next = chain.Sum(before).Next([]byte(body))
		case []byte: // a damaged row may say so: the bytes are what is read
			next = chain.Sum(before).Next(body)
		default:
			return []byte{}, nil
		}
		return next[:], nil
	})
}
