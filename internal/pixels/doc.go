// Package pixels describes pictures by a few numbers that people can see: how light, how colourful, how busy they are. A study of pictures that
// nobody has described learns from them (space.Item.Features), so that not every picture must be shown to be ranked.
package pixels
