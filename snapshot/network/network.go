// Package network is what a page loaded, as plain data: the network layer of a turn.
//
// A [Layer] lists the requests of one tab up to the moment of a capture: those of the page, its frames and its
// workers, each hop of a redirect, those that were aborted, and those that were still under way. Package
// capture/browser records it, package exporter writes it as HTTP Archive. [Layer.Sorted] orders it for a reader, and
// [Request.Problem] describes what went wrong.
//
// There are no headers, no cookies and no bodies in it, and secrets in addresses are marks: a layer can be handed on.
// Addresses named data: and blob: cross no network, and are not in it.
package network

import (
	"errors"
	"fmt"
	"time"
)

// Layer is what a tab loaded. It is immutable once made.
type Layer struct {
	// Since is when recording began: what the page loaded before it is not known.
	Since time.Time `json:"since"`
	// Requests are in the order in which they began.
	Requests []Request `json:"requests"`
	// LeftOut is how many more there were, beyond the limit.
	LeftOut int `json:"leftOut,omitempty"`
	// ContentLoad is when the page's document had been parsed (DOMContentLoaded), and Load when all that it names had
	// loaded, in ms after its request began; 0 where that is not known or not yet.
	ContentLoad float64 `json:"contentLoad,omitempty"`
	Load        float64 `json:"load,omitempty"`
}

// State is what became of a request.
type State string

// The states of a request.
const (
	Done     State = "done"     // it was answered, with whatever status
	Pending  State = "pending"  // it was under way at the moment of the capture
	Failed   State = "failed"   // no answer came; Error is why
	Canceled State = "canceled" // the page broke it off, or left
)

// Request is one request, or one hop of a redirect.
type Request struct {
	// ID is its number in the recording of its tab, from 1. Two turns of a page have the same request under one number.
	ID     int       `json:"id"`
	Method string    `json:"method"` // the HTTP method
	URL    string    `json:"url"`    // without secrets, at most 2,000 characters; of an earlier page without its query
	Began  time.Time `json:"began"`  // when it began
	// Type is Document, Stylesheet, Script, Image, Font, Media, XHR, Fetch, EventSource, WebSocket, Ping, Preflight,
	// Manifest, Other …, as Chrome names it.
	Type string `json:"type,omitempty"`
	// Frame is the id of the frame that it belongs to, as in the capture's frames; "" for one of a worker.
	Frame string `json:"frame,omitempty"`
	// Worker is worker, shared_worker or service_worker where one of these sent it.
	Worker string `json:"worker,omitempty"`
	// Earlier: it belongs to a page that the tab showed before.
	Earlier bool `json:"earlier,omitempty"`

	State  State  `json:"state"`
	Error  string `json:"error,omitempty"`  // why it failed, in Chrome's words; "" where it did not
	Status int    `json:"status,omitempty"` // of HTTP, 0 where no answer came
	// StatusText is the server's own, often "".
	StatusText string `json:"statusText,omitempty"`
	Protocol   string `json:"protocol,omitempty"` // http/1.1, h2, h3
	Media      string `json:"media,omitempty"`    // media type of the answer
	// From is where the answer came from if not from the network: memory cache, disk cache, prefetch cache,
	// service worker. Of an answer of status 304 the body came from there, and only headers over the network.
	From string `json:"from,omitempty"`
	// Wire is how many bytes came over the network, headers included, and Body how many the decoded body has so far;
	// -1 where they are not known.
	Wire int64 `json:"wire"`
	Body int64 `json:"body"`
	// Headers is how many bytes of Wire are the answer's headers; 0 where that is not known.
	Headers int64 `json:"headers,omitempty"`
	// Upload: it has a body, of UploadSize bytes; 0 where that is not known.
	Upload     bool  `json:"upload,omitempty"`
	UploadSize int64 `json:"uploadSize,omitempty"`
	// Duration is from its beginning to its end, or to the moment of the capture for one that is pending, in ms.
	Duration  float64    `json:"duration"`
	Timings   *Timings   `json:"timings,omitempty"`
	Initiator *Initiator `json:"initiator,omitempty"`
	// RedirectedTo is the number of the hop that followed, 0 for none.
	RedirectedTo int     `json:"redirectedTo,omitempty"`
	Socket       *Socket `json:"socket,omitempty"` // of a WebSocket
}

// Timings divide the duration of a request, in ms; 0 where a part did not occur.
type Timings struct {
	Queued  float64 `json:"queued,omitempty"`  // waiting in Chrome's queue
	DNS     float64 `json:"dns,omitempty"`     // finding the host's address
	Connect float64 `json:"connect,omitempty"` // TLS included
	TLS     float64 `json:"tls,omitempty"`
	Send    float64 `json:"send,omitempty"`    // sending the request
	Wait    float64 `json:"wait,omitempty"`    // until the headers of the answer
	Receive float64 `json:"receive,omitempty"` // receiving the answer
}

// Initiator is what caused a request.
type Initiator struct {
	Type string `json:"type"`           // parser, script, preload, preflight, other
	URL  string `json:"url,omitempty"`  // the document or script, without secrets
	Line int    `json:"line,omitempty"` // from 1, 0 where it is not known
}

// Socket counts the messages of a WebSocket. What they said is not kept.
type Socket struct {
	Sent     int  `json:"sent"`             // frames that the page sent
	Received int  `json:"received"`         // frames that it received
	Closed   bool `json:"closed,omitempty"` // it is closed
}

// maxRequests is how many requests a layer that is read may have: more than any that is written.
const maxRequests = 100_000

// Check refuses a layer from a file that no recorder writes: numbers that are not in order, states that there are not.
func (l *Layer) Check() error {
	if l == nil {
		return nil
	}
	if len(l.Requests) > maxRequests || l.LeftOut < 0 {
		return fmt.Errorf("the network layer has %d requests and lacks %d", len(l.Requests), l.LeftOut)
	}
	last := 0
	for i := range l.Requests {
		r := &l.Requests[i]
		switch {
		case r.ID <= last:
			return fmt.Errorf("the network layer's request %d has the number %d after %d", i, r.ID, last)
		case r.State != Done && r.State != Pending && r.State != Failed && r.State != Canceled:
			return fmt.Errorf("the network layer's request %d has the state %.40q", r.ID, r.State)
		case r.Duration < 0 || r.Wire < -1 || r.Body < -1 || r.Headers < 0 || r.UploadSize < 0 || r.Status < 0 ||
			r.Status > 999:
			return fmt.Errorf("the network layer's request %d has a size, time or status that cannot be", r.ID)
		case r.URL == "" || r.Method == "":
			return errors.New("the network layer has a request without an address or a method")
		}
		last = r.ID
	}
	return nil
}

// Request is the request with that number, nil for none.
func (l *Layer) Request(id int) *Request {
	if l == nil {
		return nil
	}
	for i := range l.Requests {
		if l.Requests[i].ID == id {
			return &l.Requests[i]
		}
	}
	return nil
}
