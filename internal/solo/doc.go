// Package solo is a study with one person before it and nobody else: no server, no network, no database. The pages and the few calls they make are a
// http.Handler over a study in memory, whose every event goes to whoever keeps the log before it counts. In a file made by package pack that is a
// browser, and the handler runs in it (solo/core).
//
//	desk, err := solo.Open(ctx, solo.Study{Name: "coffee", Log: events}, solo.Seat{Rater: "ann", Keep: keep})
//	desk.ServeHTTP(w, r) // GET /s/coffee, POST /v1/studies/coffee/tell
//
// Addresses, bodies, replies and problems are the server's, as far as a rater's page uses them.
package solo
