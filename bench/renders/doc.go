// Package renders measures how many answers it takes to find one of the best pictures of many, with features from their pixels and without. Pictures
// are drawn from a few traits, tastes are about these traits and about single pictures, and the study sees neither: only what internal/pixels makes of the
// drawn pixels.
package renders
