package play

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/terminal"
)

const pairFrame = 7 // lines of a question's page beside its cards

func (p *player) lines() []string {
	columns, rows := p.screen.Size()
	switch p.page {
	case pageHelp:
		return helpPage(p.gallery.Style, p.gallery.config.Answers)
	case pagePick:
		return p.pickPage(columns, rows)
	}
	g := p.gallery
	if p.question == nil {
		waiting := ""
		if time.Since(p.since) >= spinAfter {
			frames := []rune(g.Glyph("⠋⠙⠹⠸⠼⠴⠦⠧", `|/-\`))
			waiting = string(frames[p.spins%len(frames)]) + " choosing the next question"
		}
		return []string{"", " " + waiting, "", " " + g.Dim(p.notice)}
	}
	first, second := p.question.options()
	labels := [2]string{g.Glyph("← 1", "1"), g.Glyph("2 →", "2")}
	out := []string{fmt.Sprintf("%s  %s", g.Dim(p.question.label()), g.Bold(g.Text(g.config.Prompt))), ""}
	out = append(out, g.pair(first, second, labels, columns, rows-pairFrame)...)
	out = append(out, "", keyLine(g.Style, g.config.Answers))
	said := []string{g.Glyph("…", "...")} // until the verdict counts the latest answer
	if p.question.Blind != nil && p.check != nil {
		said = terminal.Wrap(p.check.line(), columns)
	} else if p.fresh {
		said = append(terminal.Wrap(p.status.line(), columns), terminal.Wrap(g.Text(p.status.learned()), columns)...)
	}
	for _, line := range said {
		out = append(out, g.Dim(line))
	}
	if p.strength > 0 {
		out = append(out, g.Bold(strings.Repeat("+", p.strength)+" the next choice is "+grade(p.strength)))
	}
	return append(out, p.notice)
}

// grade names a strength above a plain preference.
func grade(strength int) string {
	if names := []string{"clear", "by far"}; strength <= len(names) {
		return names[strength-1]
	}
	return fmt.Sprintf("of strength %d", strength)
}

func keyLine(s terminal.Style, a prefer.Answers) string {
	keys := s.Glyph("←", "1") + " " + s.Glyph("→", "2") + " choose   "
	if a.Grades > 0 {
		keys += s.Glyph("⇧", "Shift") + " clearly   "
	}
	if !a.Forced {
		keys += s.Glyph("↓", "=") + " can't tell   "
	}
	return keys + "z undo   ? help   q leave"
}

// arrows are the further keys of some answers, as they are drawn and in words.
var arrows = map[prefer.Choice][2]string{prefer.First: {"←", "Left"}, prefer.Second: {"→", "Right"}, prefer.Tie: {"↓", "Down"}}

func helpPage(s terminal.Style, a prefer.Answers) []string {
	var rows [][2]string
	for _, k := range prefer.Choices() {
		if k.Tied && a.Forced {
			continue
		}
		keys := k.Key
		if arrow, ok := arrows[k.Choice]; ok {
			keys = s.Glyph(arrow[0], arrow[1]) + "  " + keys
		}
		for _, word := range k.Words {
			if len(word) == 1 {
				keys += "  " + word
			}
		}
		rows = append(rows, [2]string{keys, k.Means})
	}
	rows = append(rows, [2]string{"z  Backspace", "take the last answer back, and the one before, and so on"},
		[2]string{"p", "the pick so far; there c checks it blindly"}, [2]string{"q  Ctrl-C  Ctrl-D", "leave; every answer is kept"})
	if a.Grades > 0 {
		more := "before a choice: clearly"
		if a.Grades > 1 {
			more += "; once more: by far"
		}
		rows = append(rows, [2]string{"+", more}, [2]string{"Shift with a choice", "the same as + before it"})
	}
	out := []string{s.Bold("Keys"), ""}
	for _, r := range rows {
		out = append(out, "  "+terminal.Fit(r[0], 20)+"  "+r[1])
	}
	return append(out, "", "Which option is on which side says nothing about it.", "", "any key goes back")
}

// pickPage shows what the study came to: the pick if there is one to speak of, how sure it is and what mattered.
func (p *player) pickPage(columns, rows int) []string {
	g, o := p.gallery, p.status
	var out []string
	for _, line := range terminal.Wrap(english.Headline(o.Verdict, ""), columns) {
		out = append(out, g.Bold(line))
	}
	out = slices.Concat(out, terminal.Wrap(english.Claim(o.Verdict), columns), terminal.Wrap(english.More(o.Verdict), columns))
	foot := []string{"", "Enter: go on and refine   " + offer() + "   z undo   q leave"}
	switch {
	case !o.Kind.Picks():
		foot[1] = "Enter: go on   z undo   q leave"
	case o.Kind == prefer.PracticalTie && o.Best.Rival != nil:
		out = append(append(out, ""), g.pair(o.Best.Option, o.Best.Rival, [2]string{"the pick", "may be as good"}, columns, rows-4)...)
	default:
		out = append(append(out, ""), g.card(o.Best.Option, "the pick", max(12, min(columns, cardMost)), 0)...)
	}
	if p.found != nil {
		foot = append(append([]string{""}, terminal.Wrap(p.found.Sentence, columns)...), wouldYou, "", foot[1])
		if p.taken {
			foot[len(foot)-3] = kept
		}
	}
	if p.auto != nil {
		foot = []string{"", "q leave"}
	}
	room := rows - len(out) - len(foot) - 1
	for most := 3; most >= 0; most-- {
		if what := g.mattered(o, columns-2, most); len(what) > 0 && len(what) <= room {
			out = append(append(out, ""), what...)
			break
		}
	}
	return append(out, foot...)
}

// summary is the pick in plain lines, for when the screen is gone; none where there is no pick to speak of.
func (g *gallery) summary(o status) []string {
	if !o.Kind.Picks() {
		return nil
	}
	out := []string{g.line(o.Best.Option)}
	if o.Kind == prefer.PracticalTie && o.Best.Rival != nil {
		out = append(out, "or "+g.line(o.Best.Rival))
	}
	return out
}
