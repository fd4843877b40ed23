// Package prefer finds what a person likes best by asking a short series of well-chosen "A or B?" questions: preferential Bayesian optimisation with the
// exact knowledge gradient of Wu & Gardner, "Knowledge Gradient for Preference Learning" (2026).
//
// Every section below has an example that runs; its name stands in brackets.
//
// # A study [Example]
//
// A [Study] searches a [space.Space]: a box of named parameters in the user's own units, or a list of items. It shows two options at a time, learns a utility
// from the answers (a Gaussian process, always maximised), and chooses each question so that the answer is expected to improve its pick the most. It is made
// for the twenty to forty questions people have patience for.
//
//	study, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("milk", 0, 0.5), space.LogFloat("grind", 0.1, 10))})
//	q, err := study.Ask(ctx, prefer.Request{})
//	id, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First})
//	best, err := study.Best(ctx, prefer.Look{})
//
// [Config] has a default for everything but the space. Its embedded [Modelling] is for researchers.
//
// # Questions [ExampleStudy_Ask]
//
// A [Request] says who will answer and under which conditions, and how long the search may take: the best pair found by then is asked and marked Partial. While
// a question is open Ask returns it again, so that a page may be reloaded; Request.Another asks one more. The two options differ by at least Config.Separation
// of the range, and no pair comes twice unless Config.Repeats allows it or the order of two items is still open.
//
// # Answers [ExampleChoice, ExampleStudy_Undo, ExampleStudy_Observe]
//
// Behind an answer stands the noisy difference g = f(first) − f(second) + ε of two utilities:
//
//   - [First], [Second]: the difference is noticeable and has this sign; with Config.Answers.Grades it may have a Strength.
//   - [Tie]: the difference is too small to notice. How small that is, is learned.
//   - [BothBad]: both are below the level from which on this person would take one. That level is learned.
//   - [Skip]: no answer. Nothing is learned, no budget counts it, and nothing like this pair is asked for a while.
//
// An answer with a Key is told once, however often it is sent. [Study.Observe] adds a duel that nobody asked for. [Study.Undo] takes back any answer: what is
// learned is then exactly what it would be without it.
//
// # Best, belief, verdict [ExampleStudy_Verdict, ExampleStudy_Belief]
//
// A [Look] says for which rater and under which conditions; looking never changes a later question.
//
//   - [Study.Best]: the option with the highest expected utility, how sure that is, and the strongest rival.
//   - [Study.Belief]: what is known everywhere: utilities, probabilities, slices, which parameters matter, the ranking of a list.
//   - [Study.Verdict]: whether to go on. Every kind but [KeepGoing] is an ending.
//   - [Study.Blind]: how the pick did in blind duels (Request.Blind), a check without a model. [Study.Accept] records whether somebody would take it.
//   - [Study.Worth]: what questions about given pairs would be worth.
//
// Utilities are in units of the noise of one answer: of two options that differ by 1 the better one is taken 84 times in a hundred.
// How often statements are true was measured (docs/results/statements.md).
//
// # Lists [ExampleStudy_Items]
//
// A Space with Items in place of Parameters is a list. Items join and leave while the study runs ([Change]), and answers about them still teach.
//
// # Several raters [ExampleStudy_Group]
//
// All answers teach one utility, to which a careless rater adds less; or, with Config.People = [PerRater], every rater has their own, which the answers of
// others teach as far as people are found to be alike, and [Study.Group] compares them. Two raters never work on the same pair at the same time. All methods
// are safe for concurrent use. A process that serves many people, or shares the log with other processes, finds what it needs in [Host].
//
// # Contexts [ExampleStudy_Contexts]
//
// A parameter with Context set is given by the situation, like the hour of the day: every ask names its value in Request.Fixed, and it is never recommended.
// One utility is learned across all values; each has a best, a budget and a verdict of its own.
//
// # Keeping and resuming [ExampleOpen, ExampleJournal]
//
// A study is the fold of its events. [Study.Events] returns them, they survive JSON unchanged, and [Open] rebuilds the study. A [Journal] keeps them as they
// happen: an event is applied once it is kept, so an answer that Tell accepted is in the journal.
//
// # A method of your own [ExampleConfig_chooser]
//
// Config.Chooser is a function of an [acquisition.Task] that returns two options. The log has its name, and Open must be given it again.
//
// # Errors [ExampleConfig_Validate]
//
// What a study refuses is an [Error] with a Code, a field and a value; it wraps [ErrInvalid], [ErrNotFound] or [ErrOpen]. [ErrConflict], [ErrEvents] and
// [ErrNewer] are about the log. After an error the study is as it was.
//
// # What is promised
//
//   - The same configuration and answers give the same questions, whatever the time and GOMAXPROCS; a Request.Within that cut a search short is recorded.
//   - A study opened from its events is the same to the last bit on the same binary and processor kind; between kinds numbers agree to about 1e-8. Questions
//     already asked are read from the log, never chosen again.
//   - What the model believes depends on the answers that stand and their order: not on skips, on answers taken back, or on who looked when.
//
// # Contents
//
//	ask.go choose.go rules.go          the next question: one at hand, or the choice by a method or one of your own; which pairs may be asked
//	blind.go gain.go                   blind duels of the pick; what given pairs would be worth
//	prefetch.go stock.go snapshot.go   questions chosen before anybody asks; a quick start
//	ending.go pick.go                  whether to go on, and how much longer it takes; the pick, what a study believes, options next to the pick
//	careless.go group.go               who answered how: by taste, carelessly or by the order shown; all raters together
//	importance.go ranking.go           parameters that matter; items in order
//	tell.go history.go context.go      Tell, Observe, Undo, Accept, Change; what was said; the contexts and items of a study
//	study.go host.go                   New, Open, the log of a study; what a server needs beside: the log of others
//	view.go evidence.go                what a question is chosen from; what answers teach, those of earlier studies too
//	event.go log.go                    the log: what an event says, and how events add up; its lines and checksums
//	open.go items.go change.go         how events change a state: questions and answers; items that join and leave; what the owner changes
//	state.go                           what the events of a study add up to
//	models.go check.go                 what the zero value stands for, and the models behind it; which configurations make sense
//	config.go tolerance.go rater.go    what a study is; what does not matter; whose utility it is, and what is known of a rater
//	request.go question.go answer.go   what is asked for; a question; an answer, its key, its note
//	choice.go errors.go                which answers there are; what is refused
//	verdict.go belief.go               results: the best, how sure, whether to go on, with a sentence in English (other languages: package say); the posterior
//	calibration.go                     how forecasts and blind duels fared
//
// Package gp learns the utility from duels, acquisition finds the best question, internal/learn keeps the posteriors and says how sure a pick is,
// internal/pairs has the rules on what may be asked, internal/crowd compares raters, say puts results into words in eight languages. docs/dev/paper.md says where
// each equation of the paper is.
package prefer
