package service

import (
	"os"
	"testing"

	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestMain stops the PostgreSQL that a test may have started.
func TestMain(m *testing.M) {
	code := m.Run()
	storetest.Stop()
	os.Exit(code)
}
