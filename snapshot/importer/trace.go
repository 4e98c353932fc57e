package importer

import (
	"encoding/json"
	"strings"
)

// A Playwright trace, as its tracing writes it (versions 3 to 10, Playwright 1.14 to 1.65):
//
//	trace.trace, 0-trace.trace …   events, one JSON object a line
//	test.trace                     events of the test runner, where there is one
//	….network, ….stacks            requests and source lines: not read
//	resources/SHA1                 pictures until version 8, and much else
//	screencast/PAGE-TIME.jpeg      pictures since version 9
//
// Times are ms of a clock of its own; "context-options" gives one moment on it
// (monotonicTime) and in the world (wallTime, ms since 1970).
//
// The events that are read:
//
//	context-options  version, origin, browserName, playwrightVersion, options.viewport
//	before           an action begins: callId, class, method, params, startTime
//	input            it reached its element: point, box (from 9 on), CSS px
//	after            it ended: endTime, error, result
//	action           all of that in one, until version 4 (in "metadata" until 3)
//	log              what Playwright did: callId, message (in after.log until 5)
//	frame-snapshot   a document: html, frameUrl, viewport, and which moment of which
//	                 action it is: callId and phase, or until 8 snapshotName, which
//	                 beforeSnapshot, inputSnapshot and afterSnapshot of the action name
//	screencast-frame a picture: pageId, width, height in CSS px, sha1 or file
//	console, event   console lines, dialogs
//	error            an error of the test runner
//
// In a snapshot an element is ["TAG", {attributes}, children …], a text is a string, and
// [[n, k]] is node k of the snapshot of the same frame n snapshots ago, counted in
// post-order without references. Live form state is in attributes that begin with
// __playwright. Sources: the files trace.ts and snapshot.ts of microsoft/playwright
// (Apache-2.0), and traces recorded with version 1.65.1.

const (
	traceSuffix = ".trace"
	traceOldest = 3
	traceNewest = 10
)

// event is a line of a trace, all kinds in one.
type event struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Origin  string `json:"origin"`

	BrowserName       string `json:"browserName"`
	PlaywrightVersion string `json:"playwrightVersion"`
	Options           struct {
		Viewport *sizeOf `json:"viewport"`
	} `json:"options"`
	WallTime      float64 `json:"wallTime"`
	MonotonicTime float64 `json:"monotonicTime"`

	eventAction
	Time      float64 `json:"time"`
	Timestamp float64 `json:"timestamp"`
	// Message is text in a log and an error.
	Message string `json:"message"`

	// Of console.
	MessageType string `json:"messageType"`
	Text        string `json:"text"`
	Location    struct {
		URL  string `json:"url"`
		Line int    `json:"lineNumber"`
	} `json:"location"`

	// Of screencast-frame.
	SHA1   string  `json:"sha1"`
	File   string  `json:"file"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`

	// Of object, until version 4.
	GUID        string          `json:"guid"`
	Initializer json.RawMessage `json:"initializer"`

	Snapshot *eventSnapshot `json:"snapshot"`
	Metadata *eventAction   `json:"metadata"`
}

type sizeOf struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// eventAction is the data of before, input, after and action.
type eventAction struct {
	CallID    string          `json:"callId"`
	StepID    string          `json:"stepId"`
	ID        string          `json:"id"` // in metadata
	Class     string          `json:"class"`
	Kind      string          `json:"type"` // the class, in metadata
	Method    string          `json:"method"`
	Title     string          `json:"title"`
	APIName   string          `json:"apiName"`
	Params    json.RawMessage `json:"params"`
	PageID    string          `json:"pageId"`
	StartTime float64         `json:"startTime"`
	EndTime   float64         `json:"endTime"`
	Error     json.RawMessage `json:"error"`
	Result    json.RawMessage `json:"result"`
	Log       []string        `json:"log"`
	Point     *pointOf        `json:"point"`
	Box       *boxOf          `json:"box"`
	Internal  bool            `json:"internal"`

	BeforeSnapshot string `json:"beforeSnapshot"`
	InputSnapshot  string `json:"inputSnapshot"`
	AfterSnapshot  string `json:"afterSnapshot"`
	Snapshots      []struct {
		Title string `json:"title"`
		Name  string `json:"snapshotName"`
	} `json:"snapshots"`
}

type pointOf struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type boxOf struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// eventSnapshot is a document of a frame-snapshot.
type eventSnapshot struct {
	CallID    string          `json:"callId"`
	Phase     string          `json:"phase"`
	Name      string          `json:"snapshotName"`
	PageID    string          `json:"pageId"`
	FrameID   string          `json:"frameId"`
	FrameURL  string          `json:"frameUrl"`
	Timestamp float64         `json:"timestamp"`
	Main      bool            `json:"isMainFrame"`
	Viewport  sizeOf          `json:"viewport"`
	HTML      json.RawMessage `json:"html"`
}

// The moments of an action that a snapshot can be of.
const (
	phaseBefore = "before"
	phaseInput  = "action"
	phaseAfter  = "after"
)

// moment is the name under which the documents of one moment are found.
func moment(callID, phase string) string { return callID + "\x00" + phase }

// action is one call of Playwright's API.
type action struct {
	eventAction
	began, ended bool
	runner       bool // of the test runner
	logs         []string
	base         *clock
	secret       string // why what it typed is withheld, "" where it is not
	typed        string // what it typed
}

// name is the action in one word.
func (a *action) name() string {
	switch {
	case a.Class != "" && a.Method != "":
		return a.Class + "." + a.Method
	case a.Title != "":
		return a.Title
	case a.APIName != "":
		return a.APIName
	}
	return a.Method
}

// moments are the names of the action's snapshots, the most telling first.
func (a *action) moments() []string {
	or := func(name, phase string) string {
		if name != "" {
			return name
		}
		return moment(a.CallID, phase)
	}
	return []string{or(a.AfterSnapshot, phaseAfter), or(a.InputSnapshot, phaseInput), or(a.BeforeSnapshot, phaseBefore)}
}

// fold merges a later event's data about the action.
func (a *action) fold(e *eventAction) {
	for _, f := range []struct {
		to   *string
		from string
	}{{&a.StepID, e.StepID}, {&a.Class, e.Class}, {&a.Method, e.Method}, {&a.Title, e.Title}, {&a.APIName, e.APIName},
		{&a.PageID, e.PageID},
		{&a.BeforeSnapshot, e.BeforeSnapshot}, {&a.InputSnapshot, e.InputSnapshot},
		{&a.AfterSnapshot, e.AfterSnapshot}} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if e.StartTime != 0 {
		a.StartTime = e.StartTime
	}
	if e.EndTime != 0 {
		a.EndTime = e.EndTime
	}
	if len(e.Params) > 0 {
		a.Params = e.Params
	}
	if len(e.Error) > 0 {
		a.Error = e.Error
	}
	if len(e.Result) > 0 {
		a.Result = e.Result
	}
	if e.Point != nil {
		a.Point = e.Point
	}
	if e.Box != nil {
		a.Box = e.Box
	}
	for _, s := range e.Snapshots {
		switch s.Title {
		case "before":
			a.BeforeSnapshot = s.Name
		case "input", "action":
			a.InputSnapshot = s.Name
		case "after":
			a.AfterSnapshot = s.Name
		}
	}
	a.logs = append(a.logs, e.Log...)
}

// ofPage reports whether calls of the class are about a page.
func (a *action) ofPage() bool {
	switch a.Class {
	case "Page", "Frame", "ElementHandle", "JSHandle", "Locator":
		return true
	}
	return a.Class == "" && (strings.HasPrefix(a.APIName, "page.") || strings.HasPrefix(a.APIName, "frame.") ||
		strings.HasPrefix(a.APIName, "locator."))
}
