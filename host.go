package prefer

// Host is a study as a process sees it that serves many people at once and shares the log with other processes: it
// chooses questions before somebody asks, catches up with the log, and leaves behind what makes the next start quick.
// None of it changes which question a rater is asked after which answers, except that one in stock may be a few answers
// old. A program that asks one person needs none of it.
type Host struct{ study *Study }

// Host returns what only a process that serves the study to others needs.
func (s *Study) Host() *Host { return &Host{s} }
