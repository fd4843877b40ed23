package prefer

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

func TestConstraints(t *testing.T) {
	s := space.Space{Parameters: []space.Parameter{space.LogFloat("brightness", 0.2, 2), {Name: "blur", Type: "int", Low: 0, High: 20, Step: 2}, space.Categorical("font", "serif", "sans", "mono"), space.Switch("shadow"), space.Ordinal("n", space.ValueOf(1), space.ValueOf(2))},
		Constraints: []string{"brightness + 0.05*blur <= 2.2", `font != "mono" or !shadow`, "shadow ? blur > 2 : true", "n in [1, 2]"}}
	if _, err := coding.New(s); err != nil {
		t.Fatal(err)
	}
	option := func(brightness, blur float64, font string, shadow bool) space.Option {
		return space.Option{"brightness": space.ValueOf(brightness), "blur": space.ValueOf(blur), "font": space.ValueOf(font), "shadow": space.ValueOf(shadow), "n": space.ValueOf(1)}
	}
	for _, c := range []struct {
		o    space.Option
		want string
	}{
		{option(2, 4, "serif", true), ""},
		{option(1.2, 20, "mono", false), ""},
		{option(2, 6, "serif", true), "brightness + 0.05*blur <= 2.2"},
		{option(1, 6, "mono", true), "mono"},
		{option(1, 2, "sans", true), "shadow ?"},
	} {
		_, err := unitOf(s, c.o)
		if c.want == "" && err != nil {
			t.Errorf("%v: %v", c.o, err)
		}
		if c.want != "" && (errcode.Of(err) != "option" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: error %v, want one about %q", c.o, err, c.want)
		}
	}
}
