// Package merge makes one study of the logs that many people have brought home from machines of their own: everybody was
// asked by a copy of the study that nobody else answered, and every option, answer and time of theirs is kept as it is. Only
// numbers change, those of events, questions and answers. Nothing is asked again or worked out here.
//
// # How
//
// A log is a few strands: what each rater was asked and said, and what the owner did to the study. Strands of one name in several logs are one strand if the
// shorter is the beginning of the longer, else they are refused. All strands together are ordered by time, none across a step of the owner, and none of its
// own order where a clock went back. So the logs of the raters of one study give back that study, to the byte, in whatever order they are named.
package merge
