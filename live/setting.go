package live

// Setting is what the owner sets of the settings of a running study: what is nil stays. How options are drawn is not among it, for
// answers before and after would be about other things.
type Setting struct {
	ShowResult *bool          `json:"show_result,omitempty" doc:"Whether raters may see the result."`
	OwnDuels   *bool          `json:"own_duels,omitempty" doc:"Whether raters may tell duels of their own, which nobody asked for."`
	Checks     *ChecksSetting `json:"checks,omitempty" doc:"How careful raters are told from careless ones, from the next question on."`
	Page       *PageSetting   `json:"page,omitempty" doc:"How the study looks in a browser."`
}

// ChecksSetting is what is set of the checks.
type ChecksSetting struct {
	RepeatRate *float64 `json:"repeat_rate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of questions that repeat an earlier one, sides exchanged; 0 for none."`
	MinRT      *int     `json:"min_rt_ms,omitempty" minimum:"0" maximum:"60000" doc:"An answer quicker than this is refused and not recorded."`
	Catch      *[]Catch `json:"catch,omitempty" maxItems:"100" doc:"Pairs whose answer is known, in place of those there were; [] for none."`
	CatchEvery *int     `json:"catch_every,omitempty" minimum:"0" maximum:"1000" doc:"Questions from one catch question to the next; 0 for 10."`
}

// PageSetting is what is set of the appearance.
type PageSetting struct {
	Complete *string `json:"complete,omitempty" maxLength:"2000" doc:"Where raters are sent when they are done; empty for nowhere."`
	Paused   *bool   `json:"paused,omitempty" doc:"Raters are asked to come back later."`
	Language *string `json:"language,omitempty" maxLength:"40" doc:"The language of raters' pages; empty for everybody's own."`

	Prompts *map[string]string `json:"prompts,omitempty" doc:"The prompt in other languages, in place of those there were; {} for none."`
}

// Empty reports whether nothing is set.
func (s Setting) Empty() bool { return s == Setting{} }

// Set sets it.
func (s Setting) Set(all *Settings) {
	put(&all.ShowResult, s.ShowResult)
	put(&all.OwnDuels, s.OwnDuels)
	if c := s.Checks; c != nil {
		put(&all.Checks.RepeatRate, c.RepeatRate)
		put(&all.Checks.MinRT, c.MinRT)
		put(&all.Checks.Catch, c.Catch)
		put(&all.Checks.CatchEvery, c.CatchEvery)
	}
	if p := s.Page; p != nil {
		put(&all.Page.Complete, p.Complete)
		put(&all.Page.Paused, p.Paused)
		put(&all.Page.Language, p.Language)
		put(&all.Page.Prompts, p.Prompts)
	}
}

func put[T any](into *T, v *T) {
	if v != nil {
		*into = *v
	}
}
