// Package prefer finds what a person likes best by asking a short series of well-chosen "A or B?"
// questions: preferential Bayesian optimisation with the exact knowledge gradient of Wu & Gardner,
// "Knowledge Gradient for Preference Learning" (2026).
//
// The study API (ask, tell, best) is not here yet. What is here is the numeric stair below it; see
// package gp for the utility learned from answers.
package prefer
