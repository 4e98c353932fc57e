package step

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/script"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Limits of a command.
const (
	// DefaultTimeout is how long one step may take (seed 18.3).
	DefaultTimeout = 30 * time.Second
	// MaxTimeout is the most that can be requested; more is cut to it (seed 18.3).
	MaxTimeout = 300 * time.Second
	// MaxInput is how large a command may be, in bytes.
	MaxInput = 16 << 20
	// MaxSteps is how many steps it may have.
	MaxSteps = 1000
)

// Command is a command of an agent.
type Command struct {
	Tab string // alias or target id, "" where a step opens one
	// Timeout is for each step; 0 where the command names none.
	Timeout time.Duration
	// RunAll continues after a step that failed (stopOnError: false).
	RunAll bool
	Steps  []Step
	// Look reads the page also where no step needs it, and counts as a snapshot that the
	// agent requested. [Parse] does not set it.
	Look bool
	// Picture has the picture be one of now, also where the page has not changed.
	Picture bool
	// Format is that of the text which the caller makes of the page, "" for none: see [Done.Page].
	Format dump.Format
}

// Step is one step that was read and is valid.
type Step struct {
	Action   string
	Def      *stepdef.StepDef
	Params   json.RawMessage // as they were given
	Optional bool
	Timeout  time.Duration // 0: the command's
	Hooks    script.Hooks
	run      stepdef.Action
}

// Parse reads a command. Its errors are of type PARSE or VALIDATION.
func Parse(input []byte) (*Command, error) {
	input = bytes.TrimSpace(bytes.TrimPrefix(input, []byte("\xef\xbb\xbf")))
	switch {
	case len(input) == 0:
		return nil, &Error{Type: TypeParse, Err: errors.New(`the input is empty: send {"steps":[…]}`)}
	case len(input) > MaxInput:
		return nil, &Error{Type: TypeParse, Err: fmt.Errorf("the input has %d bytes: at most %d are allowed",
			len(input),
			MaxInput)}
	}
	var any json.RawMessage
	if err := json.Unmarshal(input, &any); err != nil {
		return nil, &Error{Type: TypeParse, Err: syntax(input, err)}
	}
	names, values, err := param.Members(any)
	if err != nil {
		return nil, &Error{Type: TypeParse, Err: fmt.Errorf("the input: %w", err)}
	}
	known := []string{"tab", "timeout", "stopOnError", "steps"}
	for _, n := range names {
		if n == "config" {
			return nil, invalid(0,
				`config is no longer supported: name the connection where the tab is opened, `+
					`{"steps":[{"openTab":{"url":"…","host":"…","port":9222,"headless":true}}]}, and the tab and `+
					`timeout at the top`)
		}
		if !slices.Contains(known, n) {
			if lookup(n) != nil {
				return nil, invalid(0, `%q is a step: write {"steps":[{%q:…}]}`, n, n)
			}
			return nil, &Error{TypeValidation, 0, param.Unknown("top-level member", n, known)}
		}
	}
	c := &Command{}
	if raw, ok := values["tab"]; ok {
		if err := param.Decode(raw, &c.Tab); err != nil {
			return nil, invalid(0, "tab: %w", err)
		}
	}
	if raw, ok := values["timeout"]; ok {
		if c.Timeout, err = milliseconds(raw); err != nil {
			return nil, invalid(0, "timeout: %w", err)
		}
	}
	if raw, ok := values["stopOnError"]; ok {
		stop := true
		if err := param.Decode(raw, &stop); err != nil {
			return nil, invalid(0, "stopOnError: %w", err)
		}
		c.RunAll = !stop
	}
	var steps []json.RawMessage
	raw, ok := values["steps"]
	switch {
	case !ok:
		return nil, invalid(0, `steps is missing: send {"steps":[…]}`)
	case param.Decode(raw, &steps) != nil:
		return nil, invalid(0, "steps: want a list, not %s", param.Article(param.Shape(raw)))
	case len(steps) == 0:
		return nil, invalid(0, "steps is empty: name at least one step")
	case len(steps) > MaxSteps:
		return nil, invalid(0, "steps has %d entries: at most %d are allowed", len(steps), MaxSteps)
	}
	for i, raw := range steps {
		s, err := parseStep(raw)
		if err != nil {
			return nil, &Error{TypeValidation, i + 1, err}
		}
		c.Steps = append(c.Steps, *s)
	}
	return c, c.check()
}

// check tests what one step requires of the others.
func (c *Command) check() error {
	for i, s := range c.Steps {
		if s.Def.First && i > 0 {
			return invalid(i+1, "%s opens the tab that the steps run in: it must be the first step; goto opens an address in it",
				s.Action)
		}
	}
	if c.Tab == "" && !c.Steps[0].Def.First {
		for i, s := range c.Steps {
			if !s.Def.NoTab {
				return invalid(i+1, `%s needs a tab: name one with "tab", or begin with {"openTab":"https://…"}`,
					s.Action)
			}
		}
	}
	return nil
}

func parseStep(raw json.RawMessage) (*Step, error) {
	names, values, err := param.Members(raw)
	if err != nil {
		return nil, err
	}
	s := &Step{}
	var actions []string
	for _, n := range names {
		switch n {
		case "optional":
			if err := param.Decode(values[n], &s.Optional); err != nil {
				return nil, fmt.Errorf("optional: %w", err)
			}
		case "timeout":
			if s.Timeout, err = milliseconds(values[n]); err != nil {
				return nil, fmt.Errorf("timeout: %w", err)
			}
		case "readyWhen", "settledWhen", "observe":
			if err := param.Decode(values[n], hook(&s.Hooks, n)); err != nil {
				return nil, fmt.Errorf("%s: %w", n, err)
			}
		default:
			actions = append(actions, n)
		}
	}
	switch {
	case len(actions) == 0:
		return nil, errors.New("it names no action: write one such as {\"click\":\"#id\"}")
	case len(actions) > 1:
		return nil, fmt.Errorf("it names %d actions, %s: one step does one thing", len(actions),
			strings.Join(actions, " and "))
	}
	s.Action = actions[0]
	if s.Def = lookup(s.Action); s.Def == nil {
		return nil, unknownStep(s.Action)
	}
	s.Params = values[s.Action]
	rest := s.Params
	if s.Def.Hooks && param.Shape(rest) == "object" {
		if rest, err = takeHooks(&s.Hooks, rest); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Action, err)
		}
	}
	if s.Hooks != (script.Hooks{}) && !s.Def.Hooks {
		return nil, fmt.Errorf("%s takes no hooks", s.Action)
	}
	if s.run, err = s.Def.Parse(rest); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Action, err)
	}
	return s, nil
}

// nodeID is the first of DomTool's ids by which the step names an element, "" for none.
func (s *Step) nodeID() string {
	id := func(raw json.RawMessage) string {
		var v string
		if json.Unmarshal(raw, &v) != nil || !strings.HasPrefix(v, "nv_") || !element.IsRef(v) {
			return ""
		}
		return v
	}
	if v := id(s.Params); v != "" {
		return v
	}
	for _, l := range s.Def.Locators() {
		at := s.Params
		for _, name := range l.Path {
			var members map[string]json.RawMessage
			if json.Unmarshal(at, &members) != nil {
				break
			}
			at = members[name]
			if v := id(at); v != "" {
				return v
			}
		}
	}
	return ""
}

// hook is where a hook of that name goes, nil for another name.
func hook(h *script.Hooks, name string) *string {
	switch name {
	case "readyWhen":
		return &h.ReadyWhen
	case "settledWhen":
		return &h.SettledWhen
	case "observe":
		return &h.Observe
	}
	return nil
}

// takeHooks moves the hooks out of an action's parameters and gives the rest.
func takeHooks(h *script.Hooks, raw json.RawMessage) (json.RawMessage, error) {
	names, values, err := param.Members(raw)
	if err != nil {
		return nil, err
	}
	b := []byte{'{'}
	for _, n := range names {
		if to := hook(h, n); to != nil {
			if err := param.Decode(values[n], to); err != nil {
				return nil, fmt.Errorf("%s: %w", n, err)
			}
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(text.AppendJSON(b, n), ':'), values[n]...)
	}
	return append(b, '}'), nil
}

// milliseconds reads a time limit; more than [MaxTimeout] is cut to it.
func milliseconds(raw json.RawMessage) (time.Duration, error) {
	var ms float64
	if err := param.Decode(raw, &ms); err != nil {
		return 0, err
	}
	if ms <= 0 {
		return 0, fmt.Errorf("%g: want more than 0 ms", ms)
	}
	return min(time.Duration(min(ms, 1e9)*float64(time.Millisecond)), MaxTimeout), nil
}

// syntax locates the error in invalid JSON.
func syntax(input []byte, err error) error {
	var s *json.SyntaxError
	if !errors.As(err, &s) {
		return fmt.Errorf("the input is not JSON: %w", err)
	}
	// its text may be a password
	before := input[:min(int(s.Offset), len(input))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("the input is not JSON: %w at line %d, column %d", err, line, column)
}
