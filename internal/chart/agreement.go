package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Agreement is a table of how far each two people agree: the correlation of their tastes with its interval of 95%, as prefer.Group has it.
// Heads have the people's favourites, cells a disc as large as the agreement and as full as it is sure.
type Agreement struct {
	Names           []string
	Pictures        []template.HTML // of favourites; fewer than names, or empty ones, leave a head without
	Mean, Low, High [][]float64
	Label           string // what it shows, in words
}

// known reports whether anything is known of how far two agree: not where it may be either way, and by much.
func (a Agreement) known(i, j int) bool {
	low, high := a.Low[i][j], a.High[i][j]
	return low > 0 || high < 0 || high-low <= vague
}

const vague = 0.5 // the width of an interval around 0 beyond which nothing is known

// HTML is a table that scrolls by itself where there is no room. A cell of which nothing is known is empty; nothing is drawn where all are.
func (a Agreement) HTML() template.HTML {
	var b strings.Builder
	any := false
	for i := range a.Names {
		for j := range i {
			any = any || a.known(i, j)
		}
	}
	if !any {
		return ""
	}
	picture := func(i int) string {
		if i >= len(a.Pictures) || a.Pictures[i] == "" {
			return ""
		}
		return `<span class="portrait">` + string(a.Pictures[i]) + `</span>`
	}
	fmt.Fprintf(&b, `<div class="agree" tabindex="0" role="region" aria-label="%s"><table><thead><tr><td></td>`, escape(a.Label))
	for i, name := range a.Names {
		fmt.Fprintf(&b, `<th scope="col" title="%s"><span class="who" dir="auto">%s</span>%s</th>`, escape(name), escape(name), picture(i))
	}
	b.WriteString("</tr></thead><tbody>")
	for i, name := range a.Names {
		fmt.Fprintf(&b, `<tr><th scope="row" title="%s"><span class="head">%s<span class="who" dir="auto">%s</span></span></th>`, escape(name), picture(i), escape(name))
		for j, other := range a.Names {
			if i == j {
				b.WriteString("<td>–</td>")
				continue
			}
			disc := template.HTML("")
			if a.known(i, j) {
				disc = a.disc(i, j)
			}
			fmt.Fprintf(&b, `<td title="%s">%s</td>`, escape(name+" · "+other+": "+a.say(i, j)), disc)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table></div>")
	return template.HTML(b.String())
}

func (a Agreement) say(i, j int) string {
	return fmt.Sprintf("%s (%s … %s)", correlation(a.Mean[i][j]), correlation(a.Low[i][j]), correlation(a.High[i][j]))
}

// disc is as large as the agreement, and as full as its interval keeps away from 0.
func (a Agreement) disc(i, j int) template.HTML {
	r := a.Mean[i][j]
	class, sure := "with", math.Max(0, a.Low[i][j])
	if r < 0 {
		class, sure = "against", math.Max(0, -a.High[i][j])
	}
	d := New("chart disc", 44, 44, a.say(i, j))
	fmt.Fprintf(&d.b, `<circle class="%s" cx="22" cy="22" r="%s" fill-opacity="%.2f"/>`, class, px(7+14*math.Min(math.Abs(r), 1)), 0.14+0.28*math.Min(sure, 1))
	d.Text("label", "middle", 22, 26, correlation(r))
	return d.HTML()
}

// correlation writes one to a tenth, with a minus that is as wide as a plus.
func correlation(r float64) string {
	tenths := math.Round(10*r) + 0 // no minus before a zero
	return strings.Replace(strconv.FormatFloat(tenths/10, 'f', 1, 64), "-", "−", 1)
}
