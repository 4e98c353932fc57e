package step

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// Done is the result of a run, for a caller that answers its agent in its own format.
type Done struct {
	Command *Command
	Results []Result
	OK      bool   // no step has failed
	Tab     string // alias, "" where the run has none
	// Before is the page before the steps, nil where it was not read.
	Before *snapshot.Capture
	// Shot is the page after them, numbered; nil where the command needed none or it
	// could not be read. Why is then the reason, nil where none was needed.
	Shot *session.Shot
	Why  error
	// Page is the same page read by what the command's Format goes by, in which elements have the same numbers; nil
	// where Shot is.
	Page *snapshot.Capture
	// Dialog is open and blocks the page.
	Dialog *emulation.Dialog
	// Ledger has all numbers of the session, and Ref spells one for the agent: s3e12.
	Ledger *turn.Ledger
	Ref    func(ref int) string
	// Profile is the text of the profile of the site that the run has just reached, "" where there is none.
	Profile string
	// Redactor is for the bytes of the answer.
	Redactor *redact.Redactor
	// Standard is cdp-skill's answer, and what is redacted in it.
	Standard func() ([]byte, []redact.Span, error)
}

// Reply is an answer in another form than cdp-skill's. Where the run has a session and
// the page was read, the rest of it becomes the turn.
type Reply struct {
	Body []byte // for the agent
	// Payloads are the request and the answer, to be kept.
	Payloads []turn.Payload
	// Steps and Answer are those of the turn's record; the command's own steps without
	// what was typed where Steps is nil.
	Steps, Answer json.RawMessage
	Action        string // the command's summary if empty
}

// reply answers in the form of [Options.Reply].
func (r *Runner) reply(ctx context.Context, d *Done) (*Answer, error) {
	d.Redactor = r.redactor()
	d.Tab, d.Dialog = r.env.Alias, r.openDialog()
	if r.env.Elements != nil {
		d.Ledger, d.Ref = r.env.Elements.Ledger(), r.env.Elements.Spell
	} else { // a run without a tab reports no refs
		d.Ledger, d.Ref = turn.NewLedger(), strconv.Itoa
	}
	if r.env.Site.Visited && r.env.Site.File != nil {
		d.Profile = r.env.Site.File.Text
	}
	written := trace.Start(ctx, trace.LaneCommand, "answer")
	out, err := r.opt.Reply(ctx, d)
	written()
	if err != nil {
		return nil, err
	}
	a := &Answer{Body: out.Body, OK: d.OK, Failed: r.firstFailure(failures(d.Results))}
	if d.Shot == nil {
		return a, nil
	}
	return a, r.keep(ctx, d.Command, d.Shot, out, a)
}
