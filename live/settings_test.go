package live

import (
	"errors"
	"testing"

	"github.com/prefer-bo/prefer/store"
)

// TestSettingsDamaged: a note that cannot be read is not taken for one that is not there.
func TestSettingsDamaged(t *testing.T) {
	h := newTestStudies(t, nil)
	if err := h.store.KeepNote(t.Context(), store.Note{Study: "coffee", Name: "settings", Body: "{"}); err != nil {
		t.Fatal(err)
	}
	h.Reopen("coffee")
	if err := h.With(t.Context(), "coffee", func(*Study) error { return nil }); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("settings that cannot be read are %v", err)
	}
}
