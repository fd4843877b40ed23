package people

import (
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
)

// Arm is one way to learn from several people.
type Arm struct {
	Name string
	// Set makes it of the config of a study.
	Set func(prefer.Config) prefer.Config
}

// Arms returns the ways to learn from several people:
//
//	separate  each her own utility, from her answers alone
//	shared    one utility for the team
//	joint     each her own utility, from everybody's answers as far as people are found to be alike
func Arms() []Arm {
	return []Arm{
		{"separate", func(c prefer.Config) prefer.Config {
			c.People, c.Kinship = prefer.PerRater, gp.None()
			return c
		}},
		{"shared", func(c prefer.Config) prefer.Config {
			c.People = prefer.Shared
			return c
		}},
		{"joint", func(c prefer.Config) prefer.Config {
			c.People = prefer.PerRater
			return c
		}},
	}
}

// ArmNames returns their names.
func ArmNames() []string {
	var names []string
	for _, a := range Arms() {
		names = append(names, a.Name)
	}
	return names
}
