package sentinel

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
)

// maxMessages is the most errors, and the most successes, that are reported.
const maxMessages = 10

// Result is the verified outcome of an action (the seed's VerificationResult).
type Result struct {
	Success bool `json:"success"`
	// VerifiedOutcome is the outcome that occurred; the expected one where none did.
	VerifiedOutcome Type `json:"verifiedOutcome"`
	// ActualOutcome is what happened, a sentence without its full stop.
	ActualOutcome string `json:"actualOutcome"`
	// ErrorsDetected and SuccessMessages are the page's messages since the action, at most
	// ten of 120 characters each. A message that was there before does not count.
	ErrorsDetected  []string  `json:"errorsDetected"`
	SuccessMessages []string  `json:"successMessages"`
	PageState       PageState `json:"pageState"`
	// Confidence is how sure all this is, 0 to 1; see the constants in judge.go.
	Confidence float64 `json:"confidence"`
	// Feedback is all of it in sentences for a model.
	Feedback string `json:"feedback"`
}

// PageState is how the page is after the action.
type PageState struct {
	URL        string `json:"url"`
	URLChanged bool   `json:"urlChanged"`
	DOMChanged bool   `json:"domChanged"`
	// RecentMutations are the last ten changes since the action in the seed's words.
	RecentMutations []string `json:"recentMutations"`
}

// Wire is the result in the fields of a request.
func (r *Result) Wire() payload.Verification {
	return payload.Verification{Passed: r.Success, Message: r.Message(), Errors: r.ErrorsDetected}
}

// Message is what happened and which errors came: "URL unchanged. Error: 'Invalid email'".
func (r *Result) Message() string {
	s := text.Capital(r.ActualOutcome)
	for _, e := range r.ErrorsDetected {
		s += ". Error: '" + e + "'"
	}
	return s
}

// result assembles the result. now is nil where the page could not be read.
func (w *Watcher) result(met verdict, now *scene, limit time.Duration) *Result {
	r := &Result{
		Success: met.ok, VerifiedOutcome: w.expect.Type, ActualOutcome: met.how, Confidence: met.confidence,
		ErrorsDetected: []string{}, SuccessMessages: []string{},
		PageState: PageState{URL: w.address(w.before.url), RecentMutations: []string{}},
	}
	if met.ok {
		r.VerifiedOutcome = met.e.Type
	}
	if now == nil {
		w.unanswered(r)
		return r
	}
	w.messages(r, now)
	r.PageState.URL, r.PageState.URLChanged = w.address(now.url), now.url != w.before.url
	r.PageState.DOMChanged = now.main != w.before.main
	for _, k := range now.keys {
		if b := w.before.docs[k]; b == nil || b.Mutations < now.docs[k].Mutations {
			r.PageState.DOMChanged = true
		}
	}
	all := now.notes()
	slices.SortStableFunc(all, func(a, b snapshot.Mutation) int { return cmp.Compare(b.Age, a.Age) })
	if events, _, _ := semantic.RecentEvents(all); len(events) > 0 {
		r.PageState.RecentMutations = events
	}
	switch {
	case r.Success && len(r.ErrorsDetected) > 0 && met.shaky:
		r.Success, r.Confidence = false, sureError
	case r.Success && len(r.ErrorsDetected) > 0:
		r.Confidence -= 0.2
	case !r.Success && len(r.ErrorsDetected) > 0:
		r.Confidence = sureError
	case !r.Success:
		r.Confidence = sureFailure
	}
	if r.Success {
		r.Feedback = "Verified: " + r.Message() + "."
	} else {
		r.Feedback = fmt.Sprintf("Not verified: expected %s within %d ms. %s.", w.expect, limit.Milliseconds(),
			r.Message())
	}
	for _, s := range r.SuccessMessages {
		r.Feedback += " The page says '" + s + "'."
	}
	return r
}

// unanswered is the result of a page that cannot be asked: a dialog is open, or a script
// keeps it busy.
func (w *Watcher) unanswered(r *Result) {
	if d, _ := w.page.Tab().OpenDialog(); d != nil {
		r.Success = w.expect.Type == AnyChange
		r.ActualOutcome = fmt.Sprintf("a dialog is open and waits for an answer (%s %q)", d.Type, d.Message)
		r.Confidence = sureSeen
	} else {
		r.Success, r.ActualOutcome, r.Confidence = false, "the page does not answer", unsure
	}
	r.Feedback = r.Message() + "."
}

// restored is how much older than the action a document is, ms, for which the browser went back in its history.
const restored = 500

// messages fills in the page's messages since the action.
func (w *Watcher) messages(r *Result, now *scene) {
	add := func(list *[]string, s string) {
		if s != "" && len(*list) < maxMessages && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, k := range now.keys {
		was, d := w.before.docs[k], now.docs[k]
		if was == nil {
			was = &document{} // everything in a new document is new
			if d.At > float64(w.sinceBegan().Milliseconds())+restored {
				was = d // it is an older one that the browser kept: what it shows is no news
			}
		}
		for _, s := range d.Errors {
			if !slices.Contains(was.Errors, s) {
				add(&r.ErrorsDetected, s)
			}
		}
		for _, s := range d.Successes {
			if !slices.Contains(was.Successes, s) {
				add(&r.SuccessMessages, s)
			}
		}
	}
	for _, m := range now.notes() {
		switch {
		case m.Type == "removed":
		case m.Category == "error":
			add(&r.ErrorsDetected, m.Text)
		case m.Category == "success":
			add(&r.SuccessMessages, m.Text)
		}
	}
}
