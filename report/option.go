package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	_ "image/gif"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
	_ "golang.org/x/image/webp"
)

// optionView is an option as the page shows it.
type optionView struct {
	Name     string // of an item
	Text     string
	Picture  template.HTML
	Settings []setting
}

type setting struct{ Name, Value string }

// presenter shows options of one study, with pictures.
type presenter struct {
	view.Presenter
	space space.Space
	items map[string]space.Item
	media func(string) ([]byte, error)
	draw  func(space.Option) string
	album *album
}

func newPresenter(s *prefer.Study, o Options) presenter {
	items := xslices.ToMap(s.Items(false), func(it space.Item) (string, space.Item) { return it.ID, it })
	return presenter{view.New(s, language.English(), ""), s.Config().Space, items, o.Media, o.Draw, &album{by: map[string]int{}}}
}

// show returns an option with everything there is to see.
func (w presenter) show(o space.Option) optionView {
	e := optionView{Picture: w.picture(o), Settings: xslices.Map(w.space.Parameters, func(p space.Parameter) setting { return setting{p.Name, w.Value(p.Name, o[p.Name])} })}
	if it, listed := w.items[o.Item()]; listed {
		e.Name, e.Text = it.ID, it.Text
		for _, name := range slices.Sorted(maps.Keys(it.Features)) {
			e.Settings = append(e.Settings, setting{name, w.Value(name, it.Features[name])})
		}
	}
	return e
}

// Sizes of pictures.
const (
	pictureSide  = 320      // of a picture in the page, in pixels, at most
	smallPicture = 24 << 10 // bytes of a file of such a size that stays as it is
	maxFile      = 64 << 20 // bytes of a file that is read
	maxPixels    = 60e6     // of a picture that is decoded: 240 MB
	maxAlbum     = 8 << 20  // bytes of all pictures of a page; later ones are left out
)

// album are the pictures of a page: each is in it once, however often it is shown.
type album struct {
	shots []shot
	by    map[string]int // by what they show; −1 for what has no picture
	size  int

	missing []string // files that could not be read
}

// missingText says which files could not be read; empty if all could.
func (a *album) missingText() string {
	const most = 5
	names := strings.Join(a.missing[:min(most, len(a.missing))], ", ")
	switch n := len(a.missing); {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("There is no picture of one item: the file %s was not found.", names)
	case n > most:
		names += fmt.Sprintf(" and %d more", n-most)
	}
	return fmt.Sprintf("There are no pictures of %d items: the files %s were not found.", len(a.missing), names)
}

// shot is a picture with its size in units of its own.
type shot struct {
	ID            string
	Width, Height float64
	Address       template.URL // a data URI
}

// picture returns the place of an option's picture in the page; empty where there is none.
func (w presenter) picture(o space.Option) template.HTML {
	if fill := view.Colour(o); fill != "" {
		return template.HTML(fmt.Sprintf(`<svg class="pic" viewBox="0 0 100 100" role="img" aria-label="%s"><rect width="100" height="100" rx="12" fill="%s"/></svg>`, template.HTMLEscapeString(w.Label(o)), fill))
	}
	key := o.String()
	at, known := w.album.by[key]
	if !known {
		at = w.album.add(w.shoot(o))
		w.album.by[key] = at
	}
	if at < 0 {
		return ""
	}
	s := w.album.shots[at]
	return template.HTML(fmt.Sprintf(`<svg class="pic" viewBox="0 0 %g %g" role="img" aria-label="%s"><use href="#%s"/></svg>`, s.Width, s.Height, template.HTMLEscapeString(w.Label(o)), s.ID))
}

// add returns the number of a picture, −1 if there is no room or none.
func (a *album) add(s shot, ok bool) int {
	if !ok || a.size+len(s.Address) > maxAlbum {
		return -1
	}
	s.ID = "pic" + strconv.Itoa(len(a.shots)+1)
	a.size += len(s.Address)
	a.shots = append(a.shots, s)
	return len(a.shots) - 1
}

// shoot makes a picture of an option: what a template draws, or the file of an item. One that cannot be had is no reason to have no report.
func (w presenter) shoot(o space.Option) (shot, bool) {
	if text := w.draw(o); text != "" {
		return drawing([]byte(text))
	}
	it, listed := w.items[o.Item()]
	if !listed || it.Media == "" || strings.Contains(it.Media, "://") || w.media == nil {
		return shot{}, false
	}
	data, err := w.media(it.Media)
	if err != nil && !slices.Contains(w.album.missing, it.Media) { // an item at several settings has one file
		w.album.missing = append(w.album.missing, it.Media)
	}
	if err != nil || len(data) > maxFile {
		return shot{}, false
	}
	if isDrawing.Match(data[:min(len(data), 1024)]) {
		return drawing(data)
	}
	return thumbnail(data)
}

var (
	isDrawing = regexp.MustCompile(`(?i)^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]`)
	viewBox   = regexp.MustCompile(`viewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']`)
)

// drawing takes SVG as it is: as an image it runs no script and loads nothing.
func drawing(data []byte) (shot, bool) {
	s := shot{Width: 100, Height: 100, Address: dataURI("image/svg+xml", data)}
	if m := viewBox.FindSubmatch(data); m != nil {
		w, _ := strconv.ParseFloat(string(m[1]), 64)
		h, _ := strconv.ParseFloat(string(m[2]), 64)
		if r := w / h; r > 0.05 && r < 20 { // else a slip, or a line
			s.Width, s.Height = 100, math.Round(1e4/r)/100
		}
	}
	return s, len(data) > 0
}

// thumbnail makes a picture small: JPEG, or PNG where it is see-through.
func thumbnail(data []byte) (shot, bool) {
	head, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || head.Width < 1 || head.Height < 1 || float64(head.Width)*float64(head.Height) > maxPixels {
		return shot{}, false
	}
	s := shot{Width: float64(head.Width), Height: float64(head.Height)}
	scale := math.Min(1, pictureSide/math.Max(s.Width, s.Height))
	if scale == 1 && len(data) <= smallPicture {
		s.Address = dataURI("image/"+kind, data)
		return s, true
	}
	full, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return shot{}, false
	}
	small, kind, err := media.Shrink(full, pictureSide)
	s.Address = dataURI(kind, small)
	return s, err == nil
}

func dataURI(kind string, data []byte) template.URL {
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
}

// english puts results into words.
var english say.Words
