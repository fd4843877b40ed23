package prefer_test

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

// TestLinks follows every relative link of every Markdown file: the file or picture exists, and so does the heading that an anchor names.
func TestLinks(t *testing.T) {
	broken, checked, err := brokenLinks(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range broken {
		t.Error(line)
	}
	if checked < 100 {
		t.Errorf("%d links were followed, the expressions find nothing", checked)
	}
}

// TestBrokenLinks holds brokenLinks itself to account.
func TestBrokenLinks(t *testing.T) {
	broken, checked, err := brokenLinks(fstest.MapFS{
		"README.md": {Data: []byte("# One\n[a](docs/a.md) [b](docs/a.md#two-words-1 \"title\") [c](#one) [d](https://example.org/x.md)\n![e](docs/gone.svg)\n" +
			"[f](docs/gone.md) [g](docs/a.md#three) [h](#two) [i](../outside.md)\n<img src=\"docs/none.png\">\n[j]: docs/nowhere.md\n```\n[code](no.md)\n```\n`[code](no.md)`\n")},
		"docs/a.md": {Data: []byte("## Two *words*\n## Two `words`\n[up](../README.md#one) [folder](../docs)\n[titled\nlink](gone.md)\n")},
	})
	want := []string{"README.md:3: docs/gone.svg", "README.md:4: docs/gone.md", "README.md:4: docs/a.md#three", "README.md:4: #two", "README.md:4: ../outside.md",
		"README.md:5: docs/none.png", "README.md:6: docs/nowhere.md", "docs/a.md:5: gone.md"}
	if err != nil || checked != 13 {
		t.Errorf("%d links followed, %v", checked, err)
	}
	for i, line := range broken {
		broken[i], _, _ = strings.Cut(line, " leads")
	}
	if !slices.Equal(broken, want) {
		t.Errorf("broken are\n%s\nwant\n%s", strings.Join(broken, "\n"), strings.Join(want, "\n"))
	}
}

// TestMarks: no line of text begins with the mark of a quoted figure, <!--=key-->. A comment there ends the paragraph, on GitHub and on the site.
func TestMarks(t *testing.T) {
	files, err := fs.Glob(os.DirFS("."), "docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md", "docs/comparison.md", "docs/faq.md", "peers/README.md", "clients/python/README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "<!--=") {
				t.Errorf("%s:%d: the line begins with a mark, which ends the paragraph: join it with the line before", file, i+1)
			}
		}
	}
}

var (
	codeBlocks = regexp.MustCompile("(?ms)^ *(```|~~~).*?^ *(```|~~~)[^\n]*$")
	codeSpans  = regexp.MustCompile("`[^`\n]+`")
	linkForms  = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)="([^"]+)"|(?m)^\[[^\]\n]+\]:\s+(\S+)`)
	headings   = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	namedSpots = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	linkTexts  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// brokenLinks returns the relative links of the Markdown files of a tree that lead nowhere, with the number of those it followed.
func brokenLinks(tree fs.FS) (broken []string, checked int, err error) {
	anchors := map[string][]string{} // by file, read when first wanted
	err = fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		if name := d.Name(); err == nil && d.IsDir() && (slices.Contains([]string{"testdata", "dist", "node_modules"}, name) || len(name) > 1 && name[0] == '.' && name != ".github") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || path.Ext(file) != ".md" {
			return err
		}
		data, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		text := withoutCode(string(data))
		for _, m := range linkForms.FindAllStringSubmatchIndex(text, -1) {
			i := 2
			for m[i] < 0 {
				i += 2
			}
			target := text[m[i]:m[i+1]]
			address, err := url.Parse(target)
			if err == nil && (address.Scheme != "" || address.Host != "") {
				continue
			}
			checked++
			if why := follow(tree, file, address, err, anchors); why != "" {
				broken = append(broken, fmt.Sprintf("%s:%d: %s leads nowhere: %s", file, 1+strings.Count(text[:m[0]], "\n"), target, why))
			}
		}
		return nil
	})
	return broken, checked, err
}

// follow returns why an address in a file leads nowhere, or "".
func follow(tree fs.FS, file string, address *url.URL, err error, anchors map[string][]string) string {
	if err != nil {
		return err.Error()
	}
	to := file
	if address.Path != "" {
		to = path.Join(path.Dir(file), address.Path)
	}
	if _, err := fs.Stat(tree, to); err != nil {
		return err.Error()
	}
	if address.Fragment == "" || path.Ext(to) != ".md" {
		return ""
	}
	if anchors[to] == nil {
		data, err := fs.ReadFile(tree, to)
		if err != nil {
			return err.Error()
		}
		anchors[to] = anchorsOf(string(data))
	}
	if !slices.Contains(anchors[to], address.Fragment) {
		return to + " has no such heading"
	}
	return ""
}

// withoutCode blanks code, and keeps line ends.
func withoutCode(text string) string {
	blank := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
	return codeSpans.ReplaceAllStringFunc(codeBlocks.ReplaceAllStringFunc(text, blank), blank)
}

// anchorsOf returns the anchors of a Markdown file, as GitHub and the site make them of its headings: lower case, nothing but letters, digits, "-" and "_", blanks as "-",
// and a number behind one that was there before.
func anchorsOf(text string) []string {
	text = codeBlocks.ReplaceAllString(text, "")
	out, seen := []string{}, map[string]int{}
	for _, m := range headings.FindAllStringSubmatch(text, -1) {
		title := strings.NewReplacer("*", "", "`", "").Replace(linkTexts.ReplaceAllString(m[1], "$1"))
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		if n := seen[anchor]; n > 0 {
			out = append(out, anchor+"-"+strconv.Itoa(n))
		} else {
			out = append(out, anchor)
		}
		seen[anchor]++
	}
	for _, m := range namedSpots.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}
