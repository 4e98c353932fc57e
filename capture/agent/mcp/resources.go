package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// Resources: what the client was shown, as the disk has it. Reading them asks nothing of
// the page and makes no turn.
const (
	uriDump    = "refscope://page/dump"
	uriCapture = "refscope://page/capture"
	uriTurns   = "refscope://session/turns"
	uriSteps   = "refscope://steps"
	uriTurn    = "refscope://session/turns/{n}/{part}"
	uriFiles   = "refscope://files/"

	// Of any session of the home folder, where [Options.ReadSessions] lets clients read those.
	uriSessions     = "refscope://sessions"
	uriSessionTurns = "refscope://sessions/{session}/turns"
	uriSessionTurn  = "refscope://sessions/{session}/turns/{n}/{part}"
	turnsBelow      = "/turns"
	partWords       = "part is dump, capture, picture, call (what was asked: of a recorded agent its request to the " +
		"model), result (what was answered, to the byte); and of a request to a model: sent (the agent's own text of " +
		"the page, as the model was given it), told (that text beside what a person sees), or doctor (its sections, " +
		"what the answer means, and findings)."
)

// parts of a turn that can be read, and their media types.
func parts() map[string]string {
	return map[string]string{
		"dump": "text/plain", "capture": "application/json", "picture": "image/png", "call": "application/json",
		"result": "application/json", "doctor": "application/json", "sent": "text/plain", "told": "application/json",
	}
}

// offer adds the resources to the client's server.
func (s *clientSession) offer() {
	add := func(uri, name, title, what, media string) {
		s.server.AddResource(&sdk.Resource{URI: uri, Name: name, Title: title, Description: what, MIMEType: media},
			s.read)
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
		"What was done so far: number, time, action, address, and the parts of each turn. Subscribe to hear of new "+
			"ones.",
		"application/json",
	)
	add(
		uriSteps, "steps", "The steps of run_steps",
		"The JSON Schema of all steps: what each does and takes, with examples.", "application/json",
	)
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: uriTurn, Name: "turn", Title: "A part of a turn",
		Description: "n is the turn's number; " + partWords,
	}, s.read)
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: uriFiles + "{name}", Name: "file", Title: "A file of an answer",
		Description: "a picture, a snapshot, a PDF or a download that an answer names",
	}, s.read)
	if !s.owner.opt.ReadSessions {
		return
	}
	add(uriSessions, "sessions", "The recorded sessions", "The names of all sessions of the home folder.",
		"application/json")
	for _, t := range []sdk.ResourceTemplate{
		{URITemplate: uriSessionTurns, Name: "session turns", Title: "The turns of a session",
			Description: "session is the name of a recorded session: its turns, and the parts of each."},
		{URITemplate: uriSessionTurn, Name: "session turn", Title: "A part of a turn of a session",
			Description: "session is the name of a recorded session, n the turn's number; " + partWords},
	} {
		s.server.AddResourceTemplate(&t, s.read)
	}
}

// announce notifies the client of a new turn, where it has subscribed to them.
func (s *clientSession) announce(ctx context.Context, kept bool) {
	if !kept {
		return
	}
	for _, uri := range []string{uriTurns, uriDump, uriCapture} {
		if err := s.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			s.log.Debug("a client was not told of a turn", "session", s.Name, "error", err)
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
	if uri == uriSteps {
		return asJSON(uri, step.Schema())
	}
	if strings.HasPrefix(uri, uriFiles) {
		return s.files.read(uri)
	}
	name, turns := s.Name, uriTurns
	if uri == uriSessions || strings.HasPrefix(uri, uriSessions+"/") {
		if !s.owner.opt.ReadSessions {
			return nil, fmt.Errorf("%s: recorded sessions are not read: start refscopectl mcp with --read-sessions",
				uri)
		}
		if uri == uriSessions {
			return s.sessions(uri)
		}
		name, _, _ = strings.Cut(strings.TrimPrefix(uri, uriSessions+"/"), "/")
		if turns = uriSessions + "/" + name + turnsBelow; turn.CheckName(name) != nil {
			return nil, sdk.ResourceNotFoundError(uri)
		}
	}
	store, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	list, _, err := store.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", name, err)
	}
	n, part := 0, ""
	switch uri {
	case turns:
		return s.listed(uri, name, list)
	case uriDump, uriCapture:
		part = uri[strings.LastIndexByte(uri, '/')+1:]
		for _, t := range slices.Backward(list) {
			if !t.Pageless() {
				n = t.N
				break
			}
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: no page was seen yet: call browse_navigate first", uri)
		}
	default:
		rest, ok := strings.CutPrefix(uri, turns+"/")
		number, word, two := strings.Cut(rest, "/")
		if n, err = strconv.Atoi(number); !ok || !two || err != nil || parts()[word] == "" {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		part = word
	}
	if part == "doctor" {
		return s.examined(ctx, uri, store, n)
	}
	rec, err := store.Load(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	if part == "sent" || part == "told" {
		return s.sent(ctx, uri, store, rec, part)
	}
	return s.part(uri, rec, part)
}

// open opens a session: the client's own, which it makes, or a recorded one.
func (s *clientSession) open(ctx context.Context, name string) (*turn.Store, error) {
	if name == s.Name {
		return s.store(ctx)
	}
	store, err := turn.OpenPath(turn.SessionDir(s.owner.opt.HostOptions.Home, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no session %s: %s lists them", name, uriSessions)
	}
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", name, err)
	}
	return store, nil
}

// sessions lists the sessions of the home folder.
func (s *clientSession) sessions(uri string) (*sdk.ReadResourceResult, error) {
	names, err := turn.SessionNames(s.owner.opt.HostOptions.Home)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	return asJSON(uri, &struct {
		Sessions []string `json:"sessions"`
	}{append([]string{}, names...)})
}

// sent is the agent's own text of a turn's request, or that text beside what a person sees.
func (s *clientSession) sent(ctx context.Context, uri string, store *turn.Store, rec *turn.Record, part string) (
	*sdk.ReadResourceResult, error) {
	given, err := inspect.SentAt(ctx, uri, store, rec)
	if err != nil {
		return nil, err
	}
	if part == "sent" {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: parts()[part],
			Text: given.Text.Body()}}}, nil
	}
	told, err := inspect.AuditSent(given, 0)
	if err != nil {
		return nil, err
	}
	return asJSON(uri, told)
}

// asJSON is a resource of JSON.
func asJSON(uri string, v any) (*sdk.ReadResourceResult, error) {
	text, err := compact(v)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{
		Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json", Text: text}},
	}, nil
}

// part is a part of a turn.
func (s *clientSession) part(uri string, rec *turn.Record, part string) (*sdk.ReadResourceResult, error) {
	out := &sdk.ResourceContents{URI: uri, MIMEType: parts()[part]}
	if part == "dump" || part == "capture" {
		if err := target.NeedPage(uri, rec.Capture, rec); err != nil {
			return nil, err
		}
	}
	switch part {
	case "dump":
		doc, err := format.Render(rec.Capture, s.owner.opt.Format,
			format.Options{Common: dump.Common{MarkCovered: true}})
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
func (s *clientSession) examined(ctx context.Context, uri string, store *turn.Store,
	n int) (*sdk.ReadResourceResult, error) {
	var found *doctor.Report
	err := export.Examine(ctx, store, &tokens.Counter{}, []int{n}, func(e export.Examined) error {
		found = e.Report
		return e.Err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	if found == nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	return asJSON(uri, found)
}

// listed is the list of turns.
func (s *clientSession) listed(uri, name string, list []turn.Summary) (*sdk.ReadResourceResult, error) {
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
	}{name, []line{}}
	for _, t := range list {
		l := line{t.N, t.Time, t.Action, t.URL, t.Title, t.Counts.Refs, []string{}}
		page := !t.Pageless()
		ways, readable := map[turn.Way]bool{}, doctor.Asks(t.Parts)
		if !page && readable {
			l.URL = "" // it is that of the request
		}
		for _, p := range t.Parts {
			ways[p.Way] = true
		}
		for _, p := range []struct {
			name string
			is   bool
		}{{"dump", page}, {"capture", page}, {"picture", t.HasPicture}, {"call", ways[turn.Request]},
			{"result", ways[turn.Answer]}, {"sent", readable}, {"told", readable && page},
			{"doctor", readable}} {
			if p.is {
				l.Parts = append(l.Parts, p.name)
			}
		}
		out.Turns = append(out.Turns, l)
	}
	return asJSON(uri, &out)
}
