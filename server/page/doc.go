// Package page is what people see of a study in a browser: the HTML, the style, the scripts, the drawings of
// results, and the demonstrations. What happens to a study is in package live, who somebody is the server says.
// Nothing is loaded from elsewhere, and nothing needs a build step. docs/page.md has the keys, the templates and the
// rules.
//
// # Contents
//
//	handler    which address is which page, and for whom     view      what each page is made of, and its HTML
//	start      studies there are, and ways to make one       demo      the demonstrations
//	shelf      the studies there are, each in small          form      a study of parameters, typed or pasted
//	preview    a template before there is a study
//	answer     a question after the other                    draw      options, texts and codes, drawn
//	result     the pick, and what comes after it             learned   what is known of each parameter
//	map        and of two together                           gallery   how a list stands
//	path       what the study said in its past               strip     the pick along each parameter
//	take       what a person can take away of a pick         try       one of the owner's own against the pick
//	history    the answers so far                            owner     people, links, a pause
//	everybody  the results of a study per rater              whose     who somebody is, and whose a pick
//	board      where each of the people stands               settings  what the owner changes while it runs
//	jobs       how far long work is                          plan      how many questions a study takes
//	template   an option put into a drawing                  markdown  texts made harmless
//	upload     files that people bring                       sheet     the contact sheet of a list
//	guest      who comes through a link for everybody
//	context    under which contexts somebody answers, and other results
//	look       how options are drawn, all alike                language  what pages say, in the language of who reads
//	static     scripts, pictures, fonts and the one sheet of styles
//	message    a page that says what went wrong, or one thing else
package page
