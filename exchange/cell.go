package exchange

import (
	"regexp"
	"strings"
)

// formula is a text that a spreadsheet would run, or has been kept from it: https://owasp.org/www-community/attacks/CSV_Injection.
var formula = regexp.MustCompile(`\A'*[=+\-@\t\r\n]`)

// Cell returns a text as a cell of comma-separated values has it: one that begins with =, +, -, @, a tab or a line end, and is no
// number, gets an apostrophe in front, and so does one that begins with apostrophes before such a character. So every text has
// a cell of its own, and what is read from one is the text again.
func Cell(text string) string {
	if _, isNumber := number(text); isNumber || !formula.MatchString(text) {
		return text
	}
	return "'" + text
}

// uncell returns the text of a cell.
func uncell(cell string) string {
	if strings.HasPrefix(cell, "'") && formula.MatchString(cell) {
		return cell[1:]
	}
	return cell
}
