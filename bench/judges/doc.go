// Package judges measures how many calls of a judge it takes to find the best of a list of prompts: by prefer, as a user would run it, and by what people do without it. The
// judge is simulated and shares nothing with prefer's model: its noise is logistic, it likes what is shown first, and some of its answers are no answers at all.
//
// # Contents
//
//	judge     who answers
//	taste     what the prompts are worth, and what is known of them
//	player    who asks: the interface, and the names
//	study     prefer
//	robin     every pair in turn
//	elo       random pairs, rated as chess players are
//	thompson  double Thompson sampling
//	sorting   merge sort with the judge as comparator
//	run       plays, and the file that keeps them
//	table     what came out
package judges
