package server

import (
	"testing"

	"github.com/prefer-bo/prefer/store"
)

// TestSettingsDamaged: a note that cannot be read is not taken for one that is not there.
func TestSettingsDamaged(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	if err := h.store.KeepNote(t.Context(), store.Note{Study: "coffee", Name: settingsNote, Body: "{"}); err != nil {
		t.Fatal(err)
	}
	h.server.studies.drop(h.server.studies.peek("coffee"))
	h.refused(500, "store_damaged", "", "GET", "/v1/studies/coffee", "")
}
