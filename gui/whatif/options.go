package whatif

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/text"
)

// Option is one control of the side What-if: how a setting of the text formats looks in the window. What the setting
// is, and which formats know it, is declared in [format.Settings].
type Option struct {
	*format.Option
	Title string // its label
	// One of these is set, and points into a setup.
	Check  func(*Setup) *bool
	Number func(*Setup) *int
	// Steps are the values of a number from small to large, as its slider has them, and Unit
	// what they count. 0 is the default and −1 no limit, in Words; both are placed where the
	// size that they mean belongs.
	Steps []int
	Unit  string
	Words map[int]string
}

// Options are the controls, in order.
func Options() []Option {
	capWords := map[int]string{0: "format default", -1: "no limit"}
	check := func(title, name string, at func(*Setup) *bool) Option {
		return Option{Option: format.Setting(name), Title: title, Check: at}
	}
	return []Option{
		{Option: format.Setting("max-tokens"), Title: "Max tokens",
			Unit: "tokens", Steps: []int{100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 4000, 6000,
				8000, 12000, 16000, 0},
			Words: map[int]string{0: "no limit"}, Number: func(w *Setup) *int { return &w.MaxTokens }},
		{Option: format.Setting("max-chars"), Title: "Max characters",
			Unit: "characters", Words: capWords,
			Steps:  []int{250, 500, 1000, 2000, 3000, 4000, 6000, 8000, 12000, 16000, 20000, 30000, 50000, 0, -1},
			Number: func(w *Setup) *int { return &w.MaxChars }},
		{Option: format.Setting("max-nodes"), Title: "Max elements",
			Unit: "elements", Steps: []int{5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 1500, 2000, 3000, 0, -1},
			Words: capWords, Number: func(w *Setup) *int { return &w.MaxNodes }},
		{Option: format.Setting("min-visible"), Title: "Min visible", Unit: "%",
			Steps:  []int{-1, 5, 10, 20, 30, 40, 50, 60, 0, 70, 80, 90, 95, 100},
			Words:  map[int]string{0: "66 % (default)", -1: "off"},
			Number: func(w *Setup) *int { return &w.MinVisible }},
		{Option: format.Setting("max-depth"), Title: "Max depth", Unit: "levels",
			Steps:  []int{1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 0, -1},
			Words:  map[int]string{0: "50 (default)", -1: "all"},
			Number: func(w *Setup) *int { return &w.MaxDepth }},
		check("In view only", "viewport-only", func(w *Setup) *bool { return &w.ViewportOnly }),
		check("Include off-screen", "no-viewport-pruning", func(w *Setup) *bool { return &w.NoViewportPruning }),
		check("Keep containers", "keep-containers", func(w *Setup) *bool { return &w.KeepContainers }),
		check("Expand links and buttons", "no-atomic", func(w *Setup) *bool { return &w.NoAtomic }),
		check("Long keys", "long", func(w *Setup) *bool { return &w.Long }),
		check("Collapse repeats", "summarise-repeats", func(w *Setup) *bool { return &w.SummariseRepeats }),
		check("Mark covered", "mark-covered", func(w *Setup) *bool { return &w.MarkCovered }),
		check("Boxes and layers", "include-layout", func(w *Setup) *bool { return &w.IncludeLayout }),
		check("Hash ids", "ids", func(w *Setup) *bool { return &w.HashIDs }),
		check("Expand repeats", "no-templates", func(w *Setup) *bool { return &w.NoTemplates }),
		check("Playwright spelling", "playwright", func(w *Setup) *bool { return &w.Playwright }),
		check("Compatibility mode", "compat", func(w *Setup) *bool { return &w.Compat }),
	}
}

// set gives the setting in o the value of the control in w.
func (c Option) set(o *format.Options, w *Setup) {
	switch at := c.At(o).(type) {
	case *bool:
		*at = *c.Check(w)
	case *int:
		*at = *c.Number(w)
	case *float64: // a share, in percent here
		if *at = float64(*c.Number(w)) / 100; *c.Number(w) < 0 {
			*at = -1
		}
	case *string:
		if *c.Check(w) {
			*at = c.Choices[1]
		}
	}
}

// Word is a value as its label shows it.
func (o Option) Word(n int) string {
	if w, ok := o.Words[n]; ok {
		return w
	}
	if o.Unit == "%" {
		return fmt.Sprintf("%d %%", n)
	}
	return text.Thousands(n) + " " + o.Unit
}

// ariaDetails are aria's levels of detail, its default first.
func ariaDetails() []aria.Detail {
	return []aria.Detail{aria.Full, aria.Interactive, aria.Summary}
}

// Selectors are the selectors of Drop.
func (w Setup) Selectors() []string {
	var out []string
	for _, l := range strings.Split(w.Drop, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// Options are the format's options for the setup; what the format does not know is left
// out. count counts tokens.
func (w Setup) Options(count func(string) int) format.Options {
	var d format.Options
	for _, o := range Options() {
		if o.Knows(w.Format) {
			o.set(&d, &w)
		}
	}
	if d.Query = strings.TrimSpace(w.Query); d.MaxTokens > 0 || d.Query != "" {
		d.CountTokens = count
	}
	if w.Format == format.Aria {
		d.Aria.Detail = w.Detail
	}
	return d
}

// command is the line for a shell that does the same to the turn in view.
func command(s core.State) string {
	w := setup(s)
	args := []string{"refscopectl", "whatif", "--format", string(w.Format)}
	for _, o := range Options() {
		switch {
		case !o.Knows(w.Format):
		case o.Check != nil && *o.Check(&w):
			if o.Choices != nil {
				args = append(args, "--"+o.Name, o.Choices[1])
			} else {
				args = append(args, "--"+o.Name)
			}
		case o.Number != nil && *o.Number(&w) != 0:
			n := *o.Number(&w)
			value := fmt.Sprint(n)
			if o.Unit == "%" && n > 0 {
				value = fmt.Sprintf("%g", float64(n)/100)
			}
			args = append(args, "--"+o.Name, value)
		}
	}
	if w.Format == format.Aria && w.Detail != "" && w.Detail != aria.Full {
		args = append(args, "--detail", string(w.Detail))
	}
	if q := text.CollapseSpace(w.Query); q != "" {
		args = append(args, "--query", text.ShellWord(q))
	}
	for _, sel := range w.Selectors() {
		args = append(args, "--drop", text.ShellWord(sel))
	}
	return strings.Join(append(args, text.ShellWord(turnAddress(s))), " ")
}

// turnAddress names the turn in view for the command line: by the path of its session
// where it has one, which holds whatever the home folder is, else SESSION#N.
func turnAddress(s core.State) string {
	name := s.Session.Path
	if name == "" {
		name = s.Session.Name
	}
	return fmt.Sprintf("%s#%d", name, s.Current.N)
}
