// Package live runs open studies for servers, pages and terminals.
//
//	studies, err := live.New(live.Config{Store: st}) // or live.Config{}: in memory
//	q, err := studies.Ask(ctx, "espresso", live.Ask{Rater: "ann"})
//	told, err := studies.Tell(ctx, "espresso", live.Tell{Question: q.Asked.ID, Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}, Next: true})
//
// A question comes as it is to be shown, and an answer speaks of what was shown first. Between two steps the next questions and the verdict are worked out in
// the background. Nothing here knows HTTP, HTML, a terminal or a database: the store is an interface, and the package runs in a browser.
//
// # Contents
//
//	studies     Config, New, Close; studies created, changed and deleted; refusals
//	study       one study that is open; With, which repeats a change that another process preceded
//	index       its log by rater: sides, contexts, open questions
//	ask         an ask, and what raters may ask                search      the next question, as a rater waits for it
//	question    as it is shown                                 ahead       questions found before they are asked
//	due         practice, hidden checks and blind duels due    checked     how raters did in the checks
//	tell        answers, and duels of raters' own              undo        answers taken back or turned round
//	verdict     where a study stands                           utilitymap  the utility over two parameters
//	settings    how the settings of a running study change
//	people      raters excluded, renamed and forgotten         merge       logs from elsewhere, checked and merged
//	watch       notices to watchers                            files       what the owner is told about files
//	jobs        simulations and reports
//
// Below internal are packages with an API of their own: settings, jobs, notices, work (the background queue and the order of searches) and cache.
// Package token, in the field Studies.Tokens, has links, guests and upload tokens.
package live
