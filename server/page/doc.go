// Package page is what people see of a study in a browser: the HTML, the style, the scripts, the drawings of
// results, and three demonstrations. It renders and never decides: routes, rights and studies belong to
// package server. Nothing is loaded from elsewhere, and nothing needs a build step. docs/page.md has the
// keys, the templates and the rules.
package page
