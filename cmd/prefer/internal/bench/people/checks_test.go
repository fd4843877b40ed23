package people

import (
	"context"
	"math"
	"testing"
)

// TestPlayChecks: of 12 people × 26 questions every tenth of a person's is a catch question, 15 in a hundred are repeats up to one
// for each person, and all that were due came.
func TestPlayChecks(t *testing.T) {
	c, err := PlayChecks(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if c.Catch != (Due{24, 24}) || c.Repeats.Due != c.Repeats.Given || math.Abs(float64(c.Repeats.Due)-0.15*312) >= 12 || c.Missed != 0 {
		t.Errorf("%+v", c)
	}
}
