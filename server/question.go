package server

import (
	"mime"
	"net/url"
	"path"
	"strings"

	"github.com/prefer-bo/prefer"
)

// Question is a pair as it is put to a rater.
type Question struct {
	ID         string   `json:"question_id"`
	Seq        int      `json:"seq" doc:"Where in the study's log it was asked."`
	Kind       string   `json:"kind" enum:"pair"`
	Prompt     string   `json:"prompt"`
	Rater      string   `json:"rater,omitempty"`
	Options    []Shown  `json:"options" doc:"In the order in which they are to be shown."`
	ShownOrder []string `json:"shown_order" doc:"The ids of the options in that order."`
	Repeat     bool     `json:"repeat" doc:"It repeats an earlier question; told to the owner only."`
	Why        *Why     `json:"why,omitempty" doc:"How it was chosen; told to the owner only."`
	Status     Status   `json:"status"`
}

// Shown is one side of a question: a setting or an item.
type Shown struct {
	ID     string        `json:"option_id"`
	Params prefer.Option `json:"params,omitempty"`
	Item   *ShownItem    `json:"item,omitempty"`
	Media  *Media        `json:"media,omitempty"`
}

// ShownItem is an item without its features, which would say what the study is about.
type ShownItem struct {
	ID    string `json:"id"`
	Media string `json:"media,omitempty"`
	Text  string `json:"text,omitempty"`
}

// Media is something to look at or listen to.
type Media struct {
	Type string `json:"type" enum:"image,audio,video,text,other"`
	URL  string `json:"url"`
}

// Why says how a question was chosen.
type Why struct {
	Method string   `json:"method"`
	Value  float64  `json:"value" doc:"What the answer is expected to add to the best utility, in units of the noise."`
	PFirst *float64 `json:"p_first,omitempty" doc:"Probability that the option shown first is preferred, when there must be one."`
}

// Status is where the study stands, as far as is known at once: the verdict may rest on an answer less.
type Status struct {
	Verdict    string  `json:"verdict" enum:"keep_going,clear_winner,practical_tie"`
	Confidence float64 `json:"confidence"`
	Left       [2]int  `json:"left" doc:"A rough range for the number of questions left."`
	Answers    int     `json:"answers"`
	At         int     `json:"at" doc:"The number of answers the verdict rests on."`
	Sentence   string  `json:"sentence"`
}

// pose makes a question of an entry of the book. The caller holds the study's lock.
func (s *Server) pose(r *running, q *entry, w who) Question {
	ids := q.optionIDs()
	first := s.shown(r, ids[0], q.question.First)
	second := s.shown(r, ids[1], q.question.Second)
	if q.swapped {
		first, second = second, first
	}
	return Question{
		ID: string(q.question.ID), Seq: q.seq, Kind: "pair", Prompt: r.cfg.Prompt, Rater: q.question.Rater,
		Options: []Shown{first, second}, ShownOrder: []string{first.ID, second.ID},
		Repeat: w.owner && q.question.RepeatOf != "", Status: r.statusLocked(q.question.Rater),
	}
}

func (s *Server) shown(r *running, id string, o prefer.Option) Shown {
	item := o.Item()
	if item == "" || len(r.cfg.Space.Items) == 0 {
		return Shown{ID: id, Params: o}
	}
	it := r.book.items[item]
	out := Shown{ID: id, Item: &ShownItem{ID: item, Media: it.Media, Text: it.Text}}
	if it.Media != "" {
		out.Media = &Media{Type: mediaType(it.Media), URL: s.mediaURL(r.name, it.Media)}
	}
	return out
}

// mediaURL returns where a page finds the media of an item: an address as it is, a file on this server.
func (s *Server) mediaURL(study, media string) string {
	if u, err := url.Parse(media); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return media
	}
	parts := strings.Split(media, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return s.cfg.Prefix + "/m/" + url.PathEscape(study) + "/" + strings.Join(parts, "/")
}

// mediaType returns the kind of media a name stands for, by its ending.
func mediaType(name string) string {
	if u, err := url.Parse(name); err == nil && u.Scheme != "" {
		name = u.Path
	}
	kind, _, _ := strings.Cut(contentType(name), "/")
	switch kind {
	case "image", "audio", "video", "text":
		return kind
	}
	return "other"
}

// mediaTypes are those that systems disagree about.
var mediaTypes = map[string]string{".webp": "image/webp", ".avif": "image/avif", ".svg": "image/svg+xml", ".opus": "audio/ogg", ".oga": "audio/ogg",
	".ogg": "audio/ogg", ".flac": "audio/flac", ".m4a": "audio/mp4", ".aac": "audio/aac", ".mp3": "audio/mpeg", ".wav": "audio/wav", ".mp4": "video/mp4",
	".m4v": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg", ".mov": "video/quicktime", ".md": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8"}

func contentType(name string) string {
	ending := strings.ToLower(path.Ext(name))
	if t := mediaTypes[ending]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(ending); strings.HasPrefix(t, "image/") {
		return t
	}
	return "application/octet-stream"
}
