// Package arena makes the tables that people who compare models expect: Bradley–Terry ratings on the Elo scale with intervals and ranks, and who beat whom how often. They come
// from the answers alone, without the Gaussian process: every model has a rating of its own, whatever is known of it, and no answer counts more than another.
//
// # Contents
//
//	battle     an answer about two names
//	connected  who can be compared with whom: groups, and strong ones
//	fit        Bradley–Terry by Newton's method
//	table      ratings, intervals, ranks
//	wins       the matrix of wins
package arena
