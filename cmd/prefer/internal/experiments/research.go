package experiments

import (
	"context"
	"errors"
	"os"
	"runtime"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/research"
)

type Research struct {
	Workers int `help:"Processors that one request may use; results do not depend on it. Defaults to all." placeholder:"N"`
}

func (c Research) Run(ctx context.Context, s cli.Streams) error {
	if c.Workers < 0 {
		return cli.FlagError("--workers", c.Workers, "want at least 1")
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	err := research.Serve(ctx, s.In, s.Out, research.Options{Version: cli.ThisBuild().Version, Workers: c.Workers, Whole: isFile(s.In), Stderr: s.Err})
	if stop := context.Cause(ctx); stop != nil && errors.Is(err, stop) {
		return stop
	}
	return err
}

// isFile reports whether in is a file, whose end is known beforehand; that of a pipe is the end of whoever writes into it.
func isFile(in any) bool {
	f, ok := in.(*os.File)
	if !ok {
		return true // a test's
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}
