package prefer

// Practice questions are pairs of the same sequence from practiceStart on, where no study comes, as far apart as may be passed over.
const (
	practiceStart = 1 << 40
	practiceStep  = constrainedTries
)

// practicePair returns the rater's next pair to practise on.
func (s *Study) practicePair(v view, r rules) ([]float64, error) {
	v.design = practiceStart + v.practice*practiceStep
	return s.designPair(v, r)
}

// isPractice reports whether a question is one; there may be none, as with an observed duel.
func (q *asked) isPractice() bool { return q != nil && q.Method == methodPractice }
