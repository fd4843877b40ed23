package sqlstore

import "testing"

// TestConformance runs what a store promises against both engines.
func TestConformance(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) { conformance(t, e.fresh) })
	}
}

func conformance(t *testing.T, fresh func(testing.TB) string) {
	for _, c := range []struct {
		name string
		test func(*testing.T, string)
	}{
		{"replay", testReplay}, {"names", testNames}, {"conflict", testConflict}, {"interleaved", testInterleaved},
		{"processes", testProcesses}, {"same key", testSameKey}, {"import", testImport}, {"list", testList}, {"delete", testDelete},
		{"forget", testForget}, {"cancelled", testCancelled}, {"snapshot", testSnapshot}, {"check", testCheck}, {"chain", testChain}, {"kind to come", testKindToCome},
		{"read only", testReadOnly}, {"newer", testNewer}, {"open together", testOpenTogether}, {"refused text", testRefusedText},
		{"note", testNote}, {"derived", testDerived}, {"follow", testFollow}, {"ahead", testAhead}, {"lease", testLease},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, fresh(t)) })
	}
}
