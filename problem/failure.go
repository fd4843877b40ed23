package problem

// Failure is what the F of a problem panics with if it cannot tell a utility, as one that another program computes may.
// Package bench makes it the error of the cell.
type Failure struct{ Err error }

func (f Failure) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f Failure) Unwrap() error { return f.Err }

// Catch turns a Failure that do panics with into its error.
func Catch(do func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Failure:
			err = r.Err
		default:
			panic(r)
		}
	}()
	return do()
}
