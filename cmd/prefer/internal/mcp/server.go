// Package mcp lets agents ask, tell and look by the Model Context Protocol: four tools over one study of a room.
package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// Server answers agents about one study.
type Server struct {
	Room    *live.Studies // has the study open
	Study   string        // its name
	Version string        // of the program, which agents are told
}

// instructions are what an agent reads before anything else.
const instructions = `prefer finds what a person, or a judge, likes best by asking "A or B?". Call ask for a question, look at its two options, call tell with the
choice, and go on until ask says done. best says at any time what is best so far and how sure that is; status where the study stands. Every agent
or person who answers takes a name of its own (rater) and says it in every call: each has one open question at a time.`

// Run answers on a stream until it ends, or ctx does. A line that is not a message of the protocol is answered with an error.
func (s Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	whole := &writer{Writer: out}
	messages, to := io.Pipe()
	go func() { to.CloseWithError(forward(in, to, whole)) }()
	err := s.tools().Run(ctx, &mcp.IOTransport{Reader: messages, Writer: whole})
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil // the agent has closed the connection
	}
	return err
}

func (s Server) tools() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "prefer", Version: s.Version}, &mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	var slots sync.Map
	no := false
	change, look := &mcp.ToolAnnotations{OpenWorldHint: &no, DestructiveHint: &no, IdempotentHint: true}, &mcp.ToolAnnotations{OpenWorldHint: &no, ReadOnlyHint: true}
	mcp.AddTool(server, &mcp.Tool{Name: "ask", Annotations: change, Description: "The rater's open question, or a new one, chosen to find the best option in few answers. done is true when there is nothing more worth asking."},
		explained(oneAtATime(&slots, s.ask, func(in askInput) string { return in.Rater })))
	mcp.AddTool(server, &mcp.Tool{Name: "tell", Annotations: change, Description: "The answer to a question that ask gave. It is kept before this returns; telling the same again changes nothing."},
		explained(oneAtATime(&slots, s.tell, func(in tellInput) string { return in.Rater })))
	mcp.AddTool(server, &mcp.Tool{Name: "best", Annotations: look, Description: "The best option so far, how sure that is, and of a list the ranking. Looking changes nothing."}, explained(s.best))
	mcp.AddTool(server, &mcp.Tool{Name: "status", Annotations: look, Description: "What the study asks about, how many answers it has, and whether to go on. Looking changes nothing."}, explained(s.status))
	return server
}

// oneAtATime handles the calls of a rater one after the other: a tell that comes while the rater's ask is being answered waits. slots has a channel for each
// rater.
func oneAtATime[In, Out any](slots *sync.Map, do func(context.Context, In) (Out, error), rater func(In) string) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (out Out, err error) {
		slot, _ := slots.LoadOrStore(rater(in), make(chan struct{}, 1))
		select {
		case slot.(chan struct{}) <- struct{}{}:
			defer func() { <-slot.(chan struct{}) }()
		case <-ctx.Done():
			return out, ctx.Err()
		}
		return do(ctx, in)
	}
}

// explained makes a tool of a function: its errors are for the agent to read, and say what to do.
func explained[In, Out any](do func(context.Context, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := do(ctx, in)
		if refused, ok := errors.AsType[*live.Error](err); ok {
			err = errors.New(refused.Detail)
			if refused.Field != "" {
				err = fmt.Errorf("%s: %s", refused.Field, refused.Detail)
			}
		} else if err != nil {
			err = errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "live: "), "prefer: "))
		}
		return nil, out, err
	}
}

// The codes of JSON-RPC 2.0 for a line that is not JSON, and for one that is JSON and not a message.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// forward passes messages on, one per line, and answers lines that are not messages: the SDK ends the session at the first of them.
func forward(in io.Reader, to, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mcp.DefaultMaxLineLength)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		err := check(line)
		switch {
		case len(line) == 0:
			err = nil
		case !json.Valid(line):
			err = refuse(out, parseError, "Parse error: a line is not JSON")
		case err != nil:
			err = refuse(out, invalidRequest, "Invalid Request: "+err.Error())
		default:
			_, err = to.Write(append(slices.Clip(line), '\n'))
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

// check returns an error if a line has neither a message nor a batch of messages.
func check(line []byte) error {
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		batch = []json.RawMessage{line}
	}
	if len(batch) == 0 {
		return errors.New("an empty batch")
	}
	for _, each := range batch {
		if _, err := jsonrpc.DecodeMessage(each); err != nil {
			return err
		}
	}
	return nil
}

// refuse answers a line that is not a message, and so has no id.
func refuse(out io.Writer, code int, why string) error {
	return json.NewEncoder(out).Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}})
}

// writer writes each message whole when several goroutines write. What it writes to stays open.
type writer struct {
	mu sync.Mutex
	io.Writer
}

func (*writer) Close() error { return nil }

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Writer.Write(p)
}

// option is a setting as an agent reads and writes it: values by the names of parameters, or {"item": id}.
type option = map[string]any

type askInput struct {
	Rater string `json:"rater,omitempty" jsonschema:"Name of the rater. Every agent needs its own."`
	Fixed option `json:"fixed,omitempty" jsonschema:"Values that both options must have; of a study with contexts the context, as in {\"noise\": \"quiet\"}."`
	More  bool   `json:"more,omitempty" jsonschema:"Ask even if the study is done."`
}

type askOutput struct {
	Done     bool   `json:"done" jsonschema:"Nothing more is worth asking: sentence says why."`
	Question string `json:"question,omitempty" jsonschema:"What tell wants to know as question."`
	Prompt   string `json:"prompt,omitempty" jsonschema:"The sentence above the question."`
	First    *side  `json:"first,omitempty"`
	Second   *side  `json:"second,omitempty"`
	Sentence string `json:"sentence" jsonschema:"Where the study stands."`
}

type side struct {
	Option option `json:"option" jsonschema:"Its settings, or the id of an item."`
	Text   string `json:"text,omitempty" jsonschema:"What an item says."`
	Media  string `json:"media,omitempty" jsonschema:"The file or address of an item."`
}

// ask returns the rater's open question, or asks one unless the study is done.
func (s Server) ask(ctx context.Context, in askInput) (out askOutput, err error) {
	fixed, err := readOption(in.Fixed)
	if err != nil {
		return out, err
	}
	err = s.Room.With(ctx, s.Study, func(r *live.Study) error {
		if in.More || len(r.Study.OpenQuestions(in.Rater)) > 0 {
			return nil
		}
		under := r.Config.Space.Context(fixed)
		v, err := r.Study.Verdict(ctx, prefer.Look{Rater: in.Rater, Fixed: under})
		if err != nil {
			return err
		}
		v = r.For(v, in.Rater, under)
		out = askOutput{Done: v.Kind.Done(), Sentence: v.Sentence}
		return nil
	})
	if err != nil || out.Done {
		return out, err
	}
	q, err := s.Room.Ask(ctx, s.Study, live.Ask{Rater: in.Rater, Owner: true, Fixed: fixed})
	if err != nil {
		return out, err
	}
	out = askOutput{Question: q.ID, Prompt: q.Prompt, Sentence: q.Status.Sentence}
	for i, at := range []**side{&out.First, &out.Second} {
		shown := q.Options[i]
		side := side{}
		if shown.Item != nil {
			side.Option, side.Text, side.Media = option{"item": shown.Item.ID}, shown.Item.Text, shown.Item.Media
		}
		if len(shown.Params) > 0 {
			if side.Option, err = writeOption(shown.Params); err != nil {
				return out, err
			}
		}
		*at = &side
	}
	return out, nil
}

type tellInput struct {
	Question   string  `json:"question" jsonschema:"The question, as ask gave it."`
	Choice     string  `json:"choice" jsonschema:"first or second, as ask showed them; tie, if neither is better; both_bad; or skip."`
	Rater      string  `json:"rater,omitempty" jsonschema:"The rater the question was put to."`
	Strength   int     `json:"strength,omitempty" jsonschema:"How clear it is: 0 plain, 1 clearly, up to the grades of the study."`
	ResponseMS float64 `json:"response_ms,omitempty" jsonschema:"How long the rater looked, in milliseconds."`
	Note       string  `json:"note,omitempty" jsonschema:"The reason, in words. Kept and shown, never learned from."`
}

type tellOutput struct {
	Answer   string `json:"answer" jsonschema:"The id of the answer."`
	Done     bool   `json:"done" jsonschema:"The study is done, as far as is known by now: ask says for certain."`
	Sentence string `json:"sentence" jsonschema:"Where the study stands."`
}

// tell keeps an answer. The question is its key, so that telling again is the same answer over again.
func (s Server) tell(ctx context.Context, in tellInput) (out tellOutput, err error) {
	if !(in.ResponseMS >= 0 && in.ResponseMS <= 1e9) {
		return out, fmt.Errorf("response_ms: %g, want milliseconds from 0 to 1e9", in.ResponseMS)
	}
	told, err := s.Room.Tell(ctx, s.Study, live.Tell{Question: prefer.QuestionID(in.Question), Rater: in.Rater, Owner: true,
		Answer: prefer.Answer{Choice: prefer.Choice(in.Choice), Strength: in.Strength, Key: in.Question, Note: in.Note, ResponseTime: time.Duration(in.ResponseMS * float64(time.Millisecond))}})
	if errcode.Of(err) == "key" {
		return out, fmt.Errorf("question %q already has another answer, which is kept", in.Question)
	}
	if err != nil {
		return out, err
	}
	return tellOutput{told.Answer, told.Status.Verdict != string(prefer.KeepGoing), told.Status.Sentence}, nil
}

type lookInput struct {
	Rater string `json:"rater,omitempty" jsonschema:"Whose favourite, or whose turn. Without a rater the study's."`
	Fixed option `json:"fixed,omitempty" jsonschema:"Among options with these values; of a study with contexts the context."`
}

type bestOutput struct {
	Option     option  `json:"option" jsonschema:"Its settings, or the id of an item."`
	Utility    float64 `json:"utility" jsonschema:"In units of the noise of one answer."`
	SD         float64 `json:"sd" jsonschema:"How uncertain that is."`
	Confidence float64 `json:"confidence" jsonschema:"Probability that nothing is noticeably better."`
	Verdict    string  `json:"verdict" jsonschema:"keep_going, or how the study ended."`
	Sentence   string  `json:"sentence" jsonschema:"The same in words."`
	Ranking    []place `json:"ranking,omitempty" jsonschema:"Of a list, the best ten."`
}

type place struct {
	Option  option  `json:"option"`
	Utility float64 `json:"utility"`
	SD      float64 `json:"sd"`
}

const most = 10

func (s Server) best(ctx context.Context, in lookInput) (bestOutput, error) {
	return look(ctx, s, in, func(r *live.Study, look prefer.Look) (out bestOutput, err error) {
		best, err := r.Study.Best(ctx, look)
		v, bad := r.VerdictFor(ctx, look)
		if err = cmp.Or(err, bad); err != nil {
			return out, err
		}
		out = bestOutput{Utility: best.Mean, SD: best.SD, Confidence: best.Confidence, Verdict: string(v.Kind), Sentence: v.Sentence}
		if out.Option, err = writeOption(best.Option); err != nil || r.Study.Items(false) == nil {
			return out, err
		}
		belief, err := r.Study.Belief(ctx, look)
		if err != nil {
			return out, err
		}
		for _, each := range belief.Ranking(most) {
			o, err := writeOption(each.Option)
			if err != nil {
				return out, err
			}
			out.Ranking = append(out.Ranking, place{o, each.Mean, each.SD})
		}
		return out, nil
	})
}

type statusOutput struct {
	Study    string   `json:"study"`
	Prompt   string   `json:"prompt" jsonschema:"The sentence above a question."`
	People   string   `json:"people" jsonschema:"shared: all who answer seek one favourite; per_rater: each their own."`
	Space    any      `json:"space" jsonschema:"What is searched: params with their ranges, or items."`
	Choices  []string `json:"choices" jsonschema:"What tell takes as a choice."`
	Answers  int      `json:"answers" jsonschema:"How many answers count; skips and checks do not."`
	Raters   int      `json:"raters" jsonschema:"How many have given them."`
	Given    int      `json:"given" jsonschema:"How many the rater has given."`
	Budget   int      `json:"budget,omitempty" jsonschema:"How many each is to give."`
	Open     []string `json:"open" jsonschema:"Questions that wait for the rater's answer."`
	Verdict  string   `json:"verdict" jsonschema:"keep_going, or how the study ended."`
	Left     [2]int   `json:"left" jsonschema:"A range for the number of questions left."`
	Sentence string   `json:"sentence" jsonschema:"Where the study stands, in words."`
}

func (s Server) status(ctx context.Context, in lookInput) (statusOutput, error) {
	return look(ctx, s, in, func(r *live.Study, look prefer.Look) (out statusOutput, err error) {
		at := r.Status(in.Rater)
		cfg := r.Study.Config()
		out = statusOutput{Study: s.Study, Prompt: cfg.Prompt, People: string(cfg.People), Answers: at.Answers, Raters: at.Raters, Given: at.Given, Budget: at.Budget,
			Open: []string{}, Verdict: at.Verdict, Left: at.Left, Sentence: at.Sentence}
		one := r.Config.People != prefer.PerRater || in.Rater != ""
		if one && len(look.Fixed) >= len(r.Config.Space.Contexts()) { // else there are several verdicts, and the last one known is told
			v, err := r.VerdictFor(ctx, look)
			if err != nil {
				return out, err
			}
			out.Given, out.Budget, out.Verdict, out.Left, out.Sentence = v.Given, v.Budget, string(v.Kind), [2]int{v.Left[0], v.Left[1]}, v.Sentence
		}
		out.Open = append(out.Open, xslices.Map(r.Study.OpenQuestions(in.Rater), func(q prefer.Question) string { return string(q.ID) })...)
		offered := xslices.Filter(prefer.Choices(), func(k prefer.ChoiceInfo) bool { return !k.Tied || !cfg.Answers.Forced })
		out.Choices = xslices.Map(offered, func(k prefer.ChoiceInfo) string { return string(k.Choice) })
		err = through(cfg.Space, &out.Space)
		return out, err
	})
}

// look returns what do finds in the study with what an agent looks at.
func look[T any](ctx context.Context, s Server, in lookInput, do func(*live.Study, prefer.Look) (T, error)) (out T, err error) {
	fixed, err := readOption(in.Fixed)
	if err != nil {
		return out, err
	}
	return live.In(ctx, s.Room, s.Study, func(r *live.Study) (T, error) { return do(r, prefer.Look{Rater: in.Rater, Fixed: fixed}) })
}

func readOption(o option) (out space.Option, err error) {
	if len(o) == 0 {
		return nil, nil
	}
	if err := through(o, &out); err != nil {
		return nil, fmt.Errorf("fixed: %v: %w; want values by the names of parameters, each a number, a word, true or false", o, err)
	}
	return out, nil
}

func writeOption(o space.Option) (out option, err error) { return out, through(o, &out) }

// through takes a value to another type by its JSON.
func through(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
