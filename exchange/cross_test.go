package exchange

import (
	"bytes"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestReadPairsCrossed: pairs of items at settings suggest a list crossed with the parameters that the settings span, one item at two settings among them, and what is
// read makes a study whose table has both.
func TestReadPairsCrossed(t *testing.T) {
	im, err := Pairs{}.Read(strings.NewReader(`{"winner":{"item":"a","heat":0.2},"loser":{"item":"b","heat":0.9}}
{"winner":{"item":"a","heat":0.2},"loser":{"item":"a","heat":0.5}}
`))
	if err != nil {
		t.Fatal(err)
	}
	if p := im.Space.Parameters; len(im.Space.Items) != 2 || len(p) != 1 || p[0].Name != "heat" || p[0].Low != 0.2 || p[0].High != 0.9 || !im.Space.Crossed() {
		t.Fatalf("the space is %+v", im.Space)
	}
	s, err := prefer.New(t.Context(), prefer.Config{Space: im.Space})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range im.Duels {
		if _, err := s.Observe(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := (Table{}).Write(&out, "s", s.Events(0)); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "left.item,left.heat,right.item,right.heat") || !strings.Contains(text, "o1,o2,a,0.2,b,0.9") || !strings.Contains(text, "o1,o3,a,0.2,a,0.5") {
		t.Error(text)
	}
	for _, bad := range []string{
		`{"winner":{"item":"a","heat":0.2},"loser":{"item":"a","heat":0.2}}`,
		`{"winner":{"item":"a","heat":0.2},"loser":{"item":"b"}}`,
		`{"winner":{"item":"a","heat":0.2},"loser":"b"}`,
	} {
		if _, err := (Pairs{}).Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
