//go:build !unix

package sqlstore

import "errors"

// hold is not needed here: a process cannot be frozen.
func hold(string) error { return errors.ErrUnsupported }
