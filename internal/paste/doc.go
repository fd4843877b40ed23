// Package paste turns a pasted text (an address, CSS, HTML or SVG) into a template and the parameters that could vary in
// it, each with the value found, a proposed range and its unit. A person reviews and changes the proposal before it becomes
// a study. The text is untrusted; this package opens no address.
package paste
