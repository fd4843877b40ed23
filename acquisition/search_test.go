package acquisition

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkSearch is the complete choice of a question by each method, the search for x̂ included, on
// a study of Hartmann-6 after 24 + 104 answers.
func BenchmarkSearch(b *testing.B) {
	f := freeze(b, "hartmann6", 1, 104)[0]
	for _, method := range Methods() {
		b.Run(fmt.Sprintf("%s/n128/d6", method), func(b *testing.B) {
			for b.Loop() {
				if _, err := Ask(context.Background(), method, f.task); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
