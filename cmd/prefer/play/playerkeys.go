package play

import (
	"context"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/terminal"
)

// key does what a key asks for.
func (p *player) key(ctx context.Context, k terminal.Key) error {
	p.notice = ""
	do := runes[k.Rune]
	switch {
	case do == leave:
		return errLeft
	case do == suspend:
		return p.screen.Suspend()
	case p.page == pageHelp: // any key closes it
		p.turnTo(pageQuestion)
	case do == showHelp:
		p.turnTo(pageHelp)
	case p.auto != nil: // which only ends
	case do == undoAnswer && p.writing:
		p.undos++
	case do == undoAnswer:
		p.page = pageQuestion
		p.advance(ctx, p.session.undo)
	case p.page == pagePick:
		if do == goOn {
			p.turnTo(pageQuestion)
		}
	case do == showPick:
		if p.status.belief == nil || p.status.answers == 0 {
			p.notice = "there is no pick before the first answer"
			return nil
		}
		p.turnTo(pagePick)
	case do == stronger:
		p.strength = (p.strength + 1) % (p.answers.Grades + 1)
		if p.answers.Grades == 0 {
			p.notice = "this study has no grades: a choice is a choice"
		}
	default:
		p.choose(ctx, do, k)
	}
	return nil
}

// choose answers the question on the screen.
func (p *player) choose(ctx context.Context, do action, k terminal.Key) {
	choice, ok := answering[do]
	switch {
	case !ok:
		if do == noAction && k.Text != "Esc" {
			p.notice = "? shows the keys"
		}
		return
	case p.question == nil: // typed before there was anything to see
		return
	case choice == prefer.Tie && p.answers.Forced:
		p.notice = "this study has no \"can't tell\": choose a side, or s to skip"
		return
	}
	strength := 0
	if choice == prefer.First || choice == prefer.Second {
		strength = p.strength
		if k.Shift && strength == 0 {
			strength = min(1, p.answers.Grades)
		}
	}
	id, a := p.question.ID, prefer.Answer{Choice: choice, Strength: strength, ResponseTime: p.looked + time.Since(p.shown)}
	p.advance(ctx, func(ctx context.Context) error { return p.session.tell(ctx, id, a) })
}

// answering are the actions that answer.
var answering = map[action]prefer.Choice{
	chooseFirst: prefer.First, chooseSecond: prefer.Second, chooseTie: prefer.Tie,
	chooseBothBad: prefer.BothBad, chooseSkip: prefer.Skip,
}
