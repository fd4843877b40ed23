package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/prefer-bo/prefer/space"
)

// wholeSum is the size up to which all of a file is read for its sum. Of a longer one, a film mostly, this much at both ends is, and its length.
const wholeSum = 4 << 20

// AddSums names the content of the files that items have (Item.Sum), so that one that is changed later is told from one that is not. A file that
// cannot be read has no sum.
func AddSums(root *os.Root, items []space.Item) {
	next := make(chan int)
	var done sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(items)) {
		done.Go(func() {
			for i := range next {
				items[i].Sum = sumOf(root, items[i].Media)
			}
		})
	}
	for i, it := range items {
		if it.Media != "" {
			next <- i
		}
	}
	close(next)
	done.Wait()
}

// sumOf returns the sum of a file, or nothing.
func sumOf(root *os.Root, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	return Sum(f)
}

// Sum names the content of a file: 64 bits of SHA-256 in hexadecimal, of which two of a million different files have the same with a chance of 3e-8.
// It is empty if the file cannot be read.
func Sum(f *os.File) string {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	h, size := sha256.New(), info.Size()
	if size <= 2*wholeSum {
		_, err = io.Copy(h, io.NewSectionReader(f, 0, size))
	} else {
		fmt.Fprintln(h, size)
		_, err = io.Copy(h, io.NewSectionReader(f, 0, wholeSum))
		if err == nil {
			_, err = io.Copy(h, io.NewSectionReader(f, size-wholeSum, wholeSum))
		}
	}
	if err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
