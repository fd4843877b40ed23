// Package paste turns a pasted text (an address, CSS, HTML or SVG) into a template and the parameters that could vary in it, for a person to
// review before it becomes a study. The text is untrusted; this package opens no address.
package paste

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxText is the longest text that Read accepts, in bytes: that of the largest template.
const MaxText = 1 << 20

// Proposal is a template, and what could vary in it.
type Proposal struct {
	Is     string   `json:"is"`   // what the text was taken for: "address", "CSS", "HTML" or "SVG"
	Kind   string   `json:"kind"` // of template: "page" or "image" elsewhere, "html" or "svg"
	Text   string   `json:"text"` // the template, {{name}} where a value goes
	Name   string   `json:"name"` // proposed name of the study
	Places []Place  `json:"places"`
	Notes  []string `json:"notes,omitempty"` // hints for the reader
}

var (
	// place matches a placeholder, as live.Template does.
	place   = regexp.MustCompile(`\{\{\s*([^{}]+?)\s*\}\}`)
	address = regexp.MustCompile(`^(?i)(?:https?://[^\s<>]+|localhost(?:[:/?#][^\s<>]*)?)$`)
	query   = regexp.MustCompile(`[?&]([^=&#]+)=([^&#]*)`)
	image   = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|webp|avif|svg|bmp)$`)

	// custom matches the custom properties of CSS, in two groups, and without them comments, strings and names that contain "--".
	custom   = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\w--[\w-]*|(--[\pL_][\pL\pN_-]*)\s*:\s*([^;{}]*[^;{}\s])`)
	declares = regexp.MustCompile(`(?:[a-zA-Z]|--[\pL_][\pL\pN_-]*)\s*:\s*[^/\s]`)

	drawing = regexp.MustCompile(`^(?is)(<\?xml.*?\?>|<!--.*?-->|<!doctype[^>]*>|\s)*<svg\b`)
	styles  = regexp.MustCompile(`(?is)(<style\b[^>]*>)(.*?)(</style>)|(\sstyle\s*=\s*")([^"]*)(")|(\sstyle\s*=\s*')([^']*)(')`)
	titles  = regexp.MustCompile(`(?is)<title\b[^>]*>(.*?)</`)
	special = regexp.MustCompile(`[/\\?#%&"'<>{}\x00-\x1f]`)
	outside = regexp.MustCompile(`(?i)<(?:link|script|img|iframe|video|audio|source)\b[^>]*\s(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(\s*["']?(?:https?:)?//`)
)

// Read makes a proposal of a text. markup is the page that a style sheet belongs to; without it a specimen page shows the sheet.
func Read(text, markup string) (Proposal, error) {
	text, markup = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), strings.TrimSpace(markup)
	switch n := max(len(text), len(markup)); {
	case n > MaxText:
		return Proposal{}, fmt.Errorf("this has %d bytes, want at most %d", n, MaxText)
	case text == "":
		return Proposal{}, errors.New("there is nothing here yet: paste an address, CSS or HTML")
	case !utf8.ValidString(text+markup) || strings.ContainsRune(text+markup, 0):
		return Proposal{}, errors.New("this is not text: want UTF-8")
	}
	f := &finder{same: map[string]string{}, taken: map[string]bool{}}
	var p Proposal
	var err error
	switch {
	case address.MatchString(place.ReplaceAllString(text, "0")):
		p, err = f.address(text)
	case strings.HasPrefix(text, "<"):
		p = f.markup(text)
	case declares.MatchString(text):
		p = f.sheet(text, markup)
	default:
		err = errors.New("this is not an address, style sheet, page or drawing: paste one that begins with http://, CSS like “--radius: 12px”, or HTML or SVG that begins with <")
	}
	if err != nil {
		return Proposal{}, err
	}
	f.known(p.Text)
	if p.Places = f.places; p.Places == nil {
		p.Places = []Place{}
		p.Notes = append(p.Notes, "Nothing that could vary was found. Write {{name}} wherever a value goes, then name it below.")
	}
	if f.left > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("Other values, %d of them, stay as they are. Paste less, or write {{name}} where you want one.", f.left))
	}
	return p, nil
}

// address proposes the values of a query, or the placeholders of the address. The ending of its path says whether it is a page or an image.
func (f *finder) address(text string) (Proposal, error) {
	if strings.HasPrefix(strings.ToLower(text), "localhost") {
		text = "http://" + text
	}
	u, err := url.Parse(place.ReplaceAllString(text, "0"))
	if err != nil || u.Host == "" {
		return Proposal{}, errors.New("this address cannot be read: want one like http://localhost:3000/?radius=12")
	}
	p := Proposal{Is: "address", Kind: "page", Text: text, Name: title(u.Hostname())}
	if image.MatchString(u.Path) {
		p.Kind = "image"
	}
	if place.MatchString(text) {
		return p, nil
	}
	if u.RawQuery == "" {
		p.Notes = append(p.Notes, "An address varies by its query: add one like ?radius=12 that your page understands.")
	}
	p.Text = query.ReplaceAllStringFunc(text, func(pair string) string {
		m := query.FindStringSubmatch(pair)
		name, err1 := url.QueryUnescape(m[1])
		value, err2 := url.QueryUnescape(m[2])
		if err1 != nil || err2 != nil || strings.TrimSpace(name) == "" || value == "" || len(value) > 40 {
			return pair
		}
		to := f.propose(name, value, false)
		return strings.TrimSuffix(pair, m[2]) + cmp.Or(strings.Replace(to, "}}%", "}}%25", 1), m[2])
	})
	return p, nil
}

// properties replaces the values of the custom properties of a style sheet by what do returns.
func properties(sheet string, do func(name, value string) string) string {
	return custom.ReplaceAllStringFunc(sheet, func(match string) string {
		m := custom.FindStringSubmatch(match)
		if m[1] == "" {
			return match
		}
		return strings.TrimSuffix(match, m[2]) + do(m[1], m[2])
	})
}

// vary makes parameters of the custom properties of a style sheet that something uses, unless it has placeholders.
func (f *finder) vary(sheet string) string {
	if place.MatchString(sheet) {
		return sheet
	}
	return properties(sheet, func(name, value string) string {
		if f.same[name] == "" && !slices.Contains(f.unused, name) {
			f.same[name] = f.propose(name[2:], strings.NewReplacer(`"`, "", `'`, "").Replace(value), true)
		}
		return cmp.Or(f.same[name], value)
	})
}

// sheet makes a proposal of a style sheet, shown with the page it belongs to or with the specimen page.
func (f *finder) sheet(text, markup string) Proposal {
	if !strings.Contains(place.ReplaceAllString(text, ""), "{") {
		selector := ".card"
		if strings.Contains(text, "--") {
			selector = ":root"
		}
		text = selector + " {\n" + text + "\n}"
	}
	p := Proposal{Is: "CSS", Kind: "html"}
	if markup == "" {
		markup, p.Notes = f.specimen(text)
	}
	style := "<style>\n" + strings.ReplaceAll(f.vary(text), "</", "<\\/") + "\n</style>\n" // nothing in a sheet ends its element
	if at := strings.Index(strings.ToLower(markup), "</head>"); at >= 0 {
		p.Text = markup[:at] + style + markup[at:]
	} else {
		p.Text = "<!doctype html>\n<meta charset=\"utf-8\">\n" + style + markup
	}
	p.Name = heading(markup, "style")
	return p
}

// markup makes a proposal of a page or a drawing: its placeholders, or without any its custom properties.
func (f *finder) markup(text string) Proposal {
	p := Proposal{Is: "HTML", Kind: "html", Text: text, Name: heading(text, "page")}
	if drawing.MatchString(text) {
		p.Is, p.Kind, p.Name = "SVG", "svg", heading(text, "drawing")
		if !strings.Contains(text, "http://www.w3.org/2000/svg") { // a browser does not draw an image without it
			p.Text = strings.Replace(text, "<svg", `<svg xmlns="http://www.w3.org/2000/svg"`, 1)
		}
	}
	if outside.MatchString(text) {
		p.Notes = append(p.Notes, "Some of it comes from elsewhere and is not loaded: pasted pages have no network. Put styles, scripts and images into it, or give the address of the page.")
	}
	if !place.MatchString(text) {
		p.Text = styles.ReplaceAllStringFunc(p.Text, func(m string) string {
			s := styles.FindStringSubmatch(m)
			return s[1] + s[4] + s[7] + f.vary(s[2]+s[5]+s[8]) + s[3] + s[6] + s[9]
		})
	}
	return p
}

func heading(markup, otherwise string) string {
	if m := titles.FindStringSubmatch(markup); m != nil {
		return cmp.Or(title(html.UnescapeString(m[1])), otherwise)
	}
	return otherwise
}

// title makes a study's name of words: one line, at most 40 characters.
func title(words string) string {
	return strings.TrimSpace(fmt.Sprintf("%.40s", strings.Join(strings.Fields(special.ReplaceAllString(words, " ")), " ")))
}

//go:embed specimen.html
var specimenPage string

// role matches a line of the page about what a custom property can do there: the role, the kinds of value it takes, and words of names that say so.
var role = regexp.MustCompile(`(?m)^(\w+) \(([\w ]+)\): (.*)$`)

// specimen returns a page of common elements, which the custom properties of a sheet style as their names say: the first property that fits has the role.
func (f *finder) specimen(sheet string) (page string, notes []string) {
	given, roles, seen := "", role.FindAllStringSubmatch(specimenPage, -1), map[string]bool{}
	properties(sheet, func(name, value string) string {
		if seen[name] {
			return value
		}
		seen[name] = true
		fits := slices.IndexFunc(roles, func(r []string) bool {
			return says(name, r[3]) && (r[2] == "any" || strings.Contains(r[2], kindOf(value)) || place.MatchString(value))
		})
		if fits >= 0 {
			given += fmt.Sprintf(" --s-%s: var(%s);", roles[fits][1], name)
			roles = slices.Delete(roles, fits, fits+1)
		} else if !regexp.MustCompile(`var\(\s*` + regexp.QuoteMeta(name) + `\b`).MatchString(sheet) {
			f.unused = append(f.unused, name)
		}
		return value
	})
	if n := len(f.unused); n > 0 {
		notes = append(notes, fmt.Sprintf("The specimen does not use %s. Give the HTML that they style as well.", strings.Join(f.unused[:min(n, 5)], ", ")))
	}
	return strings.Replace(specimenPage, "/*roles*/", given, 1), notes
}
