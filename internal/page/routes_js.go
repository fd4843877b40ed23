package page

import (
	"net/http"

	"github.com/prefer-bo/prefer/space"
)

// registerOwner denies the owner's pages: a packed file, which is all that a browser runs, has no owner and need not carry them.
func (p *Pages) registerOwner(mux mux) {
	deny := p.try(func(http.ResponseWriter, *http.Request) error { return errOwnersOnly })
	for _, pattern := range []string{"/{$}", "/start/{rest...}", "/s/{study}/sheet", "/s/{study}/files", "/s/{study}/describe", "/s/{study}/owner", "/s/{study}/jobs", "/s/{study}/thumb", "/s/{study}/qr", "/s/{study}/pause"} {
		mux.HandleFunc(pattern, deny)
	}
}

// everybody denies the results of all people, which are the owner's.
func (p *Pages) everybody(http.ResponseWriter, *http.Request, visitor, space.Option) error {
	return errOwnersOnly
}
