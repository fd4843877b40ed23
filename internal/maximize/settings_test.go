package maximize

import (
	"math"
	"testing"
)

func TestSettingsDefaults(t *testing.T) {
	want := Settings{Memory: 10, MaxEvals: 500, MaxIters: 200, GradTol: 1e-6, ValueTol: 1e-9, FirstStep: 0.2}
	if got := (Settings{}).withDefaults(); got != want {
		t.Errorf("defaults %+v, comments say %+v", got, want)
	}
	if got := want.withDefaults(); got != want {
		t.Errorf("defaults are not kept: %+v", got)
	}
	off := Settings{GradTol: -1, ValueTol: -1}.withDefaults()
	if off.GradTol != -1 || off.ValueTol != -1 {
		t.Errorf("negative tolerances are not kept: %+v", off)
	}
}

func TestSettingsPanics(t *testing.T) {
	for _, s := range []Settings{
		{Memory: -1}, {MaxEvals: -1}, {MaxIters: -1}, {FirstStep: -1},
		{GradTol: math.NaN()}, {ValueTol: math.NaN()}, {FirstStep: math.NaN()},
	} {
		mustPanic(t, "settings", func() { NewLocal(2, s) })
	}
	mustPanic(t, "0 variables", func() { NewLocal(0, Settings{}) })
}
