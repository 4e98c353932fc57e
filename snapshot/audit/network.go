package audit

import (
	"fmt"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/why"
)

// loaded judges what the page loaded: what failed, and what was under way while the page was read, with the element
// that lacks it where that is known.
func (a *auditor) loaded() {
	if a.c.Network == nil {
		return
	}
	lacking := a.lacking()
	for _, q := range a.c.Network.Sorted(network.ByProblem) {
		rule, severity := FailedRequest, Warning
		switch {
		case q.Earlier || q.Type == "Preflight":
			continue
		case q.Bad() && !q.Matters():
			severity = Note
		case q.Bad():
		case q.State == network.Pending && !q.Lasting() && q.Matters():
			rule, severity = PendingRequest, Note
		default:
			continue
		}
		n := lacking[q.ID]
		sentence := a.short(q.Name(a.c.URL, evidenceLimit)) + " " + a.short(q.Problem())
		if n != nil {
			sentence += ", and " + a.say(n) + " lacks what it should show"
			if rule == FailedRequest {
				severity = Warning
			}
		}
		f := Finding{Sentence: sentence + ".", Evidence: q.URL, Frame: max(0, a.frameOf(q.Frame))}
		if i := q.Initiator; i != nil && i.URL != "" && i.Type == "script" {
			f.Evidence += fmt.Sprintf(" from %s:%d", i.URL, i.Line)
		}
		a.add(rule, severity, n, f, q.Method+" "+stem(q.URL))
	}
}

// frameOf is the index of the frame with that id, -1 for none.
func (a *auditor) frameOf(id string) int {
	for i := range a.c.Frames {
		if a.c.Frames[i].ID == id {
			return i
		}
	}
	return -1
}

// lacking are the elements that lack what was requested, by the numbers of the requests: one that shows it, or that is
// empty and has its name.
func (a *auditor) lacking() map[int]*snapshot.Node {
	out := map[int]*snapshot.Node{}
	problems := why.NewProblems(a.c, a.tree)
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		if n.Attrs["src"] == "" && n.Attrs["id"] == "" && n.Attrs["data"] == "" && n.Name == "" && n.Tag != "iframe" {
			continue
		}
		for _, cause := range problems.Causes(n) {
			if (cause.Own || cause.Named) && out[cause.Request.ID] == nil {
				out[cause.Request.ID] = n
			}
		}
	}
	return out
}
