// Package acquisition decides what to ask next: formulas for the worth of a question on the moments
// of the utility, and the search for the question that is worth most.
package acquisition
