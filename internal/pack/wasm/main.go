//go:build js && wasm

// Command wasm is a session of package pack for a browser: built for js/wasm, it runs in a worker of the page that the package writes.
//
// It leaves one function in the worker, preferOpen(study, log, rater, keep), which promises {path, serve}. study is JSON, log the lines kept before, and keep
// a function that takes the lines to keep and promises that they are. serve(method, path, headers, body) promises {status, headers, body}.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"syscall/js"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/internal/strictjson"
)

func main() {
	js.Global().Set("preferOpen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		study, log, rater, keep := args[0].String(), args[1].String(), args[2].String(), args[3]
		return promise(func() (any, error) { return open(study, log, rater, keep) })
	}))
	select {}
}

func open(text, log, rater string, keep js.Value) (any, error) {
	var study pack.Study
	if err := strictjson.Decode([]byte(text), &study); err != nil {
		return nil, fmt.Errorf("the study of this file cannot be read: %w", err)
	}
	who := pack.Participant{Rater: rater, Keep: keeper(keep), Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	for n, line := range strings.Split(strings.TrimSuffix(log, "\n"), "\n") {
		if line == "" {
			continue
		}
		e, err := prefer.ReadEvent([]byte(line))
		if err != nil {
			return nil, fmt.Errorf("line %d of what this browser has kept cannot be read: %w", n+1, err)
		}
		who.Events = append(who.Events, e)
	}
	session, err := pack.Open(context.Background(), study, who)
	if err != nil {
		return nil, err
	}
	serve := js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, path, headers, body := args[0].String(), args[1].String(), args[2].String(), args[3].String()
		return promise(func() (any, error) { return answer(session, method, path, headers, body) })
	})
	return map[string]any{"path": session.Path(), "serve": serve}, nil
}

// keeper hands events to the page, and waits until they are kept.
func keeper(keep js.Value) func(context.Context, []prefer.Event) error {
	return func(_ context.Context, events []prefer.Event) error {
		var lines strings.Builder
		for _, e := range events {
			line, err := e.Line()
			if err != nil {
				return err
			}
			lines.Write(line)
			lines.WriteByte('\n')
		}
		kept := make(chan error, 1)
		done := js.FuncOf(func(js.Value, []js.Value) any { kept <- nil; return nil })
		failed := js.FuncOf(func(_ js.Value, args []js.Value) any { kept <- errors.New(args[0].Get("message").String()); return nil })
		defer done.Release()
		defer failed.Release()
		keep.Invoke(events[0].Seq, lines.String()).Call("then", done, failed)
		return <-kept
	}
}

func answer(h http.Handler, method, path, headers, body string) (any, error) {
	r, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	var fields map[string]string
	if err := json.Unmarshal([]byte(headers), &fields); err != nil {
		return nil, err
	}
	for name, value := range fields {
		r.Header.Set(name, value)
	}
	r.RequestURI = path
	w := &reply{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(w, r)
	out := map[string]any{}
	for name := range w.header {
		out[name] = w.header.Get(name)
	}
	sent := js.Global().Get("Uint8Array").New(w.Len())
	js.CopyBytesToJS(sent, w.Bytes())
	return map[string]any{"status": w.status, "headers": out, "body": sent}, nil
}

// reply is what a handler writes, in memory.
type reply struct {
	bytes.Buffer
	header http.Header
	status int
}

func (r *reply) Header() http.Header    { return r.header }
func (r *reply) WriteHeader(status int) { r.status = status }

// promise runs do in a goroutine: blocking in a callback would stop everything.
func promise(do func() (any, error)) js.Value {
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		go func() {
			if v, err := do(); err != nil {
				reject.Invoke(js.Global().Get("Error").New(err.Error()))
			} else {
				resolve.Invoke(v)
			}
		}()
		return nil
	})
	defer executor.Release()
	return js.Global().Get("Promise").New(executor)
}
