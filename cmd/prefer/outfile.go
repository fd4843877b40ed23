package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer/internal/outfile"
)

// forceFlag is for commands that write files.
type forceFlag struct {
	Force bool `help:"Write over a file that prefer did not make. Over a study never." env:"-"`
}

// check says before the work whether the file that a flag names could be written.
func (f forceFlag) check(flag, path string) error {
	return blameFile(flag, path, outfile.Check(path, f.Force))
}

// write writes that file.
func (f forceFlag) write(flag, path string, write func(io.Writer) error) error {
	return blameFile(flag, path, outfile.Write(path, f.Force, write))
}

// blameFile makes what is wrong with a path the fault of the flag that names it, or a folder that it is in.
func blameFile(flag, path string, err error) error {
	var refused *outfile.Refusal
	if errors.As(err, &refused) {
		return badFlag(fmt.Errorf("%s %w", flag, refused), flag, path)
	}
	return err
}
