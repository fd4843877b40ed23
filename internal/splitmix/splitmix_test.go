package splitmix

import "testing"

// TestReference compares with the published test vector for seed 1234567 (Vigna's splitmix64.c, as listed on Rosetta
// Code).
func TestReference(t *testing.T) {
	s := Stream(1234567)
	for k, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.Next(); got != want || At(1234567, uint64(k)) != want {
			t.Errorf("number %d is %d, at once %d, want %d", k, got, At(1234567, uint64(k)), want)
		}
	}
}
