// Package coding translates between options in the user's units and points of the model, in the unit cube: one coordinate for a number, several for a choice, a
// circle or an item. It compiles constraints, holds parameters at fixed values, and describes to the search where it may look.
//
// # Contents
//
//	coding.go axis.go       options as points, and parameter by parameter
//	errors.go               what is refused
//	list.go cross.go        items, alone and crossed with parameters
//	constraint.go cost.go   conditions on options, and what they cost to compute
//	fixed.go                options that are held at given values
//	sample.go neighbour.go  quasi-random options; those next to a point
//	layout.go               the same for other packages
package coding
