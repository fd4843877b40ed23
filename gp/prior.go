package gp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Family names a family of prior distributions.
type Family int

const (
	// Default stands for the prior the field's comment names.
	Default Family = iota
	// GammaFamily is Gamma(shape A, rate B).
	GammaFamily
	// LogNormalFamily has log x ~ N(A, B²).
	LogNormalFamily
	// FlatFamily is constant in log x: no opinion.
	FlatFamily
	// NoneFamily is no distribution: what it would be the prior of is left out of the model.
	NoneFamily
)

// Prior is a distribution of one positive hyper-parameter. The zero value means "the default of the field it stands in".
type Prior struct {
	Family Family
	A, B   float64
}

// Gamma returns the Gamma prior with the given shape and rate.
func Gamma(shape, rate float64) Prior { return Prior{GammaFamily, shape, rate} }

// LogNormal returns the prior under which log x ~ N(mu, sigma²).
func LogNormal(mu, sigma float64) Prior { return Prior{LogNormalFamily, mu, sigma} }

// Flat returns the prior without opinion.
func Flat() Prior { return Prior{Family: FlatFamily} }

// None returns the prior of a trend, a rater noise or a position bias that is not there. Unlike the zero value it is nobody's default.
func None() Prior { return Prior{Family: NoneFamily} }

// LogDensity returns the log density at x and its derivative in log x. It is the density of x itself, without the Jacobian of a log transform: the maximum a
// posteriori is taken in natural space, as the paper's stack does, even though the search runs over log x.
func (p Prior) LogDensity(x float64) (value, dlog float64) {
	switch p.Family {
	case GammaFamily:
		g, _ := math.Lgamma(p.A)
		return p.A*math.Log(p.B) - g + (p.A-1)*math.Log(x) - p.B*x, p.A - 1 - p.B*x
	case LogNormalFamily:
		z := (math.Log(x) - p.A) / p.B
		return -z*z/2 - math.Log(x*p.B) - 0.5*math.Log(2*math.Pi), -z/p.B - 1
	case FlatFamily:
		return 0, 0
	}
	panic("gp: a prior without a density: Default or None")
}

// Center returns a typical value to start a search from: the mean of a Gamma, the median of a LogNormal, 1 for Flat.
func (p Prior) Center() float64 {
	switch p.Family {
	case GammaFamily:
		return p.A / p.B
	case LogNormalFamily:
		return math.Exp(p.A)
	}
	return 1
}

func (p Prior) String() string {
	switch p.Family {
	case GammaFamily:
		return fmt.Sprintf("gamma(%g,%g)", p.A, p.B)
	case LogNormalFamily:
		return fmt.Sprintf("lognormal(%g,%g)", p.A, p.B)
	case FlatFamily:
		return "flat"
	case NoneFamily:
		return "none"
	}
	return "default"
}

// ParsePrior reads the form String writes: "gamma(3,6)", "lognormal(-1.2,0.7)", "flat", "none" or "default".
func ParsePrior(text string) (Prior, error) {
	switch text {
	case "", "default":
		return Prior{}, nil
	case "flat":
		return Flat(), nil
	case "none":
		return None(), nil
	}
	name, args, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	first, second, two := strings.Cut(args, ",")
	a, errA := strconv.ParseFloat(strings.TrimSpace(first), 64)
	b, errB := strconv.ParseFloat(strings.TrimSpace(second), 64)
	if ok && two && errA == nil && errB == nil && strings.HasSuffix(text, ")") {
		switch name {
		case "gamma":
			return Gamma(a, b), nil
		case "lognormal":
			return LogNormal(a, b), nil
		}
	}
	return Prior{}, fmt.Errorf("gp: prior %q, want gamma(shape,rate), lognormal(mu,sigma), flat, none or default", text)
}

// MarshalText writes the form ParsePrior reads.
func (p Prior) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads that form.
func (p *Prior) UnmarshalText(text []byte) error {
	v, err := ParsePrior(string(text))
	if err == nil {
		*p = v
	}
	return err
}

func (p Prior) validate(field string) error {
	bad := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	switch p.Family {
	case GammaFamily:
		if bad(p.A) || bad(p.B) || p.A <= 0 || p.B <= 0 {
			return fmt.Errorf("gp: Model.%s = %v, want shape > 0 and rate > 0", field, p)
		}
	case LogNormalFamily:
		if bad(p.A) || bad(p.B) || p.B <= 0 {
			return fmt.Errorf("gp: Model.%s = %v, want a finite mean and sd > 0", field, p)
		}
	case Default, FlatFamily:
	case NoneFamily:
		return fmt.Errorf("gp: Model.%s = none, want a prior: only a trend and rater noise can be left out", field)
	default:
		return fmt.Errorf("gp: Model.%s has unknown family %d", field, p.Family)
	}
	return nil
}

// present reports whether what p is the prior of is a part of the model, where it need not be.
func (p Prior) present() bool { return p.Family != Default && p.Family != NoneFamily }

// or replaces the zero value by a default.
func (p Prior) or(d Prior) Prior {
	if p.Family == Default {
		return d
	}
	return p
}
