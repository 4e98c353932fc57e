package exporter

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/turn"
)

// harWriter writes HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Members
// that begin with "_" are its way to keep what it does not know.
type harWriter struct {
	list
	loss *losses
	o    Options
}

func (h *harWriter) begin() error {
	for _, s := range []string{
		"a HAR file has requests and answers only: captures and pictures of pages, numbers of elements, steps and pairings " +
			"are not in it",
		"of the headers only the type of the bodies was recorded",
		"bodies are as they were before their encoding",
	} {
		h.loss.add(0, s)
	}
	if err := h.text(`{"log":{"version":"1.2","creator":`); err != nil {
		return err
	}
	if err := h.value(map[string]string{"name": "Refscope", "version": h.o.Version}); err != nil {
		return err
	}
	return h.text(`,"pages":[],"entries":[`)
}

func (h *harWriter) turn(t *turnOf) (bool, error) {
	wrote := false
	for i := range t.asks {
		a := &t.asks[i]
		if !a.recorded || a.e.URL == "" {
			h.loss.add(t.N, "a request whose address was not recorded is left out")
			continue
		}
		if !a.request.Wire {
			h.loss.add(t.N, "the body was written again from a recording: it is not what crossed the wire")
		}
		if err := h.entry(h.harEntry(t, a)); err != nil {
			return wrote, err
		}
		wrote = true
	}
	if len(t.asks) == 0 {
		h.loss.add(t.N, "a turn without a request to a model is left out")
	}
	return wrote, nil
}

func (h *harWriter) harEntry(t *turnOf, a *ask) any {
	none := []any{}
	header := func(p *turn.Payload) []any {
		if p == nil || p.Media == "" {
			return none
		}
		return []any{map[string]string{"name": "Content-Type", "value": p.Media}}
	}
	query := none
	if u, err := url.Parse(a.e.URL); err == nil {
		for name, values := range u.Query() {
			for _, v := range values {
				query = append(query, map[string]string{"name": name, "value": v})
			}
		}
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
		"headers": header(a.answer), "content": content, "redirectURL": "", "headersSize": -1, "bodySize": a.e.AnswerBytes}
	if a.e.Error != "" {
		response["_error"] = a.e.Error
	}
	// What is not known of a phase is -1, but send, wait and receive must be there.
	wait := max(a.e.FirstByte-a.e.Sent, 0)
	began, _ := a.times()
	return map[string]any{
		"startedDateTime": began.Format(time.RFC3339Nano), "time": a.e.Ended, "cache": map[string]any{},
		"request": map[string]any{"method": a.e.Method, "url": a.e.URL, "httpVersion": "HTTP/1.1", "cookies": none,
			"headers": header(a.request), "queryString": query, "postData": post, "headersSize": -1, "bodySize": a.e.RequestBytes},
		"response": response,
		"timings":  map[string]any{"send": a.e.Sent, "wait": wait, "receive": max(a.e.Ended-a.e.Sent-wait, 0)},
		"comment":  harComment(t), "_refscope": own,
	}
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
	if err := h.text("\n],\"comment\":"); err != nil {
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
