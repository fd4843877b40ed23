package server

import "time"

// An upload token is in every file that was packed with it, so that anybody may have it. It brings atOnce logs at a time, and so many new answers at
// once and an hour: a class of fifty people with a hundred answers each, whatever their names, and no flood. Near the end of that it brings one log at a time.
const (
	atOnce      = 2
	uploadBurst = 5_000
	uploadRate  = 5_000.0 / 3600 // a second
)

// begin counts a log that a token is about to bring. Without done it may not, for now; else done is called with the number of answers that were new.
func (l *limits) begin(token string) (wait time.Duration, done func(answers int)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running[token] >= atOnce {
		return time.Second, nil
	}
	b := l.bucket(token, uploadRate, uploadBurst)
	if wait := b.wait(); wait > 0 {
		return wait, nil
	}
	if l.running[token] > 0 && b.level < uploadBurst/2 {
		return time.Second, nil
	}
	l.running[token]++
	return 0, func(answers int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.bucket(token, uploadRate, uploadBurst).level -= float64(answers)
		if l.running[token]--; l.running[token] == 0 {
			delete(l.running, token)
		}
	}
}
