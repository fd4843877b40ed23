// Package rankings measures what pairs a ranking should become for a model that takes pairs for independent: rankings are drawn from utilities that are known,
// broken into pairs in several ways, observed in a study, and what the study then believes is held against the utilities.
package rankings
