// Package prefer finds what a person likes best by asking a short series of well-chosen "A or B?"
// questions: preferential Bayesian optimisation with the exact knowledge gradient of Wu & Gardner,
// "Knowledge Gradient for Preference Learning" (2026).
//
// # What a study is
//
// A [Study] is one search for one favourite. It searches a [space.Space], a box of named parameters in the
// user's own units, or a list; one setting of all of them is an [space.Option]. The study shows two options at a time,
// learns from the answers a utility (a Gaussian process over the space, always maximised), and chooses
// each question so that the answer is expected to improve its pick the most. It is made for the twenty to
// forty questions people have patience for.
//
//	coffee := space.Box(
//		space.Float("milk", 0, 0.5),      // both ends included
//		space.LogFloat("grind", 0.1, 10), // searched in ratios: the middle is 1
//	)
//
// Float, LogFloat, Circle, Int, Ordinal, Categorical and Switch make parameters; [space.ValueOf] makes a value of one, and Float, Int,
// Bool and Word read it: q.First.Float("milk"). A list of things is a Space, too, with Items in place of Parameters.
//
// # The loop
//
// Ask for a question, show its two options to somebody, tell the study what they said:
//
//	study, err := prefer.New(ctx, prefer.Config{Space: coffee})
//	for range 20 {
//		q, err := study.Ask(ctx, prefer.Request{})
//		if err != nil {
//			return err
//		}
//		choice := show(q.First, q.Second) // prefer.First, prefer.Second, prefer.Tie, …
//		if _, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: choice}); err != nil {
//			return err
//		}
//	}
//	best, err := study.Best(ctx, prefer.Look{})
//
// [Config] has a default for everything but the space. The first two questions are quasi-random
// pairs; then the knowledge gradient takes over.
//
// Ask takes as long as the search takes, some hundredths of a second. A [Request] has conditions: what both options
// must have, one that is on the table, and how long the search may take (Request.Within): the best pair found by then is
// asked and marked Partial; there always is one. A context means what it means everywhere: one that is over returns its
// error, and nothing has happened.
//
// While a question is open Ask returns it again, so a page may be reloaded and a process restarted
// without losing the place; Request.Another asks one more, and [Study.OpenQuestions] lists them. Questions are not boring: the two options are at least Config.Separation of
// the range apart in some parameter, and no pair comes twice unless Config.Repeats allows it, or two items have met whose order is
// still open. In a space of one or two ordered parameters nothing near an answered pair comes again, either.
//
// # Contexts
//
// A parameter with Context set is given by the situation, like the noise around or the hour of the day: every ask names its value
// in Request.Fixed, both options have it, and it is never recommended. One utility is learned across all values; each has a best,
// a budget and a verdict of its own: [Study.Best], [Study.Belief] and [Study.Verdict] take a [Look] with them, and
// [Study.Contexts] lists all. A Look may hold other parameters, too: the best with these.
//
// # Answers and what they mean
//
// Behind an answer stands the noisy difference g = f(first) − f(second) + ε of the two utilities. Each
// choice says something else about it:
//
//   - [First], [Second]: the difference is noticeable and has this sign. With Config.Answers.Grades a
//     preference may have a Strength: "clearly", "by far".
//   - [Tie]: can't tell. The difference is too small to notice, which is information: how small is
//     learned along with the utility. A study with Answers.Forced has no ties.
//   - [BothBad]: neither will do. Both are below the level from which on this person would take one, which is learned
//     along with the utility; who calls everything bad is told that nothing pleases.
//   - [Skip]: no answer. The model learns nothing, no budget counts it, and nothing like this pair is asked for a while.
//
// [Choices] lists them for programs that offer, read or write answers. An Answer with a Key is told once, however often it is sent; every rater has keys of her own.
// It may carry a Note in words and a [Meta] of numbers and words by name, which are kept and never learned from. [Study.Observe] adds a duel that nobody
// asked for, from an earlier survey or another program. [Study.Undo] takes back any answer, not only the
// last: what is learned is then exactly what it would be without it, and the question is open again.
//
// # Best, belief, verdict
//
// Four ways to look at a study, or at one rater of it; looking never changes a later question. The rater's name
// matters where everybody has a utility of her own ([PerRater]); otherwise "" will do.
//
//   - [Study.Best]: the option with the highest expected utility, how sure the study is that nothing is
//     noticeably better, and the strongest rival elsewhere.
//   - [Study.Belief]: what is known everywhere. Utility and Prefers answer about any options, Slice draws
//     a curve along one parameter, Importance says which parameters matter; Joint and Samples are about several options at
//     once. A Belief stays as it is when the study goes on. What a question about given options would be worth is
//     [Study.Worth].
//   - [Study.Blind]: how the pick did in blind duels (Request.Blind), eight of them by default: a check that
//     needs no model, and teaches none. [Study.Accept] records whether somebody would take it.
//   - [Study.Verdict]: whether to go on. [ClearWinner], [PracticalTie], [GoodEnough], [NothingPleases] and [Chance] end a
//     study, and so does [BudgetReached] where Config.Budget says how many answers a person will give; [KeepGoing]
//     comes with an estimate of the questions left. Config.Tolerance says what does not matter.
//
// All of them are made by models that take no hyper-parameters for known (Config.Belief), whatever chooses the questions: each
// statement is a kind with numbers, and was rehearsed with simulated people and on answers of real ones
// (docs/statements.md).
//
// Utilities are in units of the noise of one answer: of two options that differ by 1 the better one is
// taken 84 times in a hundred.
//
// # Keeping and resuming
//
// A study is the fold of its events: created, asked, answered, observed, undone and a few more. [Study.Events] returns
// them, they survive JSON unchanged, and [Open] rebuilds the study:
//
//	study, err := prefer.Open(ctx, events, prefer.OpenOptions{})
//
// To keep them as they happen give Config, and OpenOptions, a [Journal]. Every event is appended to the journal first and
// applied after, so an answer that Tell accepted is in the journal, and one that could not be kept never
// happened. A journal that somebody else has written to returns [ErrConflict]: open the study again.
//
// A log that no study could have written is refused with [ErrEvents] and the number of the event.
//
// # Several raters
//
// Ask takes the name of the rater, any string; a single rater may be "". Each has their own open questions.
// What others are about to tell is not asked once more: several raters never work on the same pair at the
// same time. All answers teach one utility, to which a careless rater adds less; or, with Config.People = [PerRater],
// everybody has one of her own, of which what others say teaches as much as people are found to be alike (Config.Kinship), and
// [Study.Group] compares them. Config.Earlier begins a study with what people of an earlier one have in common. All methods are safe for concurrent use.
//
// A process that serves a study to many people at once, or shares its log with other processes, finds what it needs
// beside this in [Host]: questions chosen before anybody asks, catching up with the log, snapshots.
//
// # A method of one's own
//
// Config.Chooser is any function of an [acquisition.Task] that returns two options: it sees the posterior, the space and the
// rules, as the shipped methods do, and acquisition has what it takes to search one. A panic, an error or a pair that is
// none of the space is an error of that Ask; nothing is written, and the study goes on. The log has its name, so Open
// must be given it again (OpenOptions.Chooser) before the study can be asked.
//
// # What is promised
//
//   - The same configuration and answers give the same questions. Time, GOMAXPROCS and the number of
//     workers do not matter; a Within that cut a search short does, and is recorded with the question.
//   - A study opened from its events is the same to the last bit on the same binary and processor kind
//     (Created.Kernels names it), and asks the same next question. Between processor kinds numbers agree
//     to about 1e-8. Questions already asked are read from the log, never chosen again.
//   - What the model believes depends on the answers that stand and their order: not on skips, on answers
//     taken back, or on who looked when.
//
// # Errors
//
// Errors name the field and its value. What a study refuses is an [Error], whose Code programs tell apart; it wraps [ErrInvalid],
// [ErrNotFound] or [ErrOpen]. [ErrConflict], [ErrEvents] and [ErrNewer] are about the log. After an error the study is as it was.
//
// Sentences in Verdict, Importance, BlindCheck and Group are English. The other fields say the same: package say puts them into words in eight
// languages.
//
// # Contents
//
//	study.go host.go                   New, Open, Tell, Observe, Undo; what a server needs beside: the log of others
//	config.go answer.go choice.go      what a study is; an answer, its key, its note; which answers there are
//	event.go log.go state.go           the log, its lines and checksums, and what it adds up to
//	question.go history.go             what was asked, and what was said
//	items.go queue.go                  items that join and leave; options to try, and pairs to ask
//	change.go context.go               what the owner changes of a running study; what the situation gives
//	models.go                          the models that questions are chosen by, and those that statements are made by
//	ask.go request.go view.go          the next question: its conditions, what it is chosen from
//	choose.go gain.go                  the choice, by a method or one of your own; what given pairs would be worth
//	repeat.go neighbour.go             items that meet again and again; options next to the pick, and no near-repeats
//	prefetch.go stock.go snapshot.go   questions chosen before anybody asks; a quick start
//	evidence.go belief.go              what answers teach, those of earlier studies too; looking at the posterior, answers that contradict it
//	importance.go ranking.go           parameters that matter; items in order
//	verdict.go tolerance.go            the best, how sure, and whether to go on; what does not matter
//	progress.go calibration.go         how much longer it takes; how forecasts fared
//	sentence.go errors.go              one English sentence per result; what is refused
//	blind.go blindcheck.go             blind duels of the pick; what they come to, and who would take it
//	rater.go careless.go group.go      who answered how; by taste, carelessly or by the order shown; all raters together
//
// # Where the mathematics is
//
// Package gp learns the utility from duels, package internal/learn keeps the posteriors and says how sure a pick
// is, package internal/crowd compares raters, package acquisition says what a question is worth and finds the best one, package problem has test problems and simulated raters. docs/math.md derives the
// formulas; docs/paper.md says where each equation of the paper is and where the code departs from it.
package prefer
