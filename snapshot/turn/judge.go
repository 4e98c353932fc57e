package turn

import "strings"

// Judgement is what a verdict comes to: people and programs have many words for three
// things.
type Judgement int

const (
	// Unjudged: no verdict, or a word that is none of those below.
	Unjudged Judgement = iota
	// Good: pass, passed, ok, good.
	Good
	// Questionable: question, warn, warning, unclear.
	Questionable
	// Bad: fail, failed, bad, wrong.
	Bad
)

// Judge is what a verdict comes to, in upper or lower case.
func Judge(verdict string) Judgement {
	switch strings.ToLower(verdict) {
	case "pass", "passed", "ok", "good":
		return Good
	case "question", "warn", "warning", "unclear":
		return Questionable
	case "fail", "failed", "bad", "wrong":
		return Bad
	}
	return Unjudged
}

// VerdictOf is the verdict of a turn: that of its last annotation that has one and is
// about the turn as a whole; "" for none.
func VerdictOf(list []Annotation, turn int) string {
	verdict := ""
	for _, a := range list {
		if a.Turn == turn && a.Ref == 0 && a.Verdict != "" {
			verdict = a.Verdict
		}
	}
	return verdict
}
