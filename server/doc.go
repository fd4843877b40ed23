// Package server is the service any language can call: studies over HTTP and JSON.
//
//	st, err := sqlstore.Open(ctx, "coffee.db", sqlstore.Options{})
//	srv, err := server.New(server.Config{Store: st})
//	http.ListenAndServe("127.0.0.1:8080", srv.Handler())
//
// docs/guides/rest.md walks through a whole study with curl; /openapi.json describes every call; docs/guides/mounting.md shows how the
// handler goes into another program, with that program's own authentication. A question that was asked and an answer
// that was acknowledged are in the store; the server itself holds nothing that matters and can be stopped at any moment.
//
// # Contents
//
// What happens to a study is in package live; here requests are read, checked and answered:
//
//	server    Config, New, Close                       routes    which handler has which address; JSON in and out
//	openapi   the description of the API               metrics   /metrics, /livez, /readyz
//	folder    a study of what is in a folder
//
// and one file for each kind of call, as /openapi.json lists them:
//
//	study     created, listed, described, deleted      ask       questions, answers, undo, blind duels
//	belief    pick, verdict, slices, maps, predictions  people    raters, history, enqueued options
//	tokens    links and upload tokens; uploads         events    the stream of changes
//	exchange  files in and out, a packed study         items     items and their files
//	jobs      simulations and reports
//
// Package gate is the middleware in front of them: authentication, limits, CORS, the access log. Package problem makes
// replies of errors, package media keeps files, and package page is what people see in a browser.
package server
