package chart

import _ "embed"

// Style is the sheet of all charts. It takes the variables of the page: --ink, --soft, --line, --edge, --accent, --warn, --raised,
// --sunken, --sans.
//
//go:embed chart.css
var Style string
