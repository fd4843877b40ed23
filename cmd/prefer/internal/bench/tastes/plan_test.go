package tastes

import (
	"context"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		p    Plan
		want string
	}{
		{Plan{Marks: []int{5, 5}}, "Marks"}, {Plan{Raters: []string{"grumpy"}}, "grumpy"}, {Plan{Methods: []string{"guess"}}, "guess"},
		{Plan{Families: []string{"salty"}}, "salty"}, {Plan{Dims: []int{9}}, "Dim"}, {Plan{Modelling: bench.Modelling{Trend: "cubic"}}, "cubic"},
	} {
		if err := c.p.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error about %s", c.p, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, _ := bench.OpenRows[key, Study]("")
	if _, err := short().Run(ctx, f, nil); err != context.Canceled {
		t.Errorf("a plan that was called off: %v", err)
	}
}
