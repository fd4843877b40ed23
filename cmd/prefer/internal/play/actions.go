package play

import (
	"context"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
)

// action is what a key, or a word on a line, asks for: an answer is its choice, anything else one of these.
type action string

const (
	noAction   action = ""
	undoAnswer action = "undo"
	showHelp   action = "help"
	showPick   action = "pick"
	goOn       action = "more"
	leave      action = "quit"
	stronger   action = "stronger"
	suspend    action = "suspend"
)

// runes are the keys, each with a character. Capitals are the same keys with Shift.
var runes = map[rune]action{
	terminal.Left: action(prefer.First), terminal.Right: action(prefer.Second), terminal.Down: action(prefer.Tie),
	'z': undoAnswer, 0x7f: undoAnswer, 0x08: undoAnswer, '?': showHelp, 'h': showHelp, 'p': showPick,
	'm': goOn, '\r': goOn, '\n': goOn, ' ': goOn, '+': stronger, 'q': leave, 0x03: leave, 0x04: leave, 0x1a: suspend,
}

// words are what can be said on a line, the keys among them.
var words = map[string]action{"undo": undoAnswer, "help": showHelp, "pick": showPick, "more": goOn, "quit": leave, "leave": leave}

var kinds = map[prefer.Choice]prefer.ChoiceInfo{}

func init() {
	for _, k := range prefer.Choices() {
		kinds[k.Choice] = k
		for _, word := range append(k.Words, k.Key, string(k.Choice)) {
			words[word] = action(k.Choice)
			if r := []rune(word); len(r) == 1 {
				runes[r[0]] = action(k.Choice)
			}
		}
	}
	for r, do := range runes {
		if r > 0 && do != stronger {
			words[string(r)] = do
		}
	}
}

// readWord reads one word of a line: a key or a name, with a + for every step of strength: "1", "tie", "b++".
func readWord(word string) (do action, strength int) {
	name := strings.TrimRight(word, "+")
	strength = len(word) - len(name)
	do = words[strings.ToLower(name)]
	if strength > 0 && kinds[prefer.Choice(do)].Side == 0 {
		return noAction, 0
	}
	return do, strength
}

const noTies = "this study has no \"can't tell\": choose a side, or s to skip"

// key does what a key asks for on the page that is shown.
func (p *player) key(ctx context.Context, k terminal.Key) error {
	p.notice = ""
	switch do := runes[k.Rune]; {
	case do == leave:
		return errLeft
	case do == suspend:
		return p.screen.Suspend()
	case p.page == pageHelp: // any key closes it
		p.show(pageQuestion)
	case do == showHelp:
		p.show(pageHelp)
	case p.auto != nil: // which only ends
	case do == undoAnswer:
		p.undo(ctx)
	case p.page == pagePick:
		if do == goOn {
			p.show(pageQuestion)
		}
	default:
		p.questionKey(ctx, do, k)
	}
	return nil
}

// undo takes the latest answer back, as soon as no other is being written.
func (p *player) undo(ctx context.Context) {
	if p.writing {
		p.undos++
		return
	}
	p.page = pageQuestion
	p.advance(ctx, p.session.undo)
}

func (p *player) questionKey(ctx context.Context, do action, k terminal.Key) {
	grades := p.gallery.config.Answers.Grades
	switch {
	case do == showPick && (p.status.belief == nil || p.status.answers == 0):
		p.notice = noPick
	case do == showPick:
		p.show(pagePick)
	case do == stronger && grades == 0:
		p.notice = "this study has no grades: a choice is a choice"
	case do == stronger:
		p.strength = (p.strength + 1) % (grades + 1)
	case do == noAction && k.Text != "Esc":
		p.notice = "? shows the keys"
	default:
		p.choose(ctx, do, k.Shift)
	}
}

// choose answers the question on the screen, if there is one: a key may be typed before there was anything to see.
func (p *player) choose(ctx context.Context, do action, shift bool) {
	answers := p.gallery.config.Answers
	kind, ok := kinds[prefer.Choice(do)]
	if !ok || p.question == nil {
		return
	}
	if kind.Tied && answers.Forced {
		p.notice = noTies
		return
	}
	id, a := p.question.ID, prefer.Answer{Choice: kind.Choice, ResponseTime: p.looked + time.Since(p.shown)}
	if kind.Side != 0 {
		a.Strength = p.strength
		if shift && a.Strength == 0 {
			a.Strength = min(1, answers.Grades)
		}
	}
	p.advance(ctx, func(ctx context.Context) error { return p.session.tell(ctx, id, a) })
}

// autoplay lets the simulated rater answer, when the question has been on the screen for a while.
func (p *player) autoplay(ctx context.Context) error {
	switch {
	case p.auto == nil:
	case p.page == pagePick && time.Since(p.since) > 4*p.pace: // its end stays a little
		return errLeft
	case p.page != pageQuestion:
	case p.due:
		p.show(pagePick)
		p.since = time.Now()
	case p.question != nil && time.Since(p.shown) >= p.pace:
		q, a := *p.question, autoAnswer(*p.question, p.auto)
		p.notice = "the simulated rater says: " + describeChoice(a)
		p.advance(ctx, func(ctx context.Context) error { return p.session.tell(ctx, q.ID, a) })
	}
	return nil
}

// autoAnswer is what a simulated rater, to whom sides mean nothing, says about the options in the order of the screen.
func autoAnswer(q pair, rater func(prefer.Question) prefer.Answer) prefer.Answer {
	a := rater(q.Question)
	if other, ok := map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First}[a.Choice]; ok && q.swapped {
		a.Choice = other
	}
	return a
}

// describeChoice says which option on the screen an answer takes: "1+", or in words that it takes none.
func describeChoice(a prefer.Answer) string {
	k := kinds[a.Choice]
	if k.Side == 0 {
		return k.Said
	}
	return k.Key + strings.Repeat("+", a.Strength)
}
