package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer/internal/outfile"
)

// ForceFlag is for commands that write files.
type ForceFlag struct {
	Force bool `help:"Write over a file that prefer did not make. Over a study never." env:"-"`
}

// Check says before the work whether the file that a flag names could be written.
func (f ForceFlag) Check(flag, path string) error {
	return WrapFileError(flag, path, outfile.Check(path, f.Force))
}

// Write writes that file.
func (f ForceFlag) Write(flag, path string, write func(io.Writer) error) error {
	return WrapFileError(flag, path, outfile.Write(path, f.Force, write))
}

// WriteBytes writes that file at once.
func (f ForceFlag) WriteBytes(flag, path string, data []byte) error {
	return f.Write(flag, path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// WrapFileError makes what is wrong with a path the fault of the flag that names it, or a folder that it is in.
func WrapFileError(flag, path string, err error) error {
	var refused *outfile.Refusal
	if errors.As(err, &refused) {
		return WrapFlagError(fmt.Errorf("%s %w", flag, refused), flag, path)
	}
	return err
}
