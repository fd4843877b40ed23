//go:build !unix

package chaos

import "errors"

// There is no way to freeze a process here.
func (f *fleet) freeze(int) error { return errors.ErrUnsupported }
func (f *fleet) thaw(int) error   { return errors.ErrUnsupported }
