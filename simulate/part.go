package simulate

import (
	"context"
	"fmt"
)

// A simulation can be spread over many machines: part i·len(Noise) + k is rater i at level k, a function of the
// description and the number alone. More raters are further parts.

// Parts is the number of parts.
func (c Config) Parts() int {
	c = c.withDefaults()
	return c.Raters * len(c.Noise)
}

// Part simulates with one person. Config.Raters, Jobs and Progress do not matter.
func Part(ctx context.Context, c Config, part int) (One, error) {
	if part < 0 {
		return One{}, fmt.Errorf("simulate: part %d, want 0 or more", part)
	}
	c.Raters = 0
	c, err := c.Complete()
	if err != nil {
		return One{}, err
	}
	l, err := newLandscape(c.Study.Space)
	if err != nil {
		return One{}, err
	}
	return c.part(ctx, l, part, func() {})
}

// Merge returns what Run would, given its parts; nil are those that are missing.
func Merge(c Config, parts []*One) (Result, error) {
	c, err := c.Complete()
	if err != nil {
		return Result{}, err
	}
	if len(parts) != c.Parts() {
		return Result{}, fmt.Errorf("simulate: %d parts, want %d: %d raters at %d levels of noise", len(parts), c.Parts(), c.Raters, len(c.Noise))
	}
	return c.result(parts), nil
}

// result counts.
func (c Config) result(parts []*One) Result {
	out := Result{Raters: c.Raters, MaxQuestions: c.MaxQuestions, Confidence: c.Study.Confidence, Seed: c.Seed}
	for k, n := range c.Noise {
		level := Level{Noise: n, MaxQuestions: c.MaxQuestions, Confidence: c.Study.Confidence, Tolerance: c.Study.Tolerance}
		for part := k; part < len(parts); part += len(c.Noise) {
			if parts[part] != nil {
				level.People = append(level.People, *parts[part])
			}
		}
		level.summarise()
		out.Levels = append(out.Levels, level)
	}
	return out
}

// part plays one person's study.
func (c Config) part(ctx context.Context, l *landscape, part int, told func()) (One, error) {
	rater, n := part/len(c.Noise), c.Noise[part%len(c.Noise)]
	p, err := invite(c, l, rater, n)
	if err != nil {
		return One{}, err
	}
	one, err := p.run(ctx, c.Study, c.MaxQuestions, told)
	if ctx.Err() != nil {
		return one, context.Cause(ctx)
	}
	if err != nil {
		return one, fmt.Errorf("simulate: simulated person %d at noise %v: %w", rater, n, err)
	}
	one.Rater = rater
	return one, nil
}
