package paste

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// summary writes a proposal's places as "name low–high value unit", those that do not vary in brackets.
func summary(p Proposal) string {
	var out []string
	for _, x := range p.Places {
		text := x.Param.Name + " " + string(x.Param.Type)
		for _, v := range []string{space.ValueOf(x.Param.Low).String(), space.ValueOf(x.Param.High).String()} {
			if len(x.Param.Choices) == 0 && x.Param.Type != "bool" {
				text += " " + v
			}
		}
		for _, c := range x.Param.Choices {
			text += " <" + c.String() + ">"
		}
		switch {
		case x.Param.Circular:
			text += " round"
		}
		if text += " = " + x.Value.String() + x.Unit; !x.On {
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		text, markup   string
		is, kind, name string
		part           string // of the template
		want           string // places
	}{
		{text: "http://localhost:3000/?hue=200&radius=12", is: "address", kind: "page", name: "localhost", part: "http://localhost:3000/?hue={{hue}}&radius={{radius}}",
			want: "hue float 0 360 round = 200; radius int 0 36 = 12"},
		{text: "localhost:3000/button?dark=true&size=1.5rem&font=Inter&w=50%25#top", is: "address", kind: "page", name: "localhost", part: "http://localhost:3000/button?dark={{dark}}&size={{size}}rem&font={{font}}&w={{w}}%25#top",
			want: "dark bool = true; size float 0.75 3 = 1.5rem; (font categorical <Inter> = Inter); w float 0 100 = 50%"},
		{text: "https://example.org/draw.png?size={{size}}", is: "address", kind: "image", name: "example.org", part: "https://example.org/draw.png?size={{size}}", want: "size int 8 32 = 16"},
		{text: "https://example.org/a", is: "address", kind: "page", name: "example.org", part: "https://example.org/a"},
		{text: "--radius: 12px; --hue: 200", is: "CSS", kind: "html", name: "style", part: ":root {\n--radius: {{radius}}px; --hue: {{hue}}\n}", want: "radius int 0 36 = 12px; hue float 0 360 round = 200"},
		{text: ".chip { --pad: .5em; --t: 200ms; /* --no: 1px; */ content: '--neither: 2px;' }", is: "CSS", kind: "html", name: "style", part: ".chip { --pad: {{pad}}em; --t: 200ms; /* --no: 1px; */ content: '--neither: 2px;' }",
			want: "pad float 0.25 1 = 0.5em"},
		{text: ":root{--brand:#0f6a5f;--line:#ccc}", is: "CSS", kind: "html", name: "style", part: ":root{--brand:oklch({{brand lightness}} {{brand chroma}} {{brand hue}});--line:#ccc}",
			want: "(brand lightness float 0.15 0.8 = 0.472); (brand chroma float 0 0.25 = 0.081); brand hue float 0 360 round = 182"},
		{text: "a:hover { color: red; --letter-spacing: -0.02em; --family: \"Inter\", sans-serif; --weight: 600 }", is: "CSS", kind: "html", name: "style", part: "--letter-spacing: {{letter-spacing}}em; --family: {{family}}; --weight: {{weight}} }",
			want: "letter-spacing float -0.04 0.04 = -0.02em; family categorical <Inter, sans-serif> <system-ui, sans-serif> <Georgia, serif> <ui-monospace, monospace> = Inter, sans-serif; weight int 100 900 = 600"},
		{text: "--r: 4px", markup: "<html><head><title>My card</title></head><p>Hi</p></html>", is: "CSS", kind: "html", name: "My card", part: "<style>\n:root {\n--r: {{r}}px\n}\n</style>\n</head>", want: "r int 2 8 = 4px"},
		{text: "<title>Don't: &quot;you&quot;</title><p style='--gap: 8px; color: red'>It's: 3px;</p>", is: "HTML", kind: "html", name: "Don t: you", part: "style='--gap: {{gap}}px; color: red'>It's: 3px;", want: "gap int 0 24 = 8px"},
		{text: "<p style=\"font-size:{{size}}px\">{{ word }}</p>", is: "HTML", kind: "html", name: "page", part: "{{size}}px", want: "size int 8 32 = 16px; word float 0 1 = 0.5"},
		{text: "<svg viewBox=\"0 0 9 9\"><style>circle{--r:3;--ink:#c00}</style><circle r=\"2\"/></svg>", is: "SVG", kind: "svg", name: "drawing", part: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>circle{--r:{{r}};--ink:oklch({{ink lightness}}`,
			want: "r int 1 6 = 3; (ink lightness float 0.2 0.85 = 0.531); (ink chroma float 0 0.25 = 0.218); ink hue float 0 360 round = 29"},
		{text: ".btn--primary:hover { color: red; margin: 4px }", is: "CSS", kind: "html", name: "style", part: ".btn--primary:hover { color: red; margin: 4px }"},
		{text: "<?xml version=\"1.0\"?><!-- <p> --><svg xmlns=\"http://www.w3.org/2000/svg\"></svg>", is: "SVG", kind: "svg", name: "drawing"},
	} {
		p, err := Read(c.text, c.markup)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if p.Is != c.is || p.Kind != c.kind || p.Name != c.name || !strings.Contains(p.Text, c.part) {
			t.Errorf("%s is %s of kind %s, called %q:\n%s", c.text, p.Is, p.Kind, p.Name, p.Text)
		}
		if got := summary(p); got != c.want {
			t.Errorf("%s\n has %s\nwant %s", c.text, got, c.want)
		}
	}
	for _, text := range []string{"", "  \n", "hello", "hello world", "example.org/a", "ftp://example.org/", strings.Repeat("a", MaxText+1), "a\x00b", "\xff"} {
		if p, err := Read(text, ""); err == nil {
			t.Errorf("%.20q is taken for %+v", text, p)
		}
	}
}

// A custom property that is declared twice is one parameter; the specimen uses what its name says, and says what it has no use for.
func TestSpecimen(t *testing.T) {
	p, err := Read(":root{--card-radius:12px;--wobble:3px} .dark{--card-radius:8px}", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := summary(p), "card-radius int 0 36 = 12px"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !strings.Contains(p.Text, "--s-radius: var(--card-radius); }") || strings.Count(p.Text, "{{card-radius}}px") != 2 {
		t.Error(p.Text)
	}
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "--wobble") || strings.Contains(p.Notes[0], "radius") {
		t.Errorf("notes %q", p.Notes)
	}
}

// Of a theme with many values not all of them are offered, and few vary at first.
func TestCalm(t *testing.T) {
	p, err := Read(":root{--c1:#f00;--c2:#0f0;--c3:#00f;--c4:#ff0;--c5:#f0f;--radius:4px;--size:1rem;--line-height:1.5;--gap:8px;--link-color-rgb:13,110,253}", "<p>A page")
	if err != nil {
		t.Fatal(err)
	}
	var on []string
	for _, x := range p.Places {
		if x.On {
			on = append(on, x.Param.Name)
		}
	}
	if got := strings.Join(on, " "); got != "c1 hue c2 hue c3 hue c4 hue radius size" || len(p.Places) != 16 || !strings.Contains(p.Notes[0], "Other values, 1 of them") {
		t.Errorf("%s vary of %d; %q", got, len(p.Places), p.Notes)
	}
}

// Whatever is pasted, what is proposed is a space that holds the values found, every place of the template is one of it, and putting
// the values back gives a template that nothing more is found missing in.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"http://localhost:3000/?hue=200&radius=12", "--a: 12px; --b: #abc; --c: -.5em; --d: 0ms", "<svg><style>:root{--x:1}</style><path r=\"0\" fill=\"#fff8\"/></svg>",
		"<p style=\"--a:1px\">{{b}}px</p>", "a{b:c;d:rgb(1,2,3)}/*", "x.y/?a=%zz&b=&=c&d=1e9", "{{:0;{}{{a}}", "--0:{{a}};--1:2"} {
		f.Add(seed, "")
		f.Add("--x:4px;"+seed, "<p>"+seed)
	}
	f.Fuzz(func(t *testing.T, text, markup string) {
		p, err := Read(text, markup)
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, x := range p.Places {
			names[x.Param.Name] = true
			if len(x.Param.Choices) == 1 {
				continue // who wants to vary it adds others
			}
			space := space.Box(x.Param)
			if _, err := prefer.New(t.Context(), prefer.Config{Space: space}); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if _, err := space.Parse(map[string]string{x.Param.Name: x.Value.String()}, false); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		if len(names) != len(p.Places) {
			t.Fatalf("%q: two places have the same name: %s", text, summary(p))
		}
		if len(p.Places) <= maxPlaces && !strings.Contains(strings.Join(p.Notes, " "), "Other values") {
			for _, m := range place.FindAllStringSubmatch(p.Text, -1) {
				if !names[m[1]] {
					t.Fatalf("%q: the template has a place for %q, which is not proposed: %s", text, m[1], p.Text)
				}
			}
		}
	})
}
