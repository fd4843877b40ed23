// Package page is what people see of a study in a browser: the HTML, the style, the scripts, the drawings of results, and the demonstrations. What happens to
// a study is in package live, who somebody is the server says. Nothing is loaded from elsewhere, and nothing needs a build step. docs/guides/page.md has the keys,
// the templates and the rules.
//
// # Contents
//
//	handler    which address is which page, and for whom     routes    the owner's, which a packed file does without
//	visitor    who looks at a page, at which study           view      what each page is made of, its HTML
//	start      studies there are, demonstrations             form      a study of parameters, typed or pasted
//	answer     a question after the other                    draw      options, texts and codes, drawn
//	result     the pick, and the details beside it           learned   parameters, maps, rankings, the study's past
//	strip      the pick along each parameter                 history   the answers so far
//	everybody  the results of a study per rater              owner     people, links, a pause
//	settings   what the owner changes while it runs          jobs      how far long work is
//	upload     files that people bring                       sheet     the contact sheet of a list
package page
