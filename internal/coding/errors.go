package coding

import (
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer/space"
)

// Refuse returns the error of something the caller gave, by its code: "option", "context", "costly" and those of package prefer.
func Refuse(code, format string, args ...any) error {
	return RefuseField(code, "", nil, format, args...)
}

// RefuseField is Refuse for one field with a value that makes no sense.
func RefuseField(code, field string, value any, format string, args ...any) error {
	return &space.Error{Code: code, Field: field, Value: value, Detail: fmt.Sprintf(format, args...), Err: space.ErrInvalid}
}

// bare returns the text of an error without the name of the module, to stand inside another.
func bare(err error) string { return strings.TrimPrefix(err.Error(), "prefer: ") }
