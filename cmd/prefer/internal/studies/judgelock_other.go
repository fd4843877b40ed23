//go:build !(darwin || freebsd || linux)

package studies

// lockJudge would keep a second run of judges from a file; here it does not.
func lockJudge(string) (unlock func(), err error) { return func() {}, nil }
