package language

import (
	"maps"
	"regexp"
	"slices"
	"testing"
)

var place = regexp.MustCompile(`\{\w+\}`)

// TestBooks: every language has what English has, with the same places, and forms for the plural categories that it knows, no more.
func TestBooks(t *testing.T) {
	for _, l := range shelf().all {
		categories := map[string]bool{}
		for n := range 1000 {
			categories[l.category(n)] = true
		}
		for _, key := range slices.Sorted(maps.Keys(l.book.words())) {
			e, en := l.book.words()[key], English().book.words()[key]
			switch {
			case en.Text == "" && en.Forms == nil:
				t.Errorf("%s: %s is a key that English does not have", l.Tag(), key)
				continue
			case e.Text == "" && len(e.Forms) == 0 && key != "list.space": // which some languages do without
				t.Errorf("%s: %s says nothing", l.Tag(), key)
			}
			if e.Forms != nil && !places(en)["{n}"] {
				t.Errorf("%s: %s has plural forms, and English no {n} to choose one by", l.Tag(), key)
			}
			want := places(en)
			if e.Forms == nil {
				if got := places(e); !maps.Equal(got, want) {
					t.Errorf("%s: %s has the places %v, want %v", l.Tag(), key, got, want)
				}
				continue
			}
			for category, text := range e.Forms {
				if !categories[category] {
					t.Errorf("%s: %s has a form %q, which the language does not know", l.Tag(), key, category)
				}
				got := places(Entry{Text: text})
				got["{n}"] = true // "once" needs no number
				if !maps.Equal(got, want) {
					t.Errorf("%s: %s.%s has the places %v, want %v", l.Tag(), key, category, got, want)
				}
			}
			for category := range categories {
				if e.Forms[category] == "" {
					t.Errorf("%s: %s has no form %q", l.Tag(), key, category)
				}
			}
		}
		for key := range English().book.words() {
			if _, ok := l.book.words()[key]; !ok {
				t.Errorf("%s: %s is not translated", l.Tag(), key)
			}
		}
	}
}

// places are those of all forms of an entry.
func places(e Entry) map[string]bool {
	out := map[string]bool{}
	for _, text := range append(slices.Collect(maps.Values(e.Forms)), e.Text) {
		for _, p := range place.FindAllString(text, -1) {
			out[p] = true
		}
	}
	if e.Forms != nil {
		out["{n}"] = true
	}
	return out
}

// TestAccept: a browser gets the best of what there is, and English where nothing fits.
func TestAccept(t *testing.T) {
	for _, c := range []struct{ header, want, dir string }{
		{"de-AT,de;q=0.9,en;q=0.5", "de", "ltr"}, {"en-GB", "en", "ltr"}, {"", "en", "ltr"}, {"xx", "en", "ltr"}, {"ta, fi;q=0.4", "en", "ltr"},
		{"ar-EG", "ar", "rtl"}, {"fi, de;q=0.1", "de", "ltr"}, {"*", "en", "ltr"}, {"de;q=0, en", "en", "ltr"}, {";;;q=x", "en", "ltr"},
	} {
		if l := Accept(c.header); l.Tag() != c.want || l.Dir() != c.dir {
			t.Errorf("%q is answered in %s, %s, want %s, %s", c.header, l.Tag(), l.Dir(), c.want, c.dir)
		}
	}
	if l, ok := Of("de-CH"); !ok || l.Tag() != "de" {
		t.Errorf("de-CH is %s, %v", l.Tag(), ok)
	}
	for _, tag := range []string{"fi", "tlh", "", "no such tag"} {
		if l, ok := Of(tag); ok {
			t.Errorf("%q is %s", tag, l.Tag())
		}
	}
	if (Language{}).Tag() != "en" {
		t.Error("the zero value is not English")
	}
}

// TestT: the number decides which form, by the rules of the language; strings of the other direction are set apart.
func TestT(t *testing.T) {
	arabic, _ := Of("ar")
	german, _ := Of("de")
	for _, c := range []struct{ got, want string }{
		{English().T("status.given", "n", 1), "1 answer"}, {English().T("status.given", "n", 0), "0 answers"}, {german.T("status.given", "n", 1), "1 Antwort"},
		{arabic.T("status.given", "n", 2), "إجابتان"}, {arabic.T("status.given", "n", 3), "3 إجابات"}, {arabic.T("status.given", "n", 11), "11 إجابة"}, {arabic.T("status.given", "n", 100), "100 إجابة"},
		{English().T("card.play", "label", "{n}"), "Play {n}"}, {English().T("card.play", "label", "שלום"), "Play \u2068שלום\u2069"},
		{arabic.T("card.play", "label", "x"), "تشغيل: \u2068x\u2069"}, {English().T("no.such.key"), "no.such.key"}, {english("status.given"), "{n} answers"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func english(key string) string { return English().T(key) } // a place that nobody fills in stays, for a test to find
