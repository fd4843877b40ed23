// Package paste makes of what somebody has at hand, an address, a style sheet, a page or a drawing, a template and the
// parameters that could vary in it: each with the value found, a range around it and its unit. It decides nothing: people look at
// it, change it, and make a study of it. What it reads may be anything; it opens no address.
//
// # Contents
//
//	paste     what a text is, and the proposal made of it
//	address   values in the query of an address
//	sheet     declarations of a style sheet
//	markup    style sheets and attributes in a page or a drawing, and places that are there already
//	place     a value that was found becomes a parameter
//	number    ranges around numbers
//	colour    a colour becomes hue, lightness and chroma
//	specimen  a page to show a style sheet with
package paste
