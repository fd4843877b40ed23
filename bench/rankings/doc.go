// Package rankings measures what pairs a ranking should become for a model that takes pairs for independent: rankings are drawn from utilities that are known,
// broken into pairs in several ways, observed in a study, and what the study then believes is held against the utilities.
//
// # Contents
//
//	draw      rankings by Thurstone's and by Plackett and Luce's law
//	breaking  ways to make pairs of a ranking
//	run       studies of such pairs, and how far they are from the truth
//	table     what came out
package rankings
