package outfile

import (
	"io"
	"os"
	"strings"
)

// heads are how the files of a SQLite database begin: https://www.sqlite.org/fileformat.html §1.3, §4.1 and §3. The shared
// memory beside it has no such mark, and goes by its name.
var heads = []string{"SQLite format 3\x00", "\x37\x7f\x06\x82", "\x37\x7f\x06\x83", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"}

// CheckStore refuses a file that is a SQLite database, or has or would have the name of what belongs to one.
func CheckStore(path string) error {
	path, err := follow(path)
	if err != nil {
		return err
	}
	if begins(path, heads...) {
		return refuse(path, "holds studies: want another file")
	}
	return CheckBeside(path)
}

// CheckBeside refuses a file that has or would have the name of what belongs to a SQLite database.
func CheckBeside(path string) error {
	path, err := follow(path)
	if err != nil {
		return err
	}
	for _, beside := range []string{"-wal", "-shm", "-journal"} {
		if name, ok := strings.CutSuffix(path, beside); ok {
			if name, err = follow(name); err == nil && begins(name, heads[0]) {
				return refuse(path, "belongs to a file that holds studies: want another file")
			}
		}
	}
	return nil
}

// begins reports whether a file can be read and begins with one of these. To close a database drops the locks that SQLite has on
// it in this process, which does not matter: whatever is written is then refused.
func begins(path string, with ...string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // to look into a pipe would wait for it
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head)
	for _, w := range with {
		if strings.HasPrefix(string(head[:n]), w) {
			return true
		}
	}
	return false
}
