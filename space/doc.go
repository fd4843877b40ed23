// Package space describes what a study searches: named parameters under constraints, a list of items, or a list crossed with
// parameters. An [Option] is one setting of every parameter, or one item. The package knows nothing of studies and models.
//
//	tea := space.Box(
//		space.Float("sugar", 0, 5),        // both ends included
//		space.LogFloat("minutes", 1, 16),  // searched in ratios: the middle is 4
//		space.Categorical("leaf", "green", "black"),
//	)
//	o, err := tea.Parse(map[string]string{"sugar": "2", "minutes": "4", "leaf": "green"}, false)
//
// # Contents
//
//	space.go parameter.go   parameters under constraints, and what may be wrong with an option
//	item.go                 a list, alone or crossed with parameters
//	value.go                one setting of everything
package space
