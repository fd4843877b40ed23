//go:build !js

package page

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Start is the first page.
type Start struct {
	Frame
	Demos   []demo.Demo
	Studies []Row
	Fold    int  // how many of them are in sight
	Uploads bool // files can be kept
	Limits  Limits
}

// start shows the owner the studies there are, and ways to make one.
func (p *Pages) start(w http.ResponseWriter, r *http.Request) error {
	if to := p.begin(r); to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
	demos, err := demo.Drawn()
	if err != nil {
		return err
	}
	studies, err := p.Studies.List(r.Context())
	if err != nil {
		return err
	}
	slices.SortFunc(studies, func(a, b store.Info) int { return b.Changed.Compare(a.Changed) })
	frame := Frame{Root: p.Root, Title: "prefer", Owner: true}
	return p.write(w, http.StatusOK, "", Start{Frame: frame, Demos: demos, Studies: shelf(studies, time.Now()), Fold: shelved, Uploads: p.Files.Uploads != "", Limits: limits})
}

// create makes a study under this name, or with a number after it if that is taken, and replies with the name.
func (p *Pages) create(w http.ResponseWriter, r *http.Request, name string, cfg prefer.Config, settings live.Settings) error {
	name, err := p.freeName(r.Context(), name)
	if err != nil {
		return err
	}
	if err := p.Studies.Create(r.Context(), name, cfg, settings); err != nil {
		return problem.Explain(r.Context(), p.Logger, err, "body.name")
	}
	return reply(w, map[string]string{"name": name})
}

// slug keeps of a name what an address can hold without escapes; spaces become dashes.
func slug(text string) string {
	out := strings.Map(func(c rune) rune {
		switch {
		case c == ' ' || c == '/' || c == '\\':
			return '-'
		case c < ' ' || strings.ContainsRune("?#%&\"'<>", c):
			return -1
		}
		return c
	}, strings.TrimSpace(text))
	return strings.Trim(out, "-.")
}

// shelved is how many studies the start page shows before it is asked for all.
const shelved = 6

// Row is a study on the start page.
type Row struct {
	store.Info
	Title string // its name as people would write it
	Words string // how far it is
}

// shelf lists studies as people read them.
func shelf(studies []store.Info, now time.Time) []Row {
	return xslices.Map(studies, func(s store.Info) Row {
		words := "No answers yet"
		if s.Answers > 0 {
			words = say.Count(s.Answers, "answer")
		}
		return Row{s, spoken(s.Name), words + " · " + ago(s.Changed, now)}
	})
}

var numberedName = regexp.MustCompile(`^(.*[^-\d])-(\d{1,3})$`)

// spoken writes the name of a study for people: "creatures-2" is Creatures 2. Names with capitals or spaces were written by people already.
func spoken(name string) string {
	if strings.ContainsFunc(name, func(c rune) bool { return unicode.IsUpper(c) || c == ' ' }) {
		return numberedName.ReplaceAllString(name, "$1 $2")
	}
	name = strings.ReplaceAll(name, "-", " ")
	first, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[n:]
}

// ago says when something was, as far back as people count.
func ago(t, now time.Time) string {
	days := int(now.Sub(t).Hours() / 24)
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return say.Count(int(d.Minutes()), "minute") + " ago"
	case d < 24*time.Hour:
		return say.Count(int(d.Hours()), "hour") + " ago"
	case days < 30:
		return say.Count(days, "day") + " ago"
	}
	return t.Format("2 January 2006")
}

// thumb draws a study in small: the option that was taken most often, else the first item or the middle of every range. A page is drawn by the browser.
func (p *Pages) thumb(w http.ResponseWriter, r *http.Request, v visitor) error {
	w.Header().Set("Cache-Control", "private, max-age=86400") // the address has the number of events
	option := v.favoured()
	item, _ := v.item(option.Item())
	switch kind := v.Settings.Page.Template.Kind; {
	case kind == "html":
		q := url.Values{}
		for name, value := range option {
			q.Set(name, value.String())
		}
		width, height := v.Settings.Page.Template.Size()
		return reply(w, map[string]any{"draw": v.base + "/draw?" + q.Encode(), "width": width, "height": height})
	case kind == "svg":
		return glyph(w, fill(v.Settings.Page.Template, v.Values(option)))
	case kind == "" && media.Type(item.Media) == "image" && strings.HasPrefix(p.Files.URL(v.Name, item.Media), p.Files.Prefix+"/m/"):
		http.Redirect(w, r, p.Files.Of(v.Name, item), http.StatusSeeOther)
		return nil
	case kind != "":
		return glyph(w, drawnAs["page"])
	case item.ID != "":
		return glyph(w, drawnAs[media.Type(item.Media)])
	}
	return glyph(w, bars(v.Config.Space.Parameters, option))
}

// favoured is the option that a study is shown by.
func (v visitor) favoured() space.Option {
	wins, best := map[string]int{}, 0
	var out space.Option
	for _, e := range v.Study.Study.History() {
		won := map[prefer.Choice]space.Option{prefer.First: e.First, prefer.Second: e.Second}[e.Answer.Choice]
		if won == nil || e.Undone || e.Blind {
			continue
		}
		key := won.String()
		if wins[key]++; wins[key] >= best {
			best, out = wins[key], won
		}
	}
	if out != nil {
		return out
	}
	out = space.Option{}
	if items := v.Items(); len(items) > 0 {
		out = space.ItemOption(items[0].ID)
	}
	for _, q := range v.Config.Space.Parameters {
		if values := q.Values(); len(values) > 0 {
			out[q.Name] = values[len(values)/2]
		} else {
			out[q.Name] = space.ValueOf((q.Low + q.High) / 2)
		}
	}
	return out
}

// glyph sends a small drawing.
func glyph(w http.ResponseWriter, svg string) error {
	return send(w, "image/svg+xml", drawingPolicy, svg)
}

// small begins a drawing of ours, in the colours of the pages, light and dark.
const small = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 56"><style>.g{fill:#e2f1ed}.l{fill:none;stroke:#0f6a5f;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}.f{fill:#0f6a5f}.s{fill:#b9d8d1}` +
	`@media(prefers-color-scheme:dark){.g{fill:#1d342f}.l{stroke:#7fd6c2}.f{fill:#7fd6c2}.s{fill:#33564f}}</style><path class="g" d="M0 0h56v56H0z"/>`

// drawnAs are the drawings of what has no picture, by kind of media.
var drawnAs = map[string]string{
	"page":  small + `<path class="l" d="M13 15h30v26H13zM13 22h30M18 18.5h.1M22 18.5h.1"/></svg>`,
	"image": small + `<path class="l" d="M13 15h30v26H13zM16 38l9-11 7 8 4-4 5 6"/><circle class="f" cx="36" cy="22" r="2.5"/></svg>`,
	"audio": small + `<path class="l" d="M14 25v6M20 19v18M26 23v10M32 15v26M38 21v14M44 26v4"/></svg>`,
	"video": small + `<path class="l" d="M22 17v22l18-11z"/></svg>`,
	"text":  small + `<path class="l" d="M15 19h26M15 26h26M15 33h20M15 40h12"/></svg>`,
	"other": small + `<path class="l" d="M15 19h26M15 26h26M15 33h20M15 40h12"/></svg>`,
}

// bars draws an option by the values of its first four parameters: a colour if it is one, else a bar each.
func bars(space []space.Parameter, o space.Option) string {
	if fill := view.Colour(o); fill != "" {
		return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 56"><path style="fill:%s" d="M0 0h56v56H0z"/></svg>`, fill)
	}
	var b strings.Builder
	b.WriteString(small)
	n := min(len(space), 4)
	for i, q := range space[:n] {
		part, _ := view.Position(q, o[q.Name])
		y := 28 + (float64(i)-float64(n)/2)*9 + 1.5
		fmt.Fprintf(&b, `<rect class="s" x="12" y="%.1f" width="32" height="6" rx="3"/><rect class="f" x="12" y="%.1f" width="%.1f" height="6" rx="3"/>`, y, y, 6+26*part)
	}
	return b.String() + "</svg>"
}

func findDemo(name string) (demo.Demo, error) {
	demos, err := demo.Drawn()
	if err != nil {
		return demo.Demo{}, err
	}
	at := slices.IndexFunc(demos, func(d demo.Demo) bool { return d.Name == name })
	if at < 0 {
		return demo.Demo{}, problem.New(http.StatusNotFound, "no_demo", fmt.Sprintf("there is no demonstration %.40q", name))
	}
	return demos[at], nil
}

// demoLook is how a demonstration is drawn.
func demoLook(d demo.Demo) live.Appearance {
	return live.Appearance{Template: live.Template{Kind: "svg", Text: d.Drawing}, Goal: d.Goal}
}

// sample draws an option of a demonstration, for the start page.
func (p *Pages) sample(w http.ResponseWriter, r *http.Request) error {
	d, err := findDemo(r.PathValue("demo"))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, max-age=3600")
	return glyph(w, fill(demoLook(d).Template, view.Values(d.Config.Space.Items, d.Sample)))
}

// startDemo makes a study of a demonstration, under a name that is free.
func (p *Pages) startDemo(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name string `json:"name"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	d, err := findDemo(body.Name)
	if err != nil {
		return err
	}
	return p.create(w, r, d.Name, d.Config, live.Settings{ShowResult: true, Page: demoLook(d)})
}
