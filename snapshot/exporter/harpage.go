package exporter

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/network"
)

// What a page loaded is in the network layers of its turns. Turns of one page have the same requests; each is written
// once, as it was in the end.

// requestKey is the same for a request in all turns that have it.
type requestKey struct {
	target string
	id     int
	began  int64 // ns since 1970: numbers begin again with each connection to a tab
}

// documentKey is a document in a tab.
type documentKey struct{ target, loader string }

// heldEntry is a request that had not ended yet.
type heldEntry struct {
	request network.Request
	pageref string
	turn    int
}

// page are the entries of what a turn's page has loaded since the turn before.
func (h *harWriter) page(t *turnOf) []harItem {
	l := t.Capture.Network
	if l == nil || len(l.Requests) == 0 {
		return nil
	}
	if h.seen == nil {
		h.seen, h.held, h.named = map[requestKey]bool{}, map[requestKey]heldEntry{}, map[documentKey]string{}
	}
	h.loss.add(0, "of the requests of pages no bodies and no cookies were recorded")
	if l.LeftOut > 0 {
		h.loss.add(t.N, "requests beyond the limit were not recorded")
	}
	ref := h.pageref(t, l)
	var out []harItem
	for i := range l.Requests {
		q := &l.Requests[i]
		key := requestKey{t.Meta.Target, q.ID, q.Began.UnixNano()}
		if h.seen[key] {
			continue
		}
		of := ref
		if q.Earlier {
			of = ""
		}
		request := *q
		if before, ok := h.held[key]; ok {
			of, request.URL = before.pageref, before.request.URL // which has its query still
			delete(h.held, key)
		}
		if q.State == network.Pending {
			h.held[key] = heldEntry{request, of, t.N}
			continue
		}
		h.seen[key] = true
		out = append(out, harItem{began: q.Began, entry: pageEntry(&request, l.Request(q.RedirectedTo), of, t.N)})
	}
	return out
}

// pageref is the name of the page that a turn shows; one that is not known yet is added to the list.
func (h *harWriter) pageref(t *turnOf, l *network.Layer) string {
	c := t.Capture
	key := documentKey{target: t.Meta.Target, loader: c.URL}
	if len(c.Frames) > 0 && c.Frames[0].Loader != "" {
		key.loader = c.Frames[0].Loader
	}
	if ref := h.named[key]; ref != "" {
		return ref
	}
	ref := fmt.Sprintf("page_%d", len(h.pages)+1)
	h.named[key] = ref
	began := c.TakenAt
	if i := slices.IndexFunc(l.Requests, func(q network.Request) bool { return !q.Earlier }); i >= 0 {
		began = l.Requests[i].Began
	}
	h.pages = append(h.pages, map[string]any{"id": ref, "title": cmp.Or(clean(c.Title), clean(c.URL)),
		"startedDateTime": began.Format(time.RFC3339Nano), "pageTimings": pageTimings(l),
		"comment": harComment(t)})
	return ref
}

// pageTimings are when the page was parsed and loaded, ms after its start; -1 where that is not known.
func pageTimings(l *network.Layer) map[string]float64 {
	out := map[string]float64{"onContentLoad": -1, "onLoad": -1}
	if l.ContentLoad > 0 {
		out["onContentLoad"] = l.ContentLoad
	}
	if l.Load > 0 {
		out["onLoad"] = l.Load
	}
	return out
}

// endHeld takes the requests that were under way in the last turn that has them.
func (h *harWriter) endHeld() {
	for _, e := range slices.SortedFunc(maps.Values(h.held), func(a, b heldEntry) int {
		return cmp.Or(a.request.Began.Compare(b.request.Began), a.request.ID-b.request.ID)
	}) {
		h.items = append(h.items, harItem{began: e.request.Began, entry: pageEntry(&e.request, nil, e.pageref, e.turn)})
	}
}

// pageEntry is a request of a page; next is the hop that it was redirected to.
func pageEntry(q, next *network.Request, pageref string, turn int) any {
	none := []any{}
	headers, redirect, upload := none, "", int64(0)
	if q.Media != "" {
		headers = []any{map[string]string{"name": "Content-Type", "value": q.Media}}
	}
	if next != nil {
		redirect = next.URL
	}
	if q.Upload {
		upload = q.UploadSize
		if upload == 0 {
			upload = -1
		}
	}
	size, body := answerSizes(q)
	version := httpVersion(q.Protocol)
	timings, total := harTimings(q)
	response := map[string]any{"status": q.Status, "statusText": q.StatusText, "httpVersion": version, "cookies": none,
		"headers": headers, "content": map[string]any{"size": max(q.Body, 0), "mimeType": q.Media},
		"redirectURL": redirect,
		"headersSize": size, "bodySize": body, "_transferSize": q.Wire}
	if q.Error != "" {
		response["_error"] = q.Error
	}
	e := map[string]any{
		"startedDateTime": q.Began.Format(time.RFC3339Nano), "time": total, "cache": map[string]any{},
		"request": map[string]any{"method": q.Method, "url": q.URL, "httpVersion": version, "cookies": none,
			"headers": none, "queryString": harQuery(q.URL), "headersSize": -1, "bodySize": upload},
		"response": response, "timings": timings,
		"_resourceType": strings.ToLower(q.Type), "_refscope": map[string]any{"turn": turn, "request": q.ID,
			"state": q.State},
	}
	if pageref != "" {
		e["pageref"] = pageref
	}
	if q.Initiator != nil {
		e["_initiator"] = q.Initiator
	}
	if q.From != "" {
		e["_from"] = q.From
	}
	if q.Worker != "" {
		e["_worker"] = q.Worker
	}
	if q.Socket != nil {
		e["_socket"] = q.Socket
	}
	return e
}

// answerSizes are the bytes of the answer's headers and of its body as they crossed the network; -1 for one that is not
// known. A body that came from a cache has 0.
func answerSizes(q *network.Request) (headers, body int64) {
	headers, body = -1, -1
	if q.Headers > 0 {
		headers = q.Headers
	}
	switch {
	case q.From != "" || q.Status == 304 || q.Status == 204 || q.Method == "HEAD" && q.Status > 0:
		body = 0
	// a redirect's is not read
	case q.State == network.Done && q.Headers > 0 && q.Wire >= q.Headers && q.RedirectedTo == 0:
		body = q.Wire - q.Headers
	}
	return headers, body
}

// httpVersion is a protocol as HAR spells it, "" where it is not known.
func httpVersion(protocol string) string {
	switch protocol {
	case "h2":
		return "HTTP/2"
	case "h3":
		return "HTTP/3"
	}
	return strings.ToUpper(protocol)
}

// harTimings are the phases of a request and their sum, ms; -1 for one that did not occur. What belongs to none of them
// counts as blocked.
func harTimings(q *network.Request) (phases map[string]float64, total float64) {
	t := q.Timings
	if t == nil {
		t = &network.Timings{Wait: q.Duration}
	}
	known := t.DNS + t.Connect + t.Send + t.Wait + t.Receive
	blocked := max(t.Queued, math.Round((q.Duration-known)*1000)/1000)
	phases = map[string]float64{"blocked": blocked, "dns": t.DNS, "connect": t.Connect, "ssl": t.TLS}
	for name, ms := range phases {
		if ms == 0 {
			phases[name] = -1
		}
	}
	phases["send"], phases["wait"], phases["receive"] = t.Send, t.Wait, t.Receive
	return phases, math.Round((known+blocked)*1000) / 1000
}
