package chart

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestStripes: shares and places lie where they belong between 0 and 100.
func TestStripes(t *testing.T) {
	has(t, Share(prefer.Share{Count: 1, Of: 4, Low: 0.05, High: 0.6}, 0.5, "a<b"), `class="whisker" x1="5" y1="10" x2="60"`, `class="tap dot" x1="25"`, `class="ideal" x1="50"`, "a&lt;b")
	// Of five places the second is in the middle of the second fifth; a place that the range does not have is its nearest.
	has(t, Places(2, 1, 3, 5, ""), `class="range" x1="3" y1="10" x2="57"`, `class="tap at" x1="30"`)
	has(t, Places(1, 3, 4, 5, ""), `class="tap at" x1="50"`)
}
