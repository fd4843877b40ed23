// Package server is the service any language can call: studies over HTTP and JSON.
//
//	st, err := store.Open(ctx, "coffee.db", store.Options{})
//	srv, err := server.New(server.Config{Store: st})
//	http.ListenAndServe("127.0.0.1:8080", srv.Handler())
//
// docs/api.md walks through a whole study with curl; /openapi.json describes every call; docs/mounting.md shows how the
// handler goes into another program, with that program's own authentication. A question that was asked and an answer
// that was acknowledged are in the store; the server itself holds nothing that matters and can be stopped at any moment.
//
// # Contents
//
// What happens to a study is in package live; here requests are read, checked and answered:
//
//	server    Config, New, Close                       routes    which address is whose
//	guard     what every request passes                access    who is behind it: tokens, cookies, the host's word
//	limits    how many requests                        openapi   the description of it all
//	metrics   what /metrics tells                      health    /livez and /readyz
//	log       what a log says of a request             transfer  bodies that break off
//	body      JSON, to the letter                      folder    a study of what is in a folder
//	steady    bodies that have to keep coming          volume    how many logs and answers come by an upload token
//
// and one file for each kind of call, as /openapi.json lists them:
//
//	study     made, listed, described, deleted         ask · tell  questions, answers, answers taken back
//	ensure    made unless it is there
//	blind     blind duels of the pick, and who would take it
//	belief    what the answers say: pick, verdict, slices, maps, predictions
//	people    raters, history, enqueued options         tokens    links and upload tokens: made, listed, renewed, withdrawn
//	uploads   logs of people who were asked elsewhere   cors      which pages of other origins may send them
//	events    the stream of changes
//	pack      a study as one HTML file
//	exchange  files in and out                         media     uploads, items that join, and files served
//	items     the list, and items that leave
//	jobs      simulations and reports                  operation   the frame of a call
//
// Package problem makes replies of errors, package media keeps files, and package page is what people see in a browser.
package server
