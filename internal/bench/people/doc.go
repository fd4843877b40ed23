// Package people is the ground on which learning from several people is judged: studies with populations of simulated people, what
// each of them gets, and what the group does.
//
// A population is drawn from tastes of package problem, which share no code with the model: all of the same taste, kindred, in two
// camps, with outliers, or strangers ([Populations]). Its people answer one study in turn, as many questions each; then somebody new
// joins. An [Arm] is one way to learn from them. Each arm meets the same people in the same moods, so two are compared population by
// population. Noted are, at some numbers of answers of each person ([Table]):
//
//	share missed   (max f − f(x̂)) / (max f − mean f), of everybody's own pick, the outlier's, the newcomer's; of the group's
//	               pick with the mean of the standardised utilities of all but the careless as f
//	confidence     that nothing is noticeably better: said, and true; how often it is wrong where it is at least 90 %.
//	               Noticeably: by more than the person's tolerance (problem.Taste.Tolerance)
//	agreement      of two people against the correlation of their utilities over the space, and whether that is in the interval
//	different      who is named as going against the others, of those whose true mean correlation with them is negative, and
//	               of all others; who is called careless, of those who are and who are not
//	camps          whether two are said to be there, where they are and where not, and how many people are in their own
//
// # Contents
//
//	plan        which studies, of whom, and all of them side by side
//	population  who they are
//	play        one study from its first question to the newcomer's last, and what it left behind
//	table       means, and differences to one of the arms
//	checks      how many checks of careful answering were due, and came; what must hold of a quick run
package people
