// Package live is a study that is open with people before it: what a server, a page and a terminal need alike.
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
//	studies      Config, New, Close; studies created, changed and deleted; refusals
//	cache        which studies are open; With, which repeats a change that another process preceded
//	study        one study that is open                      index       its log by rater: sides, contexts, who looks at what
//	ask · stock  the next question; questions for a crowd    question    as it is shown, and what may be shown next
//	tell         answers, undo, duels of raters' own         verdict     where a study stands; the utility over two parameters
//	checks       hidden repeats and known answers            phases      practice, breaks, blind duels at the end
//	settings     how a study is run, and how that changes    appearance  how a study looks, and its template
//	people       raters excluded, renamed and forgotten      merge       logs from elsewhere, checked and merged
//	processors   the order of searches                       background  work while people look
//	changes      notices to watchers                         files       what the owner is told about files
//	jobs         long work, from submission to result        jobkinds    simulations and reports
//	counters     what happened so far, and where the time of a request went
//
// Package token, in the field Studies.Tokens, has links, guests and upload tokens.
package live
