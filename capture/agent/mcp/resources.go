package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
)

// Resources: what the client was shown, as the disk has it. Reading them asks nothing of
// the page and makes no turn.
const (
	uriDump    = "refscope://page/dump"
	uriCapture = "refscope://page/capture"
	uriTurns   = "refscope://session/turns"
	uriTurn    = "refscope://session/turns/{n}/{part}"
)

// parts of a turn that can be read, and their media types.
func parts() map[string]string {
	return map[string]string{
		"dump": "text/plain", "capture": "application/json", "picture": "image/png", "call": "application/json",
		"result": "application/json", "doctor": "application/json",
	}
}

// offer adds the resources to the client's server.
func (s *clientSession) offer() {
	add := func(uri, name, title, what, media string) {
		s.server.AddResource(&sdk.Resource{URI: uri, Name: name, Title: title, Description: what, MIMEType: media}, s.read)
	}
	add(
		uriDump, "dump", "The page as text", "The page as it was at the last call, as browse_snapshot writes it.",
		"text/plain",
	)
	add(
		uriCapture, "capture", "The page as data",
		"The capture of the last call: every element with its verdict, boxes and evidence; secrets are redacted.",
		"application/json",
	)
	add(
		uriTurns, "turns", "The turns of this session",
		"What was done so far: number, time, action, address, and the parts of each turn. Subscribe to hear of new ones.",
		"application/json",
	)
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: uriTurn, Name: "turn", Title: "A part of a turn",
		Description: "n is the turn's number; part is dump, capture, picture, call (what was asked), result (what was " +
			"answered, to the byte) or doctor (of a request to a model: its sections, and what is wrong with it).",
	}, s.read)
}

// announce notifies the client of a new turn, where it has subscribed to them.
func (s *clientSession) announce(ctx context.Context, kept bool) {
	if !kept {
		return
	}
	for _, uri := range []string{uriTurns, uriDump, uriCapture} {
		if err := s.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			s.log.Debug("a client was not told of a turn", "session", s.name, "error", err)
		}
	}
}

// read reads a resource.
func (s *clientSession) read(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	s.meet(r.Session)
	if s.session().Name == "" {
		return nil, errLeft
	}
	uri := r.Params.URI
	store, err := s.store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	list, _, err := store.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", s.name, err)
	}
	n, part := 0, ""
	switch uri {
	case uriTurns:
		return s.listed(uri, list)
	case uriDump, uriCapture:
		part = uri[strings.LastIndexByte(uri, '/')+1:]
		for _, t := range slices.Backward(list) {
			if len(t.Lacks) == 0 { // a turn with a page
				n = t.N
				break
			}
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: no page was seen yet: call browse_navigate first", uri)
		}
	default:
		rest, ok := strings.CutPrefix(uri, uriTurns+"/")
		number, name, two := strings.Cut(rest, "/")
		if n, err = strconv.Atoi(number); !ok || !two || err != nil || parts()[name] == "" {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		part = name
	}
	if part == "doctor" {
		return s.examined(ctx, uri, store, n)
	}
	rec, err := store.Load(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	return s.part(uri, rec, part)
}

// part is a part of a turn.
func (s *clientSession) part(uri string, rec *turn.Record, part string) (*sdk.ReadResourceResult, error) {
	out := &sdk.ResourceContents{URI: uri, MIMEType: parts()[part]}
	switch part {
	case "dump":
		doc, err := format.Render(rec.Capture, s.owner.opt.Format, format.Options{Common: dump.Common{MarkCovered: true}})
		if err != nil {
			return nil, err
		}
		out.Text = doc.Text
	case "capture":
		b, err := json.Marshal(rec.Capture)
		if err != nil {
			return nil, fmt.Errorf("writing the capture: %w", err)
		}
		out.Text = string(b)
	case "picture":
		if len(rec.Picture) == 0 {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		out.Blob = rec.Picture
	default:
		way := turn.Answer
		if part == "call" {
			way = turn.Request
		}
		i := slices.IndexFunc(rec.Payloads, func(p turn.Payload) bool { return p.Way == way })
		if i < 0 {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		out.Text, out.MIMEType = string(rec.Payloads[i].Bytes), rec.Payloads[i].Media
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{out}}, nil
}

// examined is what the doctor finds in the request of a turn.
func (s *clientSession) examined(ctx context.Context, uri string, store *turn.Store, n int) (*sdk.ReadResourceResult, error) {
	var found *doctor.Report
	err := export.Examine(ctx, store, nil, []int{n}, func(e export.Examined) error {
		found = e.Report
		return e.Err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	if found == nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	text, err := compact(found)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{
		Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: parts()["doctor"], Text: text}},
	}, nil
}

// listed is the list of turns.
func (s *clientSession) listed(uri string, list []turn.Summary) (*sdk.ReadResourceResult, error) {
	type line struct {
		N      int       `json:"n"`
		Time   time.Time `json:"time"`
		Action string    `json:"action"`
		URL    string    `json:"url,omitempty"`
		Title  string    `json:"title,omitempty"`
		Refs   int       `json:"refs"`
		Parts  []string  `json:"parts"`
	}
	out := struct {
		Session string `json:"session"`
		Turns   []line `json:"turns"`
	}{s.name, []line{}}
	for _, t := range list {
		l := line{t.N, t.Time, t.Action, t.URL, t.Title, t.Counts.Refs, []string{}}
		page := len(t.Lacks) == 0
		ways, readable := map[turn.Way]bool{}, false
		for _, p := range t.Parts {
			ways[p.Way] = true
			readable = readable || p.Way == turn.Request && doctor.Readable(p.Dialect)
		}
		for _, p := range []struct {
			name string
			is   bool
		}{{"dump", page}, {"capture", true}, {"picture", t.HasPicture}, {"call", ways[turn.Request]},
			{"result", ways[turn.Answer]}, {"doctor", readable}} {
			if p.is {
				l.Parts = append(l.Parts, p.name)
			}
		}
		out.Turns = append(out.Turns, l)
	}
	text, err := compact(&out)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{
		Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json", Text: text}},
	}, nil
}
