package doctor

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// crossed is what a turn keeps of how its answer came.
type crossed struct {
	Status     int    `json:"status"` // 0 where it is not known
	Error      string `json:"error"`  // why there is no whole answer
	RetryAfter string `json:"retryAfter"`
	Stream     bool   `json:"stream"`
}

// readAnswer reads the answer to the request at a place among the payloads, nil where there is none.
func (e *examination) readAnswer(asked int) *wire.Answer {
	at := Answer(e.rec.Payloads, asked)
	if at < 0 {
		return nil
	}
	a, _ := wire.ReadAnswer(e.dialect, e.rec.Payloads[at].Bytes) // one that cannot be read says nothing
	return a
}

// saidDone reports whether the stream of the answer says itself that it is at its end.
func (e *examination) saidDone() bool {
	a := e.readAnswer(Request(e.rec.Payloads))
	return a != nil && a.Done
}

// findAnswer finds that the vendor refused the request, that no answer or a part of one came, and calls of tools that
// were not offered.
func (e *examination) findAnswer() {
	refused := e.answer != nil && e.answer.Error != "" && len(e.answer.Calls) == 0 && e.answer.Text == ""
	switch {
	case e.crossed.Status >= 400 || refused:
		sentence := "The vendor answered with an error in the place of an answer"
		if e.crossed.Status >= 400 {
			sentence = fmt.Sprintf("The vendor answered with status %d, %s", e.crossed.Status,
				statusWords(e.crossed.Status))
		}
		if after := short(e.crossed.RetryAfter); after != "" {
			sentence += "; it may be asked again after " + after
			if strings.Trim(after, "0123456789.") == "" {
				sentence += " s"
			}
		}
		said := e.crossed.Error
		if e.answer != nil {
			said = cmp.Or(e.answer.Error, said)
		}
		e.add(Refused, audit.Error, nil, "", sentence+".", said)
	case e.answer != nil && e.answer.Error != "":
		e.add(NoAnswer, audit.Error, nil, "", "The answer broke off.", e.answer.Error)
	case e.answer != nil && e.answer.Limited():
		e.add(AnswerCut, audit.Error, nil, "", "The model was stopped at its limit of tokens.", e.answer.Finish)
	case e.answer != nil && e.answer.Finish == "" && e.payload.Wire && e.crossed.Stream && e.crossed.Status > 0 &&
		e.crossed.Error == "" && !e.saidDone():
		e.add(AnswerCut, audit.Warning, nil, "", "The stream of the answer stops before its end.", "")
	case e.crossed.Error != "":
		sentence := "Nothing came in the place of an answer."
		if e.answer != nil && (e.answer.Text != "" || len(e.answer.Calls) > 0) {
			sentence = "The answer broke off."
		}
		e.add(NoAnswer, audit.Error, nil, "", sentence, e.crossed.Error)
	}
	if e.answer == nil {
		return
	}
	for _, call := range e.answer.Calls {
		if call.Name == "" || e.asked.Offers(call.Name) {
			continue
		}
		e.add(ToolUnknown, audit.Error, nil, "", fmt.Sprintf(
			"The answer calls %s, and the request offers %s, none of that name.",
			text.QuoteLine(short(call.Name)), text.Count(len(e.asked.Tools), "tool", "tools")), string(call.Arguments))
	}
}

// statusWords says what a status means to a client of a model's vendor.
func statusWords(status int) string {
	switch {
	case status == 401 || status == 403:
		return "not allowed"
	case status == 404:
		return "there is no such model or address"
	case status == 413:
		return "the request is too large"
	case status == 429:
		return "too many requests"
	case status == 529 || status == 503:
		return "overloaded"
	case status >= 500:
		return "a fault of its own"
	}
	return "a request that it does not take"
}
