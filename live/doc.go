// Package live is a study that is open with people before it: what a server, a page and a terminal need alike.
//
//	studies, err := live.New(live.Config{Store: st}) // or live.Config{}: in memory
//	q, err := studies.Ask(ctx, "espresso", live.Ask{Rater: "ann"})
//	told, err := studies.Tell(ctx, "espresso", live.Tell{Question: q.Asked.ID, Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}, Next: true})
//
// A question comes as it is to be shown, and an answer speaks of what was shown first. Between two steps the next
// questions and the verdict are worked out in the background. Nothing here knows HTTP, HTML, a terminal or a database:
// the store is an interface, and the package runs in a browser.
//
// # Contents
//
//	studies      the room: its Config, New, Close; studies made, changed and deleted
//	store        what is wanted of a store                     memory      a store that lasts as long as the process
//	cache        which studies are open; With, the loop round a change that another process may forestall
//	study        one study that is open                        index       its log by rater: sides, who looks at what
//	ask          the next question                             question    as it is shown
//	stock        questions for a crowd                         processors  whose turn it is to search
//	tell · undo  answers, and answers taken back               verdict     where a study stands
//	ownduel      duels that a rater tells and nobody asked for
//	background   what is done while people look                changes     who hears of what happened
//	settings     how a study is run                            setting     what the owner may set of it
//	alter        a running study changed, and what was         checks      hidden repeats and questions with a known answer
//	ahead        what may be shown next                        lost        what could not be shown
//	checked      how it went with them                         sitting     practice, breaks, blind duels at the end
//	blind        blind duels, and who would take the pick      turn        a verdict as it is for one of several people
//	people       what the owner sees and changes of people     excluded    who is left out of what the group learns
//	conduct      how questions are put, for a methods text     context     what the situation gives, and where it stands under each
//	appearance   how a study looks, and its template           merge       what people did elsewhere, taken in
//	names        what people are called                        forget      a person erased
//	logcheck     what a log that is uploaded may have
//	files        what the owner is told about the files of a study
//	errors       refusals                                      map         the utility over two parameters
//	jobs         long work, from submission to result          jobnote     as a study remembers and tells it
//	joblist      listed, dropped, and room made                jobkinds    simulations and reports
//	counters     what happened so far, and where the time of a request went
//
// Package token, in the field Studies.Tokens, has links, guests and upload tokens.
package live
