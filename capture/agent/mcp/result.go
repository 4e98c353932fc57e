package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// dialect is the name of the MCP server's payloads in turns. A result is the JSON object of
// CallToolResult (Model Context Protocol 2025-11-25): content, a list of texts and
// pictures, and isError where it is true.
const dialect = "mcp"

// runSteps is the tool that answers as refscopectl run does.
const runSteps = "run_steps"

// outcome is the text of an action's result, one line of JSON: page text is inside JSON
// strings and can forge nothing.
type outcome struct {
	Status string `json:"status"` // ok, error
	// Tab is where the client is now, where it was in another one.
	Tab string `json:"tab,omitempty"`
	// URL and Title are the page's, where the answer does not list it and they are other than before.
	URL   string `json:"url,omitempty"`
	Title string `json:"title,omitempty"`
	// Navigated: another document, so the refs of the one before are refused.
	Navigated bool `json:"navigated,omitempty"`
	// Output is that of the step; see refscopectl run --help STEP.
	Output any `json:"output,omitempty"`
	// Error, its exact kind, and what the page offers instead (C-18).
	Error          string        `json:"error,omitempty"`
	Subtype        string        `json:"subtype,omitempty"`
	RetrySuggested bool          `json:"retrySuggested,omitempty"`
	Ref            *refNote      `json:"ref,omitempty"`
	Context        *step.Context `json:"context,omitempty"`
	Warning        string        `json:"warning,omitempty"`
	// Verified: the usual effect of the action was seen, and no error: true where the changes or the address tell it,
	// else what was seen. Verification is what was found of an expectation, or where it did not happen.
	Verified     any      `json:"verified,omitempty"`
	Success      []string `json:"successMessages,omitempty"`
	Verification any      `json:"verification,omitempty"`
	Changes      *changes `json:"changes,omitempty"`
	// Downloads are files that the page has downloaded meanwhile.
	Downloads []step.Downloaded `json:"downloads,omitempty"`
	// Dialogs opened meanwhile; Dialog is open still: browse_dialog answers it.
	Dialogs []snapshot.Dialog `json:"dialogs,omitempty"`
	Dialog  *emulation.Dialog `json:"dialog,omitempty"`
	// PageTools are those that the page offers to agents, where it is a new one.
	PageTools []snapshot.PageTool `json:"pageTools,omitempty"`
	// Profile is what is known of the site just reached.
	Profile string `json:"siteProfile,omitempty"`
	Note    string `json:"note,omitempty"`
}

// changes are those of the page, without the sentence that counts them where the lists have them all.
type changes struct {
	*diff.Changes
	Summary string `json:"summary,omitempty"`
}

// reply makes the result of a run, and the turn.
func (c *call) reply(ctx context.Context, d *step.Done) (*step.Reply, error) {
	c.updateTab(d)
	c.redactor = d.Redactor
	kept, err := c.render(d, captureOf(d))
	if err != nil {
		return nil, err
	}
	if err := c.answer(kept, c.revealed(d)); err != nil {
		return nil, err
	}
	out := &step.Reply{
		Body: c.wire.Bytes, Payloads: []turn.Payload{c.asked(), c.wire}, Answer: c.wire.Bytes, Action: c.action(),
	}
	if out.Steps, err = c.steps(); err != nil {
		return nil, err
	}
	if d.Shot == nil && ctx.Err() != nil {
		return out, nil // it is kept as cancelled
	}
	if d.Shot == nil {
		why := "the call needed no page"
		if d.Why != nil {
			why = "the page could not be read after the call: " + d.Why.Error()
		}
		c.keepBare(ctx, why)
		return out, nil
	}
	c.kept = true
	c.session.counted(d.Shot.Capture.URL)
	return out, nil
}

func captureOf(d *step.Done) *snapshot.Capture {
	if d.Shot == nil {
		return nil
	}
	return d.Shot.Capture
}

// updateTab notes which tab the client is in now. One that was opened is the client's also
// where its address could not be.
func (c *call) updateTab(d *step.Done) {
	for i, r := range d.Results {
		switch action := c.command.Steps[i].Action; {
		case action == "openTab" && d.Tab != "":
			c.session.at(d.Tab, true)
		case action == "connectTab" && r.Status == "ok":
			c.session.at(d.Tab, false)
		case action == "closeTab" && r.Status == "ok":
			if out, ok := r.Output.(map[string]any); ok {
				name, _ := out["closed"].(string)
				c.session.forget(name)
			}
		}
	}
}

// forget: a tab of the client was closed.
func (s *clientSession) forget(tab string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own = slices.DeleteFunc(s.own, func(t string) bool { return t == tab })
	if s.Tab != tab {
		return
	}
	s.Tab = ""
	if n := len(s.own); n > 0 {
		s.Tab = s.own[n-1]
	}
}

// revealed is the result with the values that are withheld from the capture, for the
// agent alone; nil where it may not have them, or there are none.
func (c *call) revealed(d *step.Done) func() (*sdk.CallToolResult, error) {
	if !c.session.owner.opt.AllowSecrets || d.Shot == nil || len(d.Shot.Secrets) == 0 {
		return nil
	}
	return func() (*sdk.CallToolResult, error) { return c.render(d, d.Shot.Secrets.Reveal(d.Shot.Capture)) }
}

// answer makes a result the call's: what is kept of it, and what the client gets, which
// is the same unless revealed is given.
func (c *call) answer(kept *sdk.CallToolResult, revealed func() (*sdk.CallToolResult, error)) error {
	body, err := json.Marshal(kept)
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	clean, spans := redact.Body(body, c.redactor)
	if !bytes.Equal(clean, body) {
		// The client gets what is kept. Written again by the SDK it has the same bytes:
		// both are json.Marshal's.
		kept = &sdk.CallToolResult{}
		if err := json.Unmarshal(clean, kept); err != nil {
			return fmt.Errorf("reading the redacted result: %w", err)
		}
		if clean, err = json.Marshal(kept); err != nil {
			return fmt.Errorf("writing the redacted result: %w", err)
		}
		clean, spans = redact.Body(clean, c.redactor)
	}
	c.result = kept
	c.wire = turn.Payload{
		Dialect: dialect, Way: turn.Answer, Media: "application/json", Bytes: clean, Wire: true, Redacted: spans,
	}
	if revealed != nil {
		c.result, err = revealed()
	}
	return err
}

// render is the result of a call for one capture.
func (c *call) render(d *step.Done, capture *snapshot.Capture) (*sdk.CallToolResult, error) {
	out := &sdk.CallToolResult{IsError: !d.OK || d.Why != nil && d.Shot == nil && d.Dialog == nil}
	add := func(text string) { out.Content = append(out.Content, &sdk.TextContent{Text: text}) }
	if c.tool.name == runSteps {
		body, _, err := d.Standard()
		if err != nil {
			return nil, err
		}
		add(string(body))
		return out, nil
	}
	// What was only looked at needs no report.
	if !c.plan.look || out.IsError || capture == nil || step.UnusedRules(capture) != "" {
		line, err := c.report(d, capture)
		if err != nil {
			return nil, err
		}
		add(line)
	}
	if capture == nil {
		return out, nil
	}
	if v := c.plan.view; v != nil {
		page := cmp.Or(d.Page, capture)
		options, err := v.of(page)
		if err != nil {
			return nil, err
		}
		doc, err := format.Render(page, v.format, options)
		if err != nil {
			return nil, err
		}
		add(doc.Text)
	}
	if c.plan.picture != nil {
		if err := c.plan.picture.draw(d, capture, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// strayed reports whether the focus is on another element than the one that was acted on, and not on one around it,
// where a click on it puts the focus. The watcher of an action asks the page the same, see sentinel's probe.js.
func strayed(c *snapshot.Capture, ref int) bool {
	n, away := c.ByRef(ref), false
	if n == nil {
		return false
	}
	tree := snapshot.NewTree(c)
	for i := range c.Nodes {
		if f := &c.Nodes[i]; f.Frame == n.Frame && f.States.Is("focused") {
			if tree.Contains(f.I, n.I) {
				return false
			}
			away = true
		}
	}
	return away
}

// draw adds the marked picture to a result, and the key to its numbers.
func (g *screenshotRequest) draw(d *step.Done, capture *snapshot.Capture, out *sdk.CallToolResult) error {
	img, err := d.Shot.Image()
	if err != nil {
		return err
	}
	look := export.Look{Fast: true, Options: overlay.Options{View: overlay.ViewModel, Spell: refSpelling}}
	if g.model != "" {
		look.Model, _ = vision.Lookup(g.model)
	}
	if g.plain {
		look.Options.Scope = func(*snapshot.Node) bool { return false }
	}
	pic, err := export.NewPicture(img, capture, look)
	if err != nil {
		return err
	}
	if !g.plain {
		out.Content = append(out.Content, &sdk.TextContent{Text: pic.Scene.Legend()})
	}
	out.Content = append(out.Content, &sdk.ImageContent{Data: pic.Data, MIMEType: string(pic.Format)})
	return nil
}

// report is the outcome of a call that is one action.
func (c *call) report(d *step.Done, capture *snapshot.Capture) (string, error) {
	o := outcome{Status: "ok", Dialog: d.Dialog}
	if d.Tab != c.began {
		o.Tab = d.Tab
	}
	for _, r := range d.Results {
		if r.Action == "openTab" && r.Status == "ok" && len(d.Results) > 1 {
			continue // the action behind it has more detail
		}
		o.Output, o.Error, o.Subtype, o.RetrySuggested = r.Output, r.Error, r.Subtype, r.RetrySuggested
		o.Context, o.Warning, o.Verification, o.Dialogs = r.Context, r.Warning, r.Verification, r.Dialogs
		o.Downloads = r.Downloads
		if r.Error != "" {
			o.Status = "error"
		}
	}
	if capture != nil {
		listed := c.plan.view != nil && c.plan.view.format == format.Wraith
		if !listed && (d.Before == nil || d.Before.URL != capture.URL || d.Before.Title != capture.Title) {
			o.URL, o.Title = capture.URL, capture.Title
		}
		if len(d.Results) == 0 {
			o.Warning = step.UnusedRules(capture)
		}
		if d.Before == nil || d.Before.URL != capture.URL {
			o.PageTools = capture.Tools
		}
		if d.Before != nil {
			o.Navigated = diff.Navigated(d.Before.URL, capture.URL) || reloaded(d.Before, capture)
			if !o.Navigated && len(d.Results) > 0 {
				last := d.Results[len(d.Results)-1].Action
				found := diff.ChangesOf(d.Before, capture, diff.ChangesOptions{
					Action: diff.ActionWord(last), Ref: refSpelling,
					NoFocus: last != "press" && !strayed(capture, element.Number(string(c.plan.ref))),
				})
				if o.Changes = (&changes{Changes: found}); found == nil {
					o.Changes = nil
				} else if len(found.Omitted) > 0 || found.OutOfView != nil && len(found.OutOfView.Omitted) > 0 {
					o.Changes.Summary = found.Summary
				}
			}
		}
	}
	if d.Why != nil {
		o.Note = "the page could not be read: " + d.Why.Error()
		if d.Dialog == nil {
			o.Status = "error"
		}
		if o.Status == "error" && o.Error == "" {
			o.Error, o.Subtype, o.Note = o.Note, step.Subtype(d.Why), ""
		}
	}
	o.Profile = d.Profile
	if o.Status == "error" {
		lost := o.Subtype == "StaleElementError" || o.Subtype == "ElementNotFoundError"
		o.Ref = note(d, capture, element.Number(string(c.plan.ref)), lost)
		o.Context = offers(o.Context, o.Ref)
	}
	if err := o.terse(c, capture); err != nil {
		return "", err
	}
	return compact(&o)
}

// reloaded reports whether a page has another document than before: all in it is new, so nothing of it has changed.
func reloaded(before, now *snapshot.Capture) bool {
	return len(before.Frames) > 0 && len(now.Frames) > 0 && before.Frames[0].Loader != now.Frames[0].Loader
}

// refSpelling writes a ref as the page's list has it.
func refSpelling(ref int) string { return "@e" + strconv.Itoa(ref) }

// said are members of an output that say no more than that the action was done, where it went well.
var said = []string{"clicked", "targetReceived", "filled", "typed", "hovered", "interrupted", "answered"}

// terse leaves out what the outcome says twice: that an action which passed was done and how, the address of the page
// in the output and the verification of a navigation, the dialog that is open, and what was verified where the changes
// or the navigation are told.
func (o *outcome) terse(c *call, capture *snapshot.Capture) error {
	if o.Status != "ok" || c.command == nil || len(c.command.Steps) == 0 || capture == nil && o.Dialog == nil {
		return nil
	}
	url, title := "", ""
	if capture != nil {
		url, title = capture.URL, capture.Title
	}
	raw, err := json.Marshal(o.Output)
	if err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	var out map[string]any
	if json.Unmarshal(raw, &out) == nil {
		dialog := out["interrupted"] == true || out["answered"] == true
		maps.DeleteFunc(out, func(name string, v any) bool {
			return v == true && slices.Contains(said, name) || name == "dialog" && dialog ||
				name == "multiple" && v == false ||
				name == "method" || (name == "url" || name == "newUrl") && v == url ||
				name == "title" && v == title || name == "navigated" && o.Navigated
		})
		if instead, ok := out["substitute"].(map[string]any); ok {
			for name, ref := range instead {
				instead[name] = refSpelling(element.Number(fmt.Sprint(ref)))
			}
		}
		if o.Output = out; len(out) == 0 {
			o.Output = nil
		}
	}
	if d := o.Dialog; d != nil {
		o.Dialogs = slices.DeleteFunc(slices.Clone(o.Dialogs), func(open snapshot.Dialog) bool {
			return open.Type == d.Type && open.Message == d.Message
		})
		o.Note = "the page waits until browse_dialog answers it"
	}
	v, ok := o.Verification.(*verification)
	if !ok || !v.Passed || c.plan.expect != nil || len(v.Errors) > 0 {
		return nil
	}
	o.Verification, o.Success = nil, v.Success
	switch travels := c.command.Steps[len(c.command.Steps)-1].Action; {
	case o.Navigated && slices.Contains([]string{"goto", "back", "forward", "reload"}, travels):
		// that it was done is what was to be verified
	case o.Navigated, o.Changes != nil, o.Dialog != nil:
		o.Verified = true
	default:
		o.Verified = strings.TrimSuffix(v.Message, " to "+url)
	}
	return nil
}

// offers is what an error tells of the page to choose from: elements that are like the one that was meant, and only
// where there is none, what there is to click.
func offers(from *step.Context, ref *refNote) *step.Context {
	if from == nil {
		return nil
	}
	out := &step.Context{VisibleErrors: from.VisibleErrors, FailedRequests: from.FailedRequests}
	plain := func(list []step.Offer, most int) []step.Offer {
		list = slices.Clone(list[:min(most, len(list))])
		for i := range list {
			list[i].Selector, list[i].Href, list[i].Score = "", "", 0
			if n := element.Number(list[i].Ref); n > 0 {
				list[i].Ref = refSpelling(n)
			}
		}
		return list
	}
	switch {
	case ref != nil:
		// its own candidates say it, or it is there and the error says why it was not acted on
	case len(from.NearMatches) > 0:
		out.NearMatches = plain(from.NearMatches, 3)
	case len(from.Candidates) > 0:
		out.Candidates = plain(from.Candidates, 3)
	default:
		out.VisibleButtons, out.VisibleLinks = plain(from.VisibleButtons, 4), plain(from.VisibleLinks, 2)
	}
	if raw, err := json.Marshal(out); err == nil && string(raw) == "{}" {
		return nil
	}
	return out
}

// compact is a value as one line of JSON that a model reads: no character that needs no
// escape has one.
func compact(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("writing the result: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// failure is the result of a call that failed.
func failure(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true,
		Content: []sdk.Content{&sdk.TextContent{Text: text.EscapeOnce(text.Breaks(err.Error()))}}}
}

// refNote is what is known of a ref that could not be acted on (W-6).
type refNote struct {
	Ref  string `json:"ref"`
	Role string `json:"role,omitempty"` // as it was last
	Name string `json:"name,omitempty"`
	// LastSeen is the turn of this session in which it was seen last, 0 where it is of no
	// turn. Gone: it is not on the page any more.
	LastSeen   int    `json:"lastSeenInTurn,omitempty"`
	Gone       bool   `json:"gone,omitempty"`
	ReplacedBy string `json:"replacedBy,omitempty"`
	// Candidates may be meant, best first, at most five. None of them was acted on.
	Candidates []candidate `json:"candidates,omitempty"`
}

type candidate struct {
	Ref  string `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name"`
	Row  string `json:"row,omitempty"` // which row of a table or item of a list it is in
}

// note describes a ref; nil where the session never assigned it. lost: its element was not found.
func note(d *step.Done, c *snapshot.Capture, ref int, lost bool) *refNote {
	e, ok := d.Ledger.Entry(ref)
	if !ok {
		return nil
	}
	out := &refNote{Ref: refSpelling(ref), LastSeen: min(e.Last, d.Ledger.NextTurn()-1)}
	if e.ReplacedBy > 0 {
		out.ReplacedBy = refSpelling(e.ReplacedBy)
	}
	out.Role, out.Name = e.Now()
	if c == nil || !lost || c.ByRef(ref) != nil {
		return out // it is there, and was not ready
	}
	out.Gone = true
	t := snapshot.NewTree(c)
	for _, n := range element.Near(c, out.Role, out.Name, 5) {
		if n.Role != "" { // a label is none
			out.Candidates = append(out.Candidates, candidate{refSpelling(n.Ref), n.Role, text.StartBytes(n.Name, 120),
				text.StartBytes(t.Row(n.I), 60)})
		}
	}
	return out
}
