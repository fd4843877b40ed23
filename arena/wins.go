package arena

// Wins is who beat whom how often, names in their order.
type Wins struct {
	Names []string `json:"names"`
	// Won[i][j] is how often i was taken over j, Tied[i][j] how often neither was.
	Won  [][]int `json:"won"`
	Tied [][]int `json:"tied"`
}

func (s score) table() Wins { return Wins{Names: s.names, Won: s.wins, Tied: s.ties} }

// Share is the share of battles of i with j that i won, a tie being half a win; ok is false if they never met.
func (w Wins) Share(i, j int) (share float64, ok bool) {
	n := w.Won[i][j] + w.Won[j][i] + w.Tied[i][j]
	if n == 0 {
		return 0, false
	}
	return (float64(w.Won[i][j]) + float64(w.Tied[i][j])/2) / float64(n), true
}
