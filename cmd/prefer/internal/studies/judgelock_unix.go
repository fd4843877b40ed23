//go:build darwin || freebsd || linux

package studies

import (
	"os"
	"syscall"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

// lockJudge keeps a second run of judges from a file. The lock is on a separate file, since closing the study's would end SQLite's locks on it.
func lockJudge(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path+".judge", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close() //nolint:errcheck // nothing was written
		return nil, cli.Failure{Kind: "conflict", Message: "another \"prefer judge\" is at work on " + path + ": wait for it, or stop it; --parallel says how many questions one of them judges at a time"}
	}
	return func() {
		os.Remove(f.Name()) //nolint:errcheck // an empty file that is left does no harm
		f.Close()           //nolint:errcheck // nothing was written
	}, nil
}
