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
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
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

// Start is the first page.
type Start struct {
	Frame
	Demos   []demo.Demo
	Studies []Row
	Fold    int  // how many of them are in sight
	Uploads bool // files can be kept
	Limits  Limits
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
	Beyond     bool         // do not stop at the end
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
		case k.Side != 0 || k.Tied && a.Forced || a.Pair != nil && k.Teaches && !k.Observed:
		case k.Tied:
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
	About    string // the heading over what was learned, which says about whom
	Of       string // whom the owner looks at, in a study per rater
	Under    string // what is fixed, in words
	Fixed    space.Option
	Contexts []Setting // other settings of the contexts
	Answers  int
	After    string // how many answers, of how many people
	Pick     *Shown // nil while any option would do
	Take     *Take  // of the pick
	Strips   []Strip
	Try      *Try
	Rival    *Shown
	Check    int // questions of the final check; 0 where there is nothing to check
	Learned  view.Learned
	Map      *Map
	Gallery  *Gallery
	Path     bool // the study has a past that can be told
	History  *History
}

// Folded reports whether some strips are behind the first few.
func (r Result) Folded() bool {
	return slices.ContainsFunc(r.Strips, func(s Strip) bool { return s.Fold })
}

// Shown is an option on a result page.
type Shown struct {
	Label  string
	Option space.Option // what to copy
	As     live.Shown   // as the answer page gets it
}

// NameValue is a value with its name.
type NameValue struct{ Name, Value string }

// Everybody is the page with the results of a study per rater.
type Everybody struct {
	Frame
	Look
	After     string    // how many answers, of how many people
	Under     string    // what is fixed, in words
	Contexts  []Setting // other settings of the contexts
	People    []Person
	Sentence  string  // about the group
	Pick      *Shown  // of the group, if there is one
	Take      *Take   // of that pick
	Camps     []Shown // what suits each of two camps, if there are such; labels are their names
	Agreement template.HTML
}

// Person is a rater as the owner sees them.
type Person struct {
	Rater     string // the name in the log
	Given     int    // answers
	Drawn     bool   // the study seeks this rater’s own favourite, which is drawn
	Name      string
	Result    string // in a study per rater, the address of their result
	Progress  string // answers given of the budget
	Percent   int    // of the budget
	Headline  string // over the favourite
	Favourite *Shown // nil while there is none, or it is not known at once
	Cost      string // what the group's pick is worth to them
	Words     string // how far the answers can be relied on
	Warn      bool   // not far
	Out       bool   // left out of what the group learns
}

// Owner is the page of the study’s owner.
type Owner struct {
	Frame
	Look
	Answers  int
	Answered int // people who gave them
	People   []Person
	Raters   []view.Rater
	Checked  bool   // there were checks
	Each     bool   // every rater has a favourite of their own
	Asked    bool   // the owner has chosen one or the other
	Sentence string // where the study stands
	Pick     *Shown // of the team, if one is sought and known at once
	Paused   bool
	Lost     []string // what could not be shown to people
	Prompt   string
	Packs    bool       // the server can put the study into one file
	Reach    []string   // where others reach the server
	Links    []LinkLine // one person's or everybody's
	Uploads  []token.Token
	Hosted   bool        // the host says who somebody is, and there are no tokens
	Guests   []LinkLine  // of people who came through a link for everybody
	Names    []NameValue // raters that a report can be about, in a study per rater: displayed and real name
	Settings SettingsForm
	Changes  []ChangeLine // while the study ran, the latest first
	Jobs     Jobs
}

// LinkLine is a link in the owner's table.
type LinkLine struct {
	ID, Who string
	Words   string // when it was made, until when it works, and what was done with it
	Expired bool
}

var views = template.Must(template.New("").Funcs(template.FuncMap{
	"date": func(t time.Time) string { return t.Format("2 January 2006, 15:04") },
	"part": func(percent int) string { return fmt.Sprintf("%.2f", float64(percent)/100) },
	"json": func(v any) (string, error) { // for an attribute, which the template escapes
		b, err := json.Marshal(v)
		return string(b), err
	},
}).ParseFS(files, "views/*.html"))

// Render makes HTML of a view: Start, Answer, Situation, Result, Everybody, Owner, Sheet, Thumbs, Jobs or Message, each with the file of its name.
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
		for _, m := range scriptKey.FindAllSubmatch(must(fs.ReadFile(files, name)), -1) {
			keys = append(keys, string(m[1]))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
})

// speaks returns the language of the pages of a study to a visitor: the one that its owner has fixed, else the browser’s.
func (v visitor) speaks(r *http.Request) language.Language {
	if l, ok := language.Of(v.Settings.Page.Language); ok {
		return l
	}
	return speaks(r)
}

// prompt returns the prompt in the language of the page; other is false if it is the study's own.
func (v visitor) prompt() (text string, other bool) {
	if text, other = v.Settings.Page.Prompts[v.Lang.Tag()]; other {
		return text, true
	}
	return v.Config.Prompt, false
}

// speaks returns the language to answer a request in: what the browser wants most of what there is.
func speaks(r *http.Request) language.Language {
	return language.Accept(r.Header.Get("Accept-Language"))
}
