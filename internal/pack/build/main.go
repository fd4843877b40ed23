// Command build builds the core of packed files from this checkout into the file it is told: go run ./internal/pack/build internal/pack/core.wasm.gz
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/prefer-bo/prefer/internal/pack"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "want the file to write")
		os.Exit(2)
	}
	if err := pack.Build(context.Background(), ".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
