package chart

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// TestDrawing: whatever the texts are, the markup is one well-formed element with those texts in it.
func TestDrawing(t *testing.T) {
	const rude = `</title><script>"&'`
	d := New("chart", 10.04, 20, rude)
	d.Line("axis", 0, 1, 2, 3)
	d.Rect("bar", 0, 0, 1, 1)
	d.Dot("dot", 1, 1, 2, rude)
	d.Text("tick", "middle", 1, -0.04, rude)
	d.TextTip("tick", "end", 1, 1, rude, rude)
	d.Swatch(0, 0, 1, 1, rude)
	d.Spot(0, 0, 4, 4, [2]float64{2, 2}, 9, 0, 100, 12, rude)
	d.Path("band", true, [][2]float64{{0, 0}, {1, 2.25}})
	d.Path("empty", false, nil)
	text := string(d.HTML())
	for _, want := range []string{`class="chart" viewBox="0 0 10 20"`, `d="M0 0L1 2.3Z"`, `y="0"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	if strings.Contains(text, "empty") {
		t.Error("a path of no points is drawn")
	}
	said := 0
	for r := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := r.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		switch e := token.(type) {
		case xml.CharData:
			if string(e) == rude {
				said++
			}
		case xml.StartElement:
			if e.Name.Local == "script" {
				t.Error("a text became an element")
			}
			for _, a := range e.Attr {
				if a.Name.Local == "aria-label" && a.Value != rude {
					t.Errorf("the label is %q", a.Value)
				}
			}
		}
	}
	if said != 5 {
		t.Errorf("%d of 5 texts are as they were written", said)
	}
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{"short": "short", "exactly ten": "exactly t…", "été en été": "été en été"} {
		if got := Clip(text, 10); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
