// Package trial is what the benchmarks with simulated people have in common. A benchmark has a plan and one function that plays a
// study; [Each] and [Run] play the studies of the plan side by side, [File] keeps their rows and plays none of them twice, and a
// [Person] answers. The tables differ; what they are made of is here too.
package trial
