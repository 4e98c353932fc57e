package core

import "github.com/refscope/refscope/snapshot/audit"

// FindingChange is how many findings of the audit appeared since the turn before, and how
// many went away: errors and warnings only, so that the list of turns stays calm.
type FindingChange struct{ Appeared, Gone int }

// CountFindings counts the errors and warnings of a difference between two audits.
func CountFindings(c *audit.Changes) FindingChange {
	count := func(list []audit.Finding) (n int) {
		for _, f := range list {
			if f.Severity != audit.Note {
				n++
			}
		}
		return n
	}
	return FindingChange{count(c.Appeared), count(c.Gone)}
}

// Changed reports whether a turn differs from the one before, as far as that is known.
func (r TurnRow) Changed() bool {
	return r.Change != nil && !r.Change.None() || r.Findings != FindingChange{}
}

// FindingsCompared says how the findings of a turn differ from those of the turn before.
type FindingsCompared struct {
	Session, N int // the number of the session's opening, and of the turn
	FindingChange
}

func (m FindingsCompared) Apply(s State) (State, []Effect) {
	if m.Session == s.Session.Opened {
		s.EditRow(m.N, func(r *TurnRow) { r.Findings = m.FindingChange })
	}
	return s, nil
}
