package paste

import (
	"errors"
	"net/url"
	"path"
	"regexp"
	"strings"
)

var (
	schemed = regexp.MustCompile(`^(?i)https?://[^\s<>]`)
	// bare is an address as people type it: a host with a port, a path or a query.
	bare  = regexp.MustCompile(`^(?i)(localhost|\[[0-9a-f:.]+\]|[a-z0-9-]+(\.[a-z0-9-]+)+)(:\d+)?[/?#]|^(?i)(localhost|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\]|[a-z0-9-]+(\.[a-z0-9-]+)+):\d+$|^(?i)localhost$`)
	local = regexp.MustCompile(`^(?i)(localhost|\[|\d+\.\d+\.\d+\.\d+|[^/]*\.local\b|[^/?#]*:\d+)`)
)

// isAddress says whether a text is one address, places in it or not.
func isAddress(text string) bool {
	plain := place.ReplaceAllString(text, "0")
	return !strings.ContainsAny(plain, " \t\n<>") && (schemed.MatchString(plain) || bare.MatchString(plain))
}

// address offers the values of a query, or the places that are there. Whether it leads to a page or to a picture only opening
// it tells; the ending of its path is a guess.
func (f *finder) address(text string) (Proposal, error) {
	if !schemed.MatchString(text) {
		scheme := "https://"
		if local.MatchString(text) {
			scheme = "http://"
		}
		text = scheme + text
	}
	u, err := url.Parse(place.ReplaceAllString(text, "0"))
	if err != nil || u.Host == "" {
		return Proposal{}, errors.New("this address cannot be read: want one like http://localhost:3000/?radius=12")
	}
	p := Proposal{Is: "address", Kind: "page", Text: text, Name: title(addressName(u))}
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".bmp":
		p.Kind = "image"
	}
	if place.MatchString(text) {
		f.known(text)
		return p, nil
	}
	rest, fragment, hash := strings.Cut(text, "#")
	head, query, ok := strings.Cut(rest, "?")
	if !ok {
		p.Notes = append(p.Notes, "An address varies by its query: add one like ?radius=12 that your page understands.")
		return p, nil
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plainName, err1 := url.QueryUnescape(name)
		plain, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil || strings.TrimSpace(plainName) == "" {
			continue
		}
		if to, ok := f.worded(plainName, plain); ok {
			pairs[i] = name + "=" + to
		}
	}
	p.Text = head + "?" + strings.Join(pairs, "&")
	if hash {
		p.Text += "#" + fragment
	}
	return p, nil
}

// addressName is what the page of an address could be called: the last part of its path, or its host.
func addressName(u *url.URL) string {
	last := strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path))
	if len(last) > 1 && last != "index" {
		return last
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}
