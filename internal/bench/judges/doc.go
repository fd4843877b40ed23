// Package judges measures how many calls of a judge it takes to find the best of a list of prompts: by prefer, as a user would run it, and by what people do without it. The
// judge is simulated and shares nothing with prefer's model: its noise is logistic, it likes what is shown first, and some of its answers are no answers at all.
package judges
