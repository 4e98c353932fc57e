package payload

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/text"
)

// The agent-interact dialect: AgentInteractRequest of seed "DOM extraction
// architecture" 13, the body of POST /api/agent/interact.
//
// The semantic request carries the interactive tree and no dom: the seed calls the
// tree the only source of truth, and its own dom field, which it sends all the
// same, contradicts that. The other modes carry the dump of their name, see
// package markup:
//
//	skeleton  skeletonDom
//	hybrid    skeletonDom, screenshot (base64 JPEG of quality 80, no data URL; null
//	          with NoImage), screenshotHash (see hashOf)
//	full      dom
//
// Beside the members of the seed's type are those that the seed shows elsewhere, each under
// the name it has there: scroll_position (2.5, semantic only), recent_events with
// has_errors and has_success (2.5.3), and after an action verification_passed,
// verification_message and errors_detected (2.6.3). treeHash and treeUnchanged are ours
// (2.5.4 describes the comparison and no member): an endpoint learns that the tree is the
// one it had, and one that asks for it need not be sent it again.
//
// With Compat all of that but the verification is left out, and the dumps are the
// original's; semantic, skeleton and hybrid have dom too, the page's HTML cut at 10 KB
// (Input.HTML, or else the full dump without patterns); and full has skeletonDom and,
// where the turn has a picture, screenshot and screenshotHash as backups (seed 15).

// AgentState is what the request contains besides the page. Empty fields are left out.
type AgentState struct {
	TaskID, SessionID string
	// LastStatus is success, failure or pending; empty on the first turn.
	LastStatus string
	LastError  *ActionError
	LastResult *ActionResult
	Changes    *DOMChanges
	Observed   *Observations
	// Verified is the outcome of the last action (S-14).
	Verified *Verification
	// Within are ms before the capture: older changes are none of recent_events. 0 lists
	// them however old they are.
	Within float64
	// TreeHash is that of the tree ([semantic.TreeHash]), "" leaves it out. Unchanged: the
	// last request had the same; OmitTree: so it is not sent again.
	TreeHash            string
	Unchanged, OmitTree bool
}

// Verification reports whether the last action led to what was expected, in the fields of a request (the seed's
// feedback to the LLM).
type Verification struct {
	Passed  bool     `json:"verification_passed"`
	Message string   `json:"verification_message"`
	Errors  []string `json:"errors_detected"`
}

// ActionError explains why the last action failed.
type ActionError struct {
	Message, Code, Action string
	ElementID             int // ref number, 0 for none
}

// ActionResult describes what the last action did.
type ActionResult struct {
	Success     bool
	ActualState string
}

// DOMChanges describes how the page changed since the last turn.
type DOMChanges struct {
	Added, Removed  int
	Dropdown        bool
	DropdownOptions []string
	Stabilization   float64 // ms until the page was quiet
	PreviousURL     string
	URLChanged      *bool
	Network         *bool
}

// Observations are the events that the client saw.
type Observations struct {
	Network, Mutated, URLChanged *bool
}

// maxDOM is the seed's limit of the dom field, in bytes.
const maxDOM = 10 * 1024

func agentInteract(b *body, in Input) error {
	mode := cmp.Or(in.Mode, "semantic")
	switch mode {
	case "semantic", "skeleton", "hybrid", "full":
	default:
		return fmt.Errorf("mode %q is none of semantic, skeleton, hybrid, full", mode)
	}
	if err := in.Agent.check(); err != nil {
		return err
	}
	c, o := in.Capture, in.DumpOptions
	dom, skeleton, err := pageTexts(in, mode, o)
	if err != nil {
		return err
	}
	var shot *picture
	var hash string
	hasPicture := len(in.Picture) > 0 || len(in.Marked) > 0
	if agentPicture(in) && (mode == "hybrid" || hasPicture) {
		if shot, hash, err = screenshot(in); err != nil {
			return err
		}
		if in.Compat && len(in.Picture) > 0 {
			b.rule.Tokens = 0 // the row is about the marked picture
		}
	}
	b.Open("", '{')
	b.text("url", "url", c.URL)
	b.text("query", "query", in.Query)
	if dom != nil {
		b.text("dom", "dom", *dom)
	}
	b.agent(in.Agent)
	if !in.Compat {
		b.events(in)
	}
	b.text("domMode", "domMode", mode)
	if skeleton != nil {
		b.text("skeletonDom", "skeletonDom", *skeleton)
	}
	switch {
	case shot != nil:
		b.image("screenshot", "", shot)
		b.text("screenshotHash", "screenshotHash", hash)
	case mode == "hybrid":
		b.Raw("screenshot", "null")
	}
	if mode == "semantic" {
		b.object("viewport", func() { b.Int("width", whole(c.Viewport.Width)).Int("height", whole(c.Viewport.Height)) })
		if in.Agent.TreeHash != "" && !in.Compat {
			b.field("treeHash", in.Agent.TreeHash)
			b.Bool("treeUnchanged", in.Agent.Unchanged)
		}
		if !in.Agent.OmitTree || !in.Agent.Unchanged || in.Compat {
			b.value("interactiveTree", func() { b.Out = append(b.Out, semantic.Tree(c, o.Common, o.Semantic)...) })
		}
		b.text("pageTitle", "pageTitle", c.Title)
		if !in.Compat {
			b.field("scroll_position", semantic.ScrollPosition(c))
		}
	}
	b.Close("}")
	return nil
}

// agentPicture reports whether the mode has a picture, or a backup of one.
func agentPicture(in Input) bool { return in.Mode == "hybrid" || in.Mode == "full" && in.Compat }

// check refuses what the request's type does not have.
func (s AgentState) check() error {
	switch s.LastStatus {
	case "", "success", "failure", "pending":
		return nil
	}
	return fmt.Errorf("last action status %q is none of success, failure, pending", s.LastStatus)
}

// pageTexts are the request's dom and skeletonDom, nil for one that the mode does not
// have.
func pageTexts(in Input, mode string, o format.Options) (dom, skeleton *string, err error) {
	render := func(f dump.Format, o format.Options) (*string, error) {
		d, err := format.Render(in.Capture, f, o)
		if err != nil {
			return nil, fmt.Errorf("mode %s: %w", mode, err)
		}
		return &d.Text, nil
	}
	switch {
	case mode == "full":
		dom, err = render(format.Full, o)
	case in.Compat && in.HTML != "":
		s := text.StartBytes(in.HTML, maxDOM)
		dom = &s
	case in.Compat:
		o := o
		o.Markup.NoTemplates, o.MaxChars = true, 0
		if mode == "semantic" { // an element has one number in a request
			o.Markup.FrameIDs = map[int]string{}
			for id, ref := range semantic.IDs(in.Capture, o.Common, o.Semantic) {
				o.Markup.FrameIDs[ref] = id
			}
		}
		if dom, err = render(format.Full, o); err == nil {
			*dom = text.StartBytes(*dom, maxDOM)
		}
	}
	if err == nil && (mode == "skeleton" || mode == "hybrid" && !in.PictureOnly || mode == "full" && in.Compat) {
		skeleton, err = render(format.Skeleton, o)
	}
	return dom, skeleton, err
}

// agent writes the fields of the session so far, each a section of its name.
func (b *body) agent(s AgentState) {
	b.field("taskId", s.TaskID)
	b.field("sessionId", s.SessionID)
	b.field("lastActionStatus", s.LastStatus)
	if e := s.LastError; e != nil {
		b.object("lastActionError", func() {
			b.String("message", e.Message).String("code", e.Code).String("action", e.Action).Positive("elementId",
				e.ElementID)
		})
	}
	if r := s.LastResult; r != nil {
		b.object("lastActionResult", func() { b.Bool("success", r.Success).Optional("actualState", r.ActualState) })
	}
	if d := s.Changes; d != nil {
		b.object("domChanges", func() {
			b.Int("addedCount", d.Added).Int("removedCount", d.Removed).Bool("dropdownDetected", d.Dropdown)
			b.Strings("dropdownOptions", d.DropdownOptions).Int("stabilizationTime", whole(d.Stabilization))
			b.Optional("previousUrl", d.PreviousURL)
			b.flag("urlChanged", d.URLChanged)
			b.flag("didNetworkOccur", d.Network)
		})
	}
	if o := s.Observed; o != nil {
		b.object("clientObservations", func() {
			b.flag("didNetworkOccur", o.Network)
			b.flag("didDomMutate", o.Mutated)
			b.flag("didUrlChange", o.URLChanged)
		})
	}
	if v := s.Verified; v != nil {
		b.Bool("verification_passed", v.Passed)
		b.field("verification_message", v.Message)
		b.value("errors_detected", func() { b.List("", v.Errors) })
	}
}

// events writes what changed on the page lately.
func (b *body) events(in Input) {
	all := in.Capture.Mutations
	if within := in.Agent.Within; within > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(m snapshot.Mutation) bool { return m.Age > within })
	}
	list, errors, success := semantic.RecentEvents(all)
	b.value("recent_events", func() { b.List("", list) })
	b.Bool("has_errors", errors).Bool("has_success", success)
}

// whole is a number of CSS px or ms without its fraction; a broken one is 0.
func whole(v float64) int {
	if math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return int(math.Round(v))
}
