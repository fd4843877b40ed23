package paste

import (
	"html"
	"regexp"
	"strings"
)

var (
	drawing  = regexp.MustCompile(`^(?is)(<\?xml.*?\?>|<!--.*?-->|<!doctype[^>]*>|\s)*<svg\b`)
	styles   = regexp.MustCompile(`(?is)(<style\b[^>]*>)(.*?)(</style>)|(\sstyle\s*=\s*")([^"]*)(")|(\sstyle\s*=\s*')([^']*)(')`)
	painted  = regexp.MustCompile(`\s(fill|stroke|stroke-width|r|rx|ry|opacity|fill-opacity|stroke-opacity|font-size|letter-spacing)="([^"]*)"`)
	called   = regexp.MustCompile(`(?is)<(?:title|h1)\b[^>]*>(.*?)</`)
	tags     = regexp.MustCompile(`<[^>]*>`)
	outside  = regexp.MustCompile(`(?i)<(?:link|script|img|iframe|video|audio|source)\b[^>]*\s(?:src|href)\s*=\s*["']?(?:https?:)?//`)
	imported = regexp.MustCompile(`(?i)@import|url\(\s*["']?(?:https?:)?//`)
)

// heading is what a page calls itself.
func heading(markup string) string {
	for _, m := range called.FindAllStringSubmatch(markup, 4) {
		if name := title(html.UnescapeString(tags.ReplaceAllString(m[1], " "))); name != "" {
			return name
		}
	}
	return ""
}

// markup makes a proposal of a page or a drawing: the places it has, or else its custom properties, or else the values of
// its styles and, in a drawing, of the attributes that paint.
func (f *finder) markup(text string) Proposal {
	p := Proposal{Is: "HTML", Kind: "html", Text: text, Name: heading(text)}
	if drawing.MatchString(text) {
		p.Is, p.Kind = "SVG", "svg"
		if !strings.Contains(text, "http://www.w3.org/2000/svg") { // as an image it would not be drawn
			p.Text = strings.Replace(text, "<svg", `<svg xmlns="http://www.w3.org/2000/svg"`, 1)
		}
	}
	if p.Name == "" {
		p.Name = map[string]string{"html": "page", "svg": "drawing"}[p.Kind]
	}
	if outside.MatchString(text) || imported.MatchString(text) {
		p.Notes = append(p.Notes, "Some of it comes from elsewhere and is not loaded: what is pasted here has no network. Put styles, scripts and pictures into it, or give the address of the page.")
	}
	if place.MatchString(text) {
		f.known(text)
		return p
	}
	sheets := func(do func(string) string) {
		p.Text = styles.ReplaceAllStringFunc(p.Text, func(m string) string {
			s := styles.FindStringSubmatch(m)
			return s[1] + s[4] + s[7] + do(s[2]+s[5]+s[8]) + s[3] + s[6] + s[9]
		})
	}
	custom := false
	sheets(func(sheet string) string { custom = custom || hasCustom(sheet); return sheet })
	sheets(func(sheet string) string { return f.vary(sheet, custom) })
	if p.Kind == "svg" && !custom {
		p.Text = painted.ReplaceAllStringFunc(p.Text, func(m string) string {
			s := painted.FindStringSubmatch(m)
			return strings.TrimSuffix(m, s[2]+`"`) + f.styled(s[1], s[2], false) + `"`
		})
	}
	return p
}

var following = regexp.MustCompile(`^(?:px|pt|em|rem|ch|vw|vh|%|deg|turn|ms|s)\b|^%`)

// known takes the places that a text has: of their values it knows the unit that follows, and what their names say.
func (f *finder) known(text string) {
	for _, m := range place.FindAllStringSubmatchIndex(text, -1) {
		f.imagined(text[m[2]:m[3]], following.FindString(text[m[1]:min(len(text), m[1]+8)]))
	}
}
