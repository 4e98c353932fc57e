package task

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// dialect is that of the requests; answers are stored under it as well.
const dialect = "agent-interact"

// ask sends the page and gives the answer, with as much context as the endpoint asks for.
// All that was sent and received is in r.asked then. Its error is a [*badAnswer], a [*stop],
// or that of an endpoint that cannot be talked to.
func (r *run) ask(ctx context.Context, shot *session.Shot) (*agentAnswer, error) {
	r.asked = nil
	of := view{mode: r.opt.Mode}
	if of.mode == "semantic" &&
		bytes.Equal(semantic.Tree(shot.Capture, r.opt.Dump.Common, r.opt.Dump.Semantic), []byte("[]")) {
		of.mode = fallbackMode(r.opt.Query)
		r.report("asks", "the semantic tree is empty: %s goes first", of)
	}
	state := r.state(shot.Capture)
	had := map[view]bool{}
	for round := 0; ; round++ {
		a, err := r.exchange(ctx, shot, of, state)
		if a != nil && a.TaskID != "" {
			r.out.TaskID = a.TaskID
			state.TaskID = a.TaskID
		}
		if a != nil && a.Thought != "" {
			r.out.Thought = r.clean(a.Thought)
		}
		if err != nil || !a.asks() {
			return a, err
		}
		had[of] = true
		of = a.wanted(r.opt.Query)
		r.report("asks", "the endpoint asks for %s%s", of, r.because(a))
		switch {
		case had[of]:
			return a, &badAnswer{Code: "REPEATED_REQUEST",
				Err: fmt.Errorf("%s of this page was sent already: name an action",
					of)}
		case round == r.opt.MaxContexts:
			return a, &badAnswer{
				Code: "TOO_MANY_REQUESTS", Err: fmt.Errorf("%d more contexts of this page were sent: name an action",
					r.opt.MaxContexts),
			}
		}
	}
}

// because is why an answer asks for context, in its own words.
func (r *run) because(a *agentAnswer) string {
	s := ""
	if a.Reason != "" {
		s += ": " + quoted(a.Reason)
	}
	if a.Element != "" {
		s += " (it looks for " + quoted(a.Element) + ")"
	}
	return s
}

// exchange sends one request, again where that may help, and reads the answer.
func (r *run) exchange(ctx context.Context, shot *session.Shot, of view, state payload.AgentState) (*agentAnswer,
	error) {
	in := payload.Input{
		Capture: shot.Capture, Picture: shot.Picture, Query: r.opt.Query, Mode: of.mode, PictureOnly: of.pictureOnly,
		DumpOptions: r.opt.Dump, Agent: state, Compat: r.opt.Compat,
	}
	in.NoImage = len(shot.Picture) == 0
	p, err := export.Payload(dialect, in)
	if err != nil {
		return nil, &stop{status: "stopped", why: "page", reason: "the request could not be made: " + err.Error()}
	}
	body, spans := redact.Body(p.Body, r.redactor, r.secrets...)
	r.ids = nil
	if of.mode == "semantic" {
		r.ids = semantic.IDs(shot.Capture, r.opt.Dump.Common, r.opt.Dump.Semantic)
		r.hash = state.TreeHash
	}
	var failed *endpointError
	for n := range tries {
		if n > 0 {
			r.out.Retries++
			pause := failed.pause(r.opt.RetryPause, n-1)
			r.report("retry", "%v: once more in %s", failed, pause)
			if err := browser.Pause(ctx, pause); err != nil {
				return nil, err
			}
		}
		if r.out.Sent+r.out.Received+int64(len(body)) > r.opt.MaxBytes {
			return nil, &stop{
				status: "stopped",
				why:    "bytes",
				reason: fmt.Sprintf(
					"the next request has %d bytes, and %d of %d are used up", len(body), r.out.Sent+r.out.Received,
					r.opt.MaxBytes,
				),
			}
		}
		r.out.Requests++
		r.out.Sent += int64(len(body))
		r.asked = append(r.asked, wire(turn.Request, "application/json", body, spans))
		r.report("sent", "%s, %d bytes", of, len(body))
		data, err := r.client.post(ctx, body)
		if err == nil {
			r.out.Received += int64(len(data))
			a, err := parseAnswer(data)
			r.learnSecret(a, shot.Capture)
			r.received("application/json", data, r.rejected(a, err, shot.Capture)...)
			return a, err
		}
		if !errors.As(err, &failed) {
			return nil, err
		}
		r.out.Received += int64(len(failed.Body))
		if len(failed.Body) > 0 {
			r.received(failed.Media, failed.Body)
		}
		if !failed.again() {
			return nil, failed
		}
	}
	return nil, fmt.Errorf("%w (asked %d times)", failed, tries)
}

// received notes the answer, without secrets and what else must not be kept.
func (r *run) received(media string, data []byte, rejected ...redact.Secret) {
	body, spans := redact.Body(data, r.redactor, append(rejected, r.secrets...)...)
	if len(media) > 200 {
		media = ""
	}
	r.asked = append(r.asked, wire(turn.Answer, media, body, spans))
}

// wire is a payload as it is kept.
func wire(way turn.Way, media string, body []byte, spans []redact.Span) turn.Payload {
	return turn.Payload{Dialect: dialect, Way: way, Media: media, Bytes: body, Redacted: spans, Wire: true}
}

// rejected is the text of an answer that is typed nowhere: the field that it was meant for is not
// known, and it may be a password.
func (r *run) rejected(a *agentAnswer, err error, c *snapshot.Capture) []redact.Secret {
	if a.Action == nil || a.Action.Verb != "setValue" || a.Action.Text == "" {
		return nil
	}
	if n := r.node(c, a.Action.ID); err == nil && n != nil && editable(n) {
		return nil
	}
	return []redact.Secret{{Value: a.Action.Text, Why: "typed"}}
}

// editable reports whether a text can be put into an element.
func editable(n *snapshot.Node) bool {
	switch n.Role {
	case "textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider":
		return true
	}
	return n.Tag == "input" || n.Tag == "textarea" || n.Tag == "select"
}

// learnSecret remembers what an answer wants typed into a field that holds a secret, so
// that it is taken out of all that is kept from now on, the answer first.
func (r *run) learnSecret(a *agentAnswer, c *snapshot.Capture) {
	if a == nil || a.Action == nil || a.Action.Verb != "setValue" || a.Action.Text == "" {
		return
	}
	n := r.node(c, a.Action.ID)
	if n == nil || !holdsSecret(n) {
		return
	}
	for _, s := range r.secrets {
		if s.Value == a.Action.Text {
			return
		}
	}
	r.secrets = append(r.secrets, redact.Secret{Value: a.Action.Text, Why: "password"})
}

// holdsSecret reports whether a field is one of those whose values are withheld: the
// collector has withheld one, or its kind or name matches the rules that also apply to
// what is stored.
func holdsSecret(n *snapshot.Node) bool {
	for _, f := range n.Redacted {
		if f == "value" {
			return true
		}
	}
	b := []byte(`{"type":`)
	for i, s := range []string{n.Attr("type"), n.Attr("autocomplete"), n.Name, n.Attr("name"), n.Attr("id"),
		n.Attr("placeholder")} {
		if i > 0 {
			b = append(b, []string{`,"autocomplete":`, `,"label":`, `,"name":`, `,"id":`, `,"placeholder":`}[i-1]...)
		}
		b = text.AppendJSON(b, s)
	}
	_, spans := redact.Body(append(b, `,"value":"x"}`...), nil)
	return len(spans) > 0
}

// node is the element of a capture that an id means, nil for none.
func (r *run) node(c *snapshot.Capture, id string) *snapshot.Node {
	return c.ByRef(element.Number(r.ref(id)))
}
