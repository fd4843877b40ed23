// Package splitmix is the generator splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// 2014): it makes independent seeds of one seed. Logs are replayed by its bits, so they never change.
package splitmix

// golden is 2⁶⁴ divided by the golden ratio, odd.
const golden = 0x9e3779b97f4a7c15

// Stream is the state of a generator; its first value is the seed.
type Stream uint64

// Next returns the next 64 bits.
func (s *Stream) Next() uint64 {
	*s += golden
	return Mix(uint64(*s))
}

// At returns number k, counted from 0, of the stream that begins at seed.
func At(seed, k uint64) uint64 { return Mix(seed + (k+1)*golden) }

// Mix spreads every bit of z over all 64: the finaliser of the generator.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Coin returns whether the coin at position k of the stream with that seed shows heads.
func Coin(seed, k uint64) bool { return At(seed, k)&1 == 1 }
