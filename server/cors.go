package server

import (
	"net/http"

	"github.com/prefer-bo/prefer/server/problem"
)

// permit says in the header of a reply that pages of any origin, those of a file among them, may read it, and how they may ask: of the one
// address that takes an upload token in place of cookies. It reports whether the request was no more than that question.
func permit(h http.Header, r *http.Request) (asked bool) {
	if r.URL.Path != uploadPath {
		return false
	}
	h.Set("Access-Control-Allow-Origin", "*") // with which browsers send no cookies along
	h.Set("Access-Control-Expose-Headers", "Retry-After, "+problem.RequestID)
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", http.MethodPost)
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" { // a page on the web, and a server in the house
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	return true
}
