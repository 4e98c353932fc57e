package payload

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/dump"
)

// The agent-interact dialect: AgentInteractRequest of seed "DOM extraction
// architecture" 13, the body of POST /api/agent/interact.
//
// The semantic request carries the interactive tree and no dom: the seed calls the
// tree the only source of truth, and its own dom field, which it sends all the
// same, contradicts that. With Compat the body has dom, the page's HTML cut at
// 10 KB. The other modes carry the dump of their name as skeletonDom or dom; they
// exist as soon as package dump has that format, and are an error until then.

// AgentState is what the request says besides the page. Empty fields are left out.
type AgentState struct {
	TaskID, SessionID string
	// LastStatus is success, failure or pending; empty on the first turn.
	LastStatus string
	LastError  *ActionError
	LastResult *ActionResult
	Changes    *DOMChanges
	Observed   *Observations
}

// ActionError says why the last action failed.
type ActionError struct {
	Message, Code, Action string
	ElementID             int // ref number, 0 for none
}

// ActionResult says what the last action did.
type ActionResult struct {
	Success     bool
	ActualState string
}

// DOMChanges says how the page changed since the last turn.
type DOMChanges struct {
	Added, Removed  int
	Dropdown        bool
	DropdownOptions []string
	Stabilization   float64 // ms until the page was quiet
	PreviousURL     string
	URLChanged      *bool
	Network         *bool
}

// Observations is what the client saw happen.
type Observations struct {
	Network, Mutated, URLChanged *bool
}

// maxDOM is the seed's limit of the dom field, in bytes.
const maxDOM = 10 * 1024

func agentInteract(b *body, in Input) error {
	mode := in.Mode
	if mode == "" {
		mode = "semantic"
	}
	var text string
	switch mode {
	case "semantic":
	case "skeleton", "full":
		d, err := dump.Render(in.Capture, dump.Format(mode), in.DumpOptions)
		if err != nil {
			return fmt.Errorf("mode %s cannot be built yet, use semantic: %w", mode, err)
		}
		text = d.Text
	case "hybrid":
		return errors.New("mode hybrid cannot be built yet, use semantic: it needs the skeleton dump and a JPEG of the page")
	default:
		return fmt.Errorf("mode %q is none of semantic, skeleton, hybrid, full", mode)
	}
	c := in.Capture
	b.raw(`{"url":`).str(c.URL).raw(`,"query":`).text("query", in.Query)
	switch {
	case mode == "full":
		b.raw(`,"dom":`).text("dom", text)
	case in.Compat:
		b.raw(`,"dom":`).text("dom", cutBytes(in.HTML, maxDOM))
	}
	b.agent(in.Agent)
	b.raw(`,"domMode":`).str(mode)
	if mode == "skeleton" {
		b.raw(`,"skeletonDom":`).text("skeletonDom", text)
	}
	if mode == "semantic" {
		b.raw(`,"viewport":{"width":`).number(whole(c.Viewport.Width)).raw(`,"height":`).number(whole(c.Viewport.Height))
		o := in.DumpOptions
		o.Compat = o.Compat || in.Compat
		b.raw(`},"interactiveTree":`).json("interactiveTree", dump.InteractiveTree(c, o))
		b.raw(`,"pageTitle":`).str(c.Title)
	}
	b.raw("}")
	return nil
}

// agent writes the fields of the session so far.
func (b *body) agent(s AgentState) {
	b.optional("taskId", s.TaskID).optional("sessionId", s.SessionID).optional("lastActionStatus", s.LastStatus)
	if e := s.LastError; e != nil {
		b.raw(`,"lastActionError":{"message":`).str(e.Message).raw(`,"code":`).str(e.Code).raw(`,"action":`).str(e.Action)
		if e.ElementID > 0 {
			b.raw(`,"elementId":`).number(e.ElementID)
		}
		b.raw("}")
	}
	if r := s.LastResult; r != nil {
		b.raw(`,"lastActionResult":{"success":`).boolean(r.Success).optional("actualState", r.ActualState).raw("}")
	}
	if d := s.Changes; d != nil {
		b.raw(`,"domChanges":{"addedCount":`).number(d.Added).raw(`,"removedCount":`).number(d.Removed)
		b.raw(`,"dropdownDetected":`).boolean(d.Dropdown)
		if len(d.DropdownOptions) > 0 {
			b.raw(`,"dropdownOptions":[`)
			for i, o := range d.DropdownOptions {
				if i > 0 {
					b.raw(",")
				}
				b.str(o)
			}
			b.raw("]")
		}
		b.raw(`,"stabilizationTime":`).number(whole(d.Stabilization)).optional("previousUrl", d.PreviousURL)
		b.flag("urlChanged", d.URLChanged).flag("didNetworkOccur", d.Network).raw("}")
	}
	if o := s.Observed; o != nil {
		b.raw(`,"clientObservations":{`)
		sep := len(b.out)
		b.flag("didNetworkOccur", o.Network).flag("didDomMutate", o.Mutated).flag("didUrlChange", o.URLChanged)
		if len(b.out) > sep { // the first member has a comma before it
			b.out = append(b.out[:sep], b.out[sep+1:]...)
		}
		b.raw("}")
	}
}

func (b *body) optional(key, s string) *body {
	if s != "" {
		b.raw(`,"` + key + `":`).str(s)
	}
	return b
}

func (b *body) flag(key string, v *bool) *body {
	if v != nil {
		b.raw(`,"` + key + `":`).boolean(*v)
	}
	return b
}

// whole is a number of CSS px or ms without its fraction; a broken one is 0.
func whole(v float64) int {
	if math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return int(math.Round(v))
}

// cutBytes is at most n bytes of s, never a part of a character.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
