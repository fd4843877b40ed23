//go:build !unix

package store

import "errors"

// hold is not needed here: a process cannot be frozen.
func hold(string) error { return errors.ErrUnsupported }
