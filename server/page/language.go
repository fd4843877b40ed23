package page

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/say"
)

// words say results in the language of the visitor.
func (v visitor) words() say.Words { return say.In(v.lang.Tag()) }

// T says what stands under a key in the language of the page: {{.T "status.given" "n" .Answers}}.
func (f Frame) T(key string, places ...any) string { return f.Lang.T(key, places...) }

// Words are those that the scripts of pages use, which come with the page: no script waits for them.
func (f Frame) Words() (string, error) {
	text, err := json.Marshal(f.Lang.Entries(scriptKeys()))
	return string(text), err
}

// scriptKey is where a script says something.
var scriptKey = regexp.MustCompile(`\bt\("([^"]+)"`)

// scriptKeys are the keys that scripts name.
var scriptKeys = sync.OnceValue(func() (keys []string) {
	names, err := fs.Glob(files, "static/*.js")
	if err != nil {
		panic(err) // a pattern that is no pattern
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // it is in the program
		}
		for _, m := range scriptKey.FindAllSubmatch(text, -1) {
			keys = append(keys, string(m[1]))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
})

// speaks returns the language of the pages of a study to a visitor: the one that its owner has fixed, else hers.
func (v visitor) speaks(r *http.Request) language.Language {
	if l, ok := language.Of(v.Settings.Page.Language); ok {
		return l
	}
	return speaks(r)
}

// prompt returns the prompt in the language of the page; other is false if it is the study's own.
func (v visitor) prompt() (text string, other bool) {
	if text, other = v.Settings.Page.Prompts[v.lang.Tag()]; other {
		return text, true
	}
	return v.Config.Prompt, false
}

// speaks returns the language to answer a request in: what the browser wants most of what there is.
func speaks(r *http.Request) language.Language {
	return language.Accept(r.Header.Get("Accept-Language"))
}
