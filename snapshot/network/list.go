package network

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/text"
)

// Sort is an order of requests.
type Sort string

// The orders of [Layer.Sorted]: the most remarkable first.
const (
	ByProblem  Sort = "problem" // what failed, what was under way, what was broken off, then the rest by time
	ByTime     Sort = "time"    // as they began
	ByStatus   Sort = "status"
	ByType     Sort = "type"
	BySize     Sort = "size"     // the largest body first
	ByDuration Sort = "duration" // the slowest first
)

// Sorts are all orders.
func Sorts() []Sort { return []Sort{ByProblem, ByTime, ByStatus, ByType, BySize, ByDuration} }

// Sorted are the requests in an order. Those that are equal in it stay in the order in which they began.
func (l *Layer) Sorted(by Sort) []*Request {
	if l == nil {
		return nil
	}
	out := make([]*Request, len(l.Requests))
	for i := range l.Requests {
		out[i] = &l.Requests[i]
	}
	order := map[Sort]func(a, b *Request) int{
		ByTime:     func(a, b *Request) int { return a.Began.Compare(b.Began) },
		ByProblem:  func(a, b *Request) int { return cmp.Compare(a.rank(), b.rank()) },
		ByStatus:   func(a, b *Request) int { return cmp.Compare(a.Status, b.Status) },
		ByType:     func(a, b *Request) int { return cmp.Compare(a.Type, b.Type) },
		BySize:     func(a, b *Request) int { return cmp.Compare(b.Body, a.Body) },
		ByDuration: func(a, b *Request) int { return cmp.Compare(b.Duration, a.Duration) },
	}[by]
	if order != nil {
		slices.SortStableFunc(out, order)
	}
	return out
}

// rank is lower the more a request needs a look.
func (q *Request) rank() int {
	switch {
	case q.Bad():
		return 0
	case q.State == Pending && !q.Lasting():
		return 1
	case q.State == Canceled:
		return 2
	}
	return 3
}

// Bad reports whether the request failed, or was answered with an error.
func (q *Request) Bad() bool { return q.State == Failed || q.Status >= 400 }

// Matters reports whether a page is likely to show other things, or to work otherwise, without the answer.
func (q *Request) Matters() bool {
	switch q.Type {
	case "Document", "Script", "Stylesheet", "XHR", "Fetch", "EventSource", "WebSocket":
		path, _, _ := strings.Cut(q.URL, "?")
		return !strings.HasSuffix(path, "/favicon.ico")
	}
	return false
}

// Lasting reports whether the request is one that a page keeps open: a socket, a stream of events, media.
func (q *Request) Lasting() bool {
	switch q.Type {
	case "WebSocket", "EventSource", "Media", "Ping":
		return true
	}
	return false
}

// Problem describes what went wrong, as the end of a sentence about the request; "" where nothing did.
func (q *Request) Problem() string {
	switch {
	case q.Status >= 400:
		return strings.TrimSpace(fmt.Sprintf("was answered with %d %s", q.Status, statusWords(q.Status)))
	case q.State == Failed:
		return "failed: " + cmp.Or(text.Line(q.Error), "no reason is known")
	case q.State == Pending && !q.Lasting():
		return fmt.Sprintf("had no answer after %s ms", text.Thousands(int(q.Duration)))
	case q.State == Canceled:
		return "was aborted: " + cmp.Or(text.Line(q.Error), "no reason is known")
	}
	return ""
}

// statusWords are the words of RFC 9110 for the errors that are frequent, "" for others. Package net/http has all, and
// with them the network, which nothing here may reach.
func statusWords(status int) string {
	return map[int]string{
		400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
		408: "Request Timeout", 409: "Conflict", 410: "Gone", 413: "Content Too Large", 415: "Unsupported Media Type",
		422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
		502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
	}[status]
}

// Name is the method and address of the request for a sentence, in at most n characters and as one harmless line.
// An address of the same site as the page's is given by its path.
func (q *Request) Name(page string, n int) string {
	url := q.URL
	if site := origin(page); site != "" && origin(url) == site {
		url = cmp.Or(url[len(site):], "/")
	}
	return text.Line(q.Method) + " " + text.Cut(text.Line(url), n)
}

// origin is scheme, host and port of an address, "" where it has none.
func origin(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return scheme + "://" + host
}

// Mark is the status of a request for a column of a table: 200, pending, failed, canceled; open for a socket or a
// stream of events that the server has answered.
func (q *Request) Mark() string {
	if q.Status > 0 && q.State != Pending {
		return fmt.Sprint(q.Status)
	}
	if q.State == Pending && (q.Socket != nil || q.Type == "EventSource" && q.Status > 0) {
		return "open"
	}
	return string(q.State)
}

// Size is the size of the answer for a column: the decoded body, or where it came from without a network.
func (q *Request) Size() string {
	switch {
	case q.Socket != nil:
		return text.Count(q.Socket.Sent+q.Socket.Received, "message", "messages")
	case q.From != "":
		return q.From
	case q.Body < 0:
		return "–"
	case q.Body < 10_000:
		return text.Thousands(int(q.Body)) + " B"
	}
	return text.Thousands(int((q.Body+500)/1000)) + " kB"
}

// Summary counts the requests: how many there were, how many failed, how many were under way.
func (l *Layer) Summary() string {
	if l == nil {
		return "what the page loaded was not recorded"
	}
	bad, pending := 0, 0
	for i := range l.Requests {
		switch q := &l.Requests[i]; {
		case q.Bad():
			bad++
		case q.State == Pending && !q.Lasting():
			pending++
		}
	}
	out := text.Count(len(l.Requests)+l.LeftOut, "request", "requests")
	if bad > 0 {
		out += fmt.Sprintf(", %d failed", bad)
	}
	if pending > 0 {
		out += fmt.Sprintf(", %d under way", pending)
	}
	if l.LeftOut > 0 {
		out += fmt.Sprintf("; %s not listed", text.Count(l.LeftOut, "one is", "are"))
	}
	return out
}

// Line is a line of the console that is shown among the requests.
type Line struct {
	At    time.Time `json:"at"`
	Level string    `json:"level"`
	Text  string    `json:"text"`
}

// addressWidth is how much of an address a table shows, in characters.
const addressWidth = 100

// Table prints requests for a terminal, one on a line, in their order. page is the address of the page. Lines of the
// console are put in by their time where the requests are in that order.
func Table(requests []*Request, page string, console []Line) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %-11s %12s %10s  %s\n", "status", "type", "size", "ms", "request")
	row := func(q *Request) {
		kind := q.Type
		if q.Worker != "" {
			kind = strings.ReplaceAll(q.Worker, "_", " ")
		}
		fmt.Fprintf(&b, "%-8s %-11s %12s %10s  %s", q.Mark(), text.Cut(text.Line(kind), 15), text.Line(q.Size()),
			text.Thousands(int(q.Duration)), q.Name(page, addressWidth+1))
		if why := q.Problem(); why != "" && q.Status < 400 {
			fmt.Fprintf(&b, "  (%s)", why)
		}
		if i := q.Initiator; i != nil && i.URL != "" && (q.Bad() || q.State == Pending) {
			from := Request{Method: "from", URL: i.URL}
			fmt.Fprintf(&b, "  %s", from.Name(page, 61))
			if i.Line > 0 {
				fmt.Fprintf(&b, ":%d", i.Line)
			}
		}
		b.WriteByte('\n')
	}
	said := func(before time.Time) {
		for len(console) > 0 && (before.IsZero() || console[0].At.Before(before)) {
			fmt.Fprintf(&b, "%-8s %-11s %s\n", "console", text.Cut(text.Line(console[0].Level), 11),
				text.Cut(text.Line(console[0].Text), 161))
			console = console[1:]
		}
	}
	for _, q := range requests {
		said(q.Began)
		row(q)
	}
	said(time.Time{})
	return b.String()
}
