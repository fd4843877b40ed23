package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

//go:embed views static styles
var files embed.FS

// Frame is what every view needs.
type Frame struct {
	Root  string // the prefix the server is mounted at
	Title string
	Study string // "" on the start page
	Base  string // where the study's pages are: /s/{study} or /r/{token}
	Token string // a rater's token; empty for the owner
	Owner bool
	List  bool   // it is a study of items
	Here  string // "answer", "result", "sheet" or "owner"
	Lang  language.Language
	Alone bool // in a file that holds the study, for the one who answers
	Send  bool // the answers can be sent from there
	Shows bool // the visitor may see the result
}

// Answer is the page with a question.
type Answer struct {
	Frame
	Look
	Prompt     string
	Translated bool // the prompt is not the study's own
	Rater      string
	Session    string
	Forced     bool
	Grades     int          // strengths above a plain preference; the page offers the first
	Beyond     int          // questions to ask whatever the verdict; 0: until it is an ending
	Check      int          // questions of the final check
	Complete   string       // where to go when done
	Result     bool         // the result may be seen
	Preload    []string     // addresses of pictures to have at hand
	Fixed      space.Option // what all options have, contexts among it
	Skip       string       // the rater’s open question under other contexts
	Blind      int          // questions of the final check that the end offers
	Pair       []live.Shown // the pick, and what the owner puts against it; empty for questions
}

// Button is an answer that takes neither side.
type Button struct {
	prefer.ChoiceInfo
	Cap string // what stands on its key
}

// Others are the answers beside the two options.
func (a Answer) Others() (out []Button) {
	for _, k := range prefer.Choices() {
		switch {
		case k.Side != 0 || k.Tied && a.Forced || a.Pair != nil && k.Teaches && !k.Compares:
		case k.Choice == prefer.Tie:
			out = append(out, Button{k, "↓"})
		default:
			out = append(out, Button{k, strings.ToUpper(k.Key)})
		}
	}
	return out
}

// Result is the page with the pick.
type Result struct {
	Frame
	Look
	view.Sentences
	Why      string // it is the pick, in one sentence
	Of       string // whom the owner looks at, in a study per rater
	Under    string // what is fixed, in words
	Fixed    space.Option
	Contexts []Setting // other settings of the contexts
	Answers  int
	After    string  // how many answers, of how many people
	Pick     *Shown  // nil while any option would do
	Besides  []Shown // the rest of a shortlist
	Take     *Take   // of the pick
	Strips   []Strip
	Top      []RankLine // of a list
	Check    int        // questions of the final check; 0 where there is nothing to check
	Details  bool       // there are some
}

// Details is the part of a result page that is fetched when it is opened.
type Details struct {
	Frame
	Calibration string // how well answers were predicted
	About       string // the heading over what was learned, which says about whom
	Learned     view.Learned
	Map         *Map
	Gallery     *Gallery
	Path        bool // the study has a past to show
	Try         *Try
	History     *History
}

// Shown is an option on a result page.
type Shown struct {
	Label string
	As    live.Shown // as the answer page gets it
}

// NameValue is a value with its name.
type NameValue struct{ Name, Value string }

var views = template.Must(template.New("").Funcs(template.FuncMap{
	"date": func(t time.Time) string { return t.Format("2 January 2006, 15:04") },
	"part": func(percent int) string { return fmt.Sprintf("%.2f", float64(percent)/100) },
	"json": func(v any) (string, error) { // for an attribute, which the template escapes
		b, err := json.Marshal(v)
		return string(b), err
	},
}).ParseFS(files, "views/*.html"))

// Render makes HTML of a view: Start, Answer, Situation, Result, Details, Everybody, Owner, Sheet, Thumbs, Jobs or Message, each with the file of its name.
func Render(view any) ([]byte, error) {
	var b bytes.Buffer
	if err := views.ExecuteTemplate(&b, strings.ToLower(reflect.TypeOf(view).Name())+".html", view); err != nil {
		return nil, fmt.Errorf("page: a %T: %w", view, err)
	}
	return b.Bytes(), nil
}

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
	for _, name := range must(fs.Glob(files, "static/*.js")) {
		found := scriptKey.FindAllSubmatch(must(fs.ReadFile(files, name)), -1)
		keys = append(keys, xslices.Map(found, func(m [][]byte) string { return string(m[1]) })...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
})

// speaks returns the language to answer a request in: what the browser wants most of what there is.
func speaks(r *http.Request) language.Language {
	return language.Accept(r.Header.Get("Accept-Language"))
}
