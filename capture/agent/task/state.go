package task

import (
	"encoding/json"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
)

// Caps of dropdownOptions, in entries and characters.
const (
	maxDropdown = 20
	maxOption   = 100
)

// state is what the next request contains besides the page: the outcome of the last action,
// the sentinel's result, and the changes since the last request.
func (r *run) state(now *snapshot.Capture) payload.AgentState {
	s := payload.AgentState{
		TaskID: r.out.TaskID, SessionID: r.opt.SessionID,
		TreeHash: semantic.TreeHash(now, r.opt.Dump.Common, r.opt.Dump.Semantic),
	}
	s.Unchanged = s.TreeHash == r.hash
	s.OmitTree = r.opt.Delta
	if d := r.last; d != nil {
		lastAction(&s, d)
	}
	if r.prev == nil {
		return s
	}
	if since := now.TakenAt.Sub(r.prev.TakenAt); since > 0 {
		s.Within = float64(since.Milliseconds())
	}
	moved, mutated := now.URL != r.prev.URL, false
	change := diff.Captures(r.prev, now, diff.Options{Move: -1})
	s.Changes = &payload.DOMChanges{
		Added: change.Counts[diff.Added], Removed: change.Counts[diff.Removed], Stabilization: now.Timings.Settle,
		URLChanged: &moved,
	}
	if moved {
		s.Changes.PreviousURL = r.prev.URL
	}
	s.Changes.DropdownOptions = dropdown(change)
	s.Changes.Dropdown = len(s.Changes.DropdownOptions) > 0
	mutated = !change.SameDocument || len(now.Mutations) > 0 && now.Mutations[len(now.Mutations)-1].Age < s.Within ||
		s.Changes.Added+s.Changes.Removed > 0
	if d := r.last; d != nil && d.Verified != nil {
		mutated = mutated || d.Verified.PageState.DOMChanged
	}
	s.Observed = &payload.Observations{Mutated: &mutated, URLChanged: &moved}
	if d := r.last; d != nil && !d.began.IsZero() {
		s.Changes.Network, s.Observed.Network = &d.network, &d.network
	}
	return s
}

// lastAction fills in the outcome of the last action.
func lastAction(s *payload.AgentState, d *actionResult) {
	s.LastError = d.Error
	state := d.Note
	add := func(text string) {
		if text != "" && state != "" {
			state += "; "
		}
		state += text
	}
	success := d.Done && d.Error == nil && !d.pending && (d.Verified == nil || d.Verified.Success)
	switch {
	case d.pending:
		s.LastStatus = "pending"
	case !success:
		s.LastStatus = "failure"
	case d.verb != "resume":
		s.LastStatus = "success"
	}
	if v := d.Verified; v != nil {
		add(v.ActualOutcome)
		w := v.Wire()
		s.Verified = &w
	}
	if d.verb != "fault" {
		s.LastResult = &payload.ActionResult{Success: success, ActualState: state}
	}
}

// dropdown are the options of a list or menu that came up: what the page has now and had
// not, by role.
func dropdown(d *diff.Diff) []string {
	var out []string
	for _, ch := range d.Changes {
		if ch.Kind != diff.Added || ch.After == nil || len(out) >= maxDropdown || !d.SameDocument {
			continue
		}
		switch ch.After.Role {
		case "option", "menuitem", "menuitemcheckbox", "menuitemradio":
		default:
			continue
		}
		name := ch.After.Name
		if name == "" {
			name = ch.After.Text
		}
		if name = text.CollapseSpace(name); name == "" {
			continue
		}
		out = append(out, text.Cut(name, maxOption))
	}
	return out
}

// steps is the requested action, as a turn keeps it: without what was typed.
func (d *actionResult) steps() json.RawMessage {
	b := text.AppendJSON([]byte(`{"action":`), d.Action)
	return append(b, '}')
}
