// Package simulate answers "how many questions will my participants need?" before anyone is invited: it runs a study with simulated people and counts.
//
//	result, err := simulate.Run(ctx, simulate.Config{Study: prefer.Config{Space: coffee}})
//	fmt.Println(result.Levels[0].Sentence(5 * time.Second))
//
// Every simulated person has a utility of their own, drawn from the prior of the study's model: lengthscales, outputscale and just-noticeable difference from
// their priors, then a function of the Gaussian process (gp.Posterior.Functions), which has a value at every option, mixed spaces, constraints and lists
// included. They answer with probit noise. Their study runs through the public API of prefer to its ending or to MaxQuestions; a pick is good if nothing is
// better by more than the study's tolerance in their own utility.
//
// Simulated people are what the model takes people for; docs/results/statements.md says what that is worth. Config.Truth puts other tastes in their place.
//
// RunGroup answers the other question of a protocol, how many people until the pick of all is right.
//
// # Contents
//
//	run        what is simulated: a whole simulation, and one person of it, for many machines
//	level      what came of the people at one level of noise, in numbers and a sentence
//	person     one simulated person, to play with too
//	draw       the utility they are given, and how careful they are
//	play       their study, under the contexts in turn
//	group      how many people until the group's pick is right
//	landscape  the options at which utilities are looked at, under each setting of the contexts, and the best of all
package simulate
