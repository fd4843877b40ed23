package store

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// silence bounds how long PostgreSQL may say nothing. A server that is frozen, or behind a network that loses every
// packet, neither answers nor hangs up: a statement without a reply after limit is given up, and its connection with it.
// pgx calls the methods at the beginning and at the end of each statement and works with the context they return.
type silence struct{ limit time.Duration }

type (
	stopKey    struct{} // of what ends the time of a statement
	patientKey struct{} // of statements that take as long as they take
	connectKey struct{} // of dialling for a connection
)

// patient marks statements that may take long: those that write tables anew.
func patient(ctx context.Context) context.Context { return context.WithValue(ctx, patientKey{}, true) }

func (s silence) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	if ctx.Value(patientKey{}) != nil {
		return ctx
	}
	ctx, stop := context.WithTimeout(ctx, s.limit)
	return context.WithValue(ctx, stopKey{}, stop)
}

func (silence) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if stop, ok := ctx.Value(stopKey{}).(context.CancelFunc); ok {
		stop()
	}
}

func (silence) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	return context.WithValue(ctx, connectKey{}, true)
}

func (silence) TraceConnectEnd(context.Context, pgx.TraceConnectEndData) {}

// errNoCancel is what pgx hears when it wants to have a statement cancelled.
var errNoCancel = errors.New("store: statements are not cancelled")

// quietly dials for connections and for nothing else. When pgx gives a connection up it dials once more to have the statement cancelled. A COMMIT that waits
// for a synchronous standby must not be: PostgreSQL then stops waiting and keeps the change here alone, where the next attempt would find it and acknowledge
// what a failover loses. What runs on for nobody ends with statement_timeout.
func quietly(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if ctx.Value(connectKey{}) == nil {
			return nil, errNoCancel
		}
		return dial(ctx, network, address)
	}
}
