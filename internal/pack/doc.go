// Package pack puts a study into one HTML file that needs no server and no network: the core of prefer as WebAssembly, the pages, the media and
// the study. Opened from a disk or any static host the file asks, learns, takes back, ends and shows results; the log stays in the browser until somebody
// saves or sends it. docs/pack.md has sizes, limits and what stays where.
//
//	err := pack.Write(ctx, w, pack.File{Name: "coffee", Config: cfg})
package pack
