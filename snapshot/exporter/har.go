package exporter

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/turn"
)

// harWriter writes HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Members
// that begin with "_" are its way to keep what it does not know.
type harWriter struct {
	list
	loss  *losses
	o     Options
	load  func(n int) (*turnOf, error) // reads a turn again
	items []harItem                    // of all turns
	pages []any
	seen  map[requestKey]bool      // page requests that are written
	held  map[requestKey]heldEntry // those that were under way when their turn was taken
	named map[documentKey]string   // pages by their documents
}

// harItem is an entry and when its request began. Entries are in the order of time in the whole file, which is known
// only in the end: of a request to a model, whose bodies are large, the turn is read again then.
type harItem struct {
	began time.Time
	entry any // nil for the request to a model with that index of that turn
	turn  int
	index int
}

func (h *harWriter) begin() error {
	for _, s := range []string{
		"a HAR file has requests and answers only: captures and pictures of pages, numbers of elements, steps and " +
			"pairings are not in it",
		"of the headers only the type of the bodies was recorded",
	} {
		h.loss.add(0, s)
	}
	if err := h.text(`{"log":{"version":"1.2","creator":`); err != nil {
		return err
	}
	if err := h.value(map[string]string{"name": "Refscope", "version": h.o.Version}); err != nil {
		return err
	}
	return h.text(`,"entries":[`)
}

// turn takes the requests to models and those of the page.
func (h *harWriter) turn(t *turnOf) (bool, error) {
	var items []harItem
	for i := range t.asks {
		a := &t.asks[i]
		if !a.recorded || a.e.URL == "" {
			h.loss.add(t.N, "a request whose address was not recorded is left out")
			continue
		}
		h.loss.add(0, "bodies are as they were before their encoding")
		if !a.request.Wire {
			h.loss.add(t.N, "the body was written again from a recording: it is not what crossed the wire")
		}
		began, _ := a.times()
		items = append(items, harItem{began: began, turn: t.N, index: i})
	}
	loaded := h.page(t)
	items = append(items, loaded...)
	if len(t.asks) == 0 && t.Capture.Network == nil {
		h.loss.add(t.N, "a turn without a request to a model, or of its page, is left out")
	}
	h.items = append(h.items, items...)
	return len(items) > 0 || t.Capture.Network != nil && len(t.Capture.Network.Requests) > 0, nil
}

func (h *harWriter) harEntry(t *turnOf, a *ask) any {
	none := []any{}
	header := func(p *turn.Payload) []any {
		if p == nil || p.Media == "" {
			return none
		}
		return []any{map[string]string{"name": "Content-Type", "value": p.Media}}
	}
	post := map[string]any{"mimeType": a.request.Media}
	harBody(post, a.request.Bytes)
	content := map[string]any{"size": 0, "mimeType": ""}
	if a.answer != nil {
		content["size"], content["mimeType"] = len(a.answer.Bytes), a.answer.Media
		harBody(content, a.answer.Bytes)
	}
	own := map[string]any{"turn": t.N, "upstream": a.e.Upstream, "dialect": a.e.Dialect}
	if a.redact {
		own["redacted"] = a.request.Redacted
		if a.answer != nil {
			own["redactedAnswer"] = a.answer.Redacted
		}
	}
	response := map[string]any{"status": a.e.Status, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": none,
		"headers": header(a.answer), "content": content, "redirectURL": "", "headersSize": -1,
		"bodySize": a.e.AnswerBytes}
	if a.e.Error != "" {
		response["_error"] = a.e.Error
	}
	// What is not known of a phase is -1, but send, wait and receive must be there.
	wait := max(a.e.FirstByte-a.e.Sent, 0)
	began, _ := a.times()
	return map[string]any{
		"startedDateTime": began.Format(time.RFC3339Nano), "time": a.e.Ended, "cache": map[string]any{},
		"request": map[string]any{"method": a.e.Method, "url": a.e.URL, "httpVersion": "HTTP/1.1", "cookies": none,
			"headers": header(a.request), "queryString": harQuery(a.e.URL), "postData": post, "headersSize": -1,
			"bodySize": a.e.RequestBytes},
		"response": response,
		"timings":  map[string]any{"send": a.e.Sent, "wait": wait, "receive": max(a.e.Ended-a.e.Sent-wait, 0)},
		"comment":  harComment(t), "_refscope": own,
	}
}

// harQuery are the parameters of an address, in their order.
func harQuery(address string) []any {
	out := []any{}
	u, err := url.Parse(address)
	if err != nil {
		return out
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if name != "" && err1 == nil && err2 == nil {
			out = append(out, map[string]string{"name": name, "value": value})
		}
	}
	return out
}

// harBody puts a body into a member, as text, and in base64 where it is none.
func harBody(into map[string]any, body []byte) {
	if utf8.Valid(body) {
		into["text"] = string(body)
		return
	}
	into["text"], into["encoding"] = base64.StdEncoding.EncodeToString(body), "base64"
}

// harComment is what was said about a turn.
func harComment(t *turnOf) string {
	lines := []string{}
	if t.Note != "" {
		lines = append(lines, t.Note)
	}
	for _, n := range t.notes {
		line := strings.TrimSpace(n.Verdict + " " + n.Text)
		if n.By != "" {
			line = n.By + ": " + line
		}
		if n.Ref > 0 {
			line += fmt.Sprintf(" (about element %d)", n.Ref)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (h *harWriter) end(losses, run []string) error {
	h.endHeld()
	slices.SortStableFunc(h.items, func(a, b harItem) int { return a.began.Compare(b.began) })
	var last *turnOf
	for _, item := range h.items {
		if item.entry == nil {
			if last == nil || last.N != item.turn {
				var err error
				if last, err = h.load(item.turn); err != nil {
					return err
				}
			}
			item.entry = h.harEntry(last, &last.asks[item.index])
		}
		if err := h.entry(item.entry); err != nil {
			return err
		}
	}
	if err := h.text("\n],\"pages\":"); err != nil {
		return err
	}
	if err := h.value(append([]any{}, h.pages...)); err != nil {
		return err
	}
	if err := h.text(",\"comment\":"); err != nil {
		return err
	}
	about := ""
	for _, l := range run {
		about += "About the run: " + l + ". "
	}
	if err := h.value(about + "Not in this file: " + strings.Join(losses, "; ")); err != nil {
		return err
	}
	return h.text("}}\n")
}
