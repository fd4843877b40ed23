package tastes

// Source is studies from one file.
type Source struct {
	Name    string
	Studies []Study
}

// Together returns the studies of all sources. A variant that several of them have, as one from before and after a change of the
// program, is kept apart by the name of the source behind its setup.
func Together(sources ...Source) []Study {
	in := map[string]int{} // sources that have a series
	for _, from := range sources {
		seen := map[string]bool{}
		for _, s := range from.Studies {
			if !seen[s.series()] {
				seen[s.series()] = true
				in[s.series()]++
			}
		}
	}
	var out []Study
	for _, from := range sources {
		for _, s := range from.Studies {
			if in[s.series()] > 1 {
				s.Setup += " (" + from.Name + ")"
			}
			out = append(out, s)
		}
	}
	return out
}
