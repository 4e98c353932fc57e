package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// FormatActivity names the texts of the Turn side that are not JSON. No capture renders to it.
const FormatActivity dump.Format = "activity"

// maxActivity is how many lines of one list the Turn side shows; the last line says how many
// more there are.
const maxActivity = 2000

// TurnActivity is what a turn records besides its page: what was asked to be done, what came of it,
// what the page said meanwhile. It is immutable and made away from the main goroutine.
type TurnActivity struct {
	Steps []ActivityStep
	// Texts are the texts of the Turn side that have something in them.
	Texts []ActivityText
	// Failed is how many steps failed.
	Failed int
}

// ActivityStep is one step of what was asked.
type ActivityStep struct {
	Action string
	// Status is ok, error, skipped or unknown; "" where nothing was answered.
	Status string
	// Error and Subtype are those of a failed step, Warning of one that went well.
	Error, Subtype, Warning string
	// Ref is the number of the element that was meant, Selector its selector; 0 and ""
	// where the step named none.
	Ref      int
	Selector string
	// Point is where it was clicked, CSS px of the viewport; nil where that is not told.
	Point *[2]float64
}

// ActivityPart names a text of the Turn side.
type ActivityPart string

const (
	ActivityErrors  ActivityPart = "errors"
	ActivitySteps   ActivityPart = "steps"
	ActivityAnswer  ActivityPart = "answer"
	ActivityConsole ActivityPart = "console"
	ActivityDialogs ActivityPart = "dialogs"
)

// ActivityText is one text of the Turn side.
type ActivityText struct {
	Part  ActivityPart
	Count int // of things in it, 0 where that says nothing
	Doc   *dump.Document
	Tones *LineTones
}

// Title is what its chip says.
func (t ActivityText) Title() string {
	if t.Count > 0 {
		return string(t.Part) + " " + text.Thousands(t.Count)
	}
	return string(t.Part)
}

// NewTurnActivity reads what a turn tells. steps and answer are JSON, of our own steps (row C-1)
// or of another agent's file in that shape, and may be nil; what cannot be read as such
// is shown and yields no steps.
func NewTurnActivity(c *snapshot.Capture, steps, answer []byte) *TurnActivity {
	t := &TurnActivity{Steps: ReadSteps(steps, answer)}
	errs := newList()
	got := answered(answer)
	for i, s := range t.Steps {
		if s.Status == "error" || s.Error != "" {
			t.Failed++
			errs.add(ToneBad, fmt.Sprintf("✗ step %d, %s: %s", i+1, text.Cut(text.Line(s.Action), 40), OrNone(s.Error, "it failed")))
			if s.Subtype != "" {
				errs.add(ToneNormal, "    "+s.Subtype)
			}
		}
		if s.Warning != "" {
			errs.add(ToneWarn, fmt.Sprintf("! step %d, %s: %s", i+1, text.Cut(text.Line(s.Action), 40), s.Warning))
		}
		if i < len(got) {
			diagnostics(errs, &got[i])
		}
	}
	console, dialogs := newList(), newList()
	for _, e := range c.Console {
		text := consoleLine(e)
		if e.Level == "error" {
			errs.add(ToneBad, "✗ console: "+text)
		}
		console.add(consoleTone(e.Level), e.Level+": "+text)
	}
	for _, f := range c.Failed {
		errs.add(ToneWarn, "! not read: "+f.Layer+", "+f.Why)
	}
	for _, d := range c.Dialogs {
		how := "dismissed"
		if d.Accepted {
			how = "accepted"
		}
		dialogs.add(ToneWarn, fmt.Sprintf("%s: %s (%s, %s)", d.Type, text.Line(d.Message), how, age(d.Age)))
	}
	t.text(ActivityErrors, errs, t.Failed+CountErrors(c)+len(c.Failed))
	t.json(ActivitySteps, steps, len(t.Steps))
	t.json(ActivityAnswer, answer, 0)
	t.text(ActivityConsole, console, len(c.Console))
	t.text(ActivityDialogs, dialogs, len(c.Dialogs))
	return t
}

func consoleTone(level string) Tone {
	switch level {
	case "error":
		return ToneBad
	case "warning", "warn":
		return ToneWarn
	}
	return ToneNormal
}

func consoleLine(e snapshot.ConsoleEntry) string {
	s := text.Line(e.Text)
	where := age(e.Age)
	if e.URL != "" {
		where = text.Line(e.URL) + ":" + strconv.Itoa(e.Line) + ", " + where
	}
	return s + "  (" + where + ")"
}

func age(ms float64) string { return fmt.Sprintf("%.1f s before", max(0, ms)/1000) }

// list is a text of lines that is being written.
type list struct {
	*column
	more int
}

func newList() *list { return &list{column: NewColumn()} }

// add writes a line, which becomes one of safe characters.
func (l *list) add(tone Tone, content string) {
	if len(l.Doc.Lines) == maxActivity {
		l.more++
		return
	}
	indent := len(content) - len(strings.TrimLeft(content, " "))
	for _, line := range folded(text.Cut(text.Line(content), 4000), activityColumns-indent) {
		l.column.Add(content[:indent]+line, nil, -1, tone)
		indent = min(4, len(content))
		content = "    " // what goes on is set in
	}
}

// activityColumns is where lines of the Turn side are folded, in characters.
const activityColumns = 54

// folded cuts a line at blanks, or within words that are longer than a line.
func folded(s string, columns int) []string {
	var out []string
	for r := []rune(s); ; {
		if len(r) <= columns {
			return append(out, string(r))
		}
		at := columns
		for at > columns/2 && r[at] != ' ' {
			at--
		}
		if r[at] != ' ' {
			at = columns
		}
		out = append(out, string(r[:at]))
		if r = r[at:]; r[0] == ' ' {
			r = r[1:]
		}
	}
}

func (t *TurnActivity) text(part ActivityPart, l *list, count int) {
	if len(l.Doc.Lines) == 0 {
		return
	}
	if l.more > 0 {
		l.column.Add(fmt.Sprintf("… and %s", text.Count(l.more, "more line", "more lines")), nil, -1, ToneNormal)
	}
	x := ActivityText{Part: part, Count: count}
	x.Doc, x.Tones = l.Done()
	x.Doc.Format = FormatActivity
	t.Texts = append(t.Texts, x)
}

// json adds JSON as it is read best, or as it is where it is none.
func (t *TurnActivity) json(part ActivityPart, b []byte, count int) {
	if len(b) == 0 {
		return
	}
	var out bytes.Buffer
	pretty := string(b)
	if json.Indent(&out, b, "", "  ") == nil {
		pretty = out.String()
	}
	pretty = text.Visible(pretty)
	d := &dump.Document{Format: FormatPretty, Text: pretty}
	d.Lines = wrap(nil, pretty, 0, len(pretty), 0, true)
	t.Texts = append(t.Texts, ActivityText{Part: part, Count: count, Doc: d})
}

// answeredStep is one step of an answer, as far as it is read.
type answeredStep struct {
	Action  string          `json:"action"`
	Status  string          `json:"status"`
	Error   json.RawMessage `json:"error"`
	Subtype string          `json:"subtype"`
	Warning string          `json:"warning"`
	Params  json.RawMessage `json:"params"`
	Output  json.RawMessage `json:"output"`
	Context *struct {
		VisibleErrors []string `json:"visibleErrors"`
		NearMatches   []struct {
			Text string `json:"text"`
			Ref  string `json:"ref"`
		} `json:"nearMatches"`
		FailedRequests []struct {
			URL    string `json:"url"`
			Status int    `json:"status"`
			Why    string `json:"error"`
		} `json:"failedRequests"`
	} `json:"context"`
}

func answered(answer []byte) []answeredStep {
	var a struct {
		Steps []answeredStep `json:"steps"`
	}
	if json.Unmarshal(answer, &a) != nil {
		return nil
	}
	return a.Steps
}

// ReadSteps are the steps that were asked for, with what was answered to each.
func ReadSteps(steps, answer []byte) []ActivityStep {
	var asked struct {
		Steps []map[string]json.RawMessage `json:"steps"`
	}
	if len(steps) > 0 && json.Unmarshal(steps, &asked) != nil {
		return nil
	}
	got := answered(answer)
	out := make([]ActivityStep, 0, max(len(asked.Steps), len(got)))
	for i := range max(len(asked.Steps), len(got)) {
		var s ActivityStep
		if i < len(asked.Steps) {
			s.asked(asked.Steps[i])
		}
		if i < len(got) {
			s.got(&got[i])
		}
		out = append(out, s)
	}
	return out
}

// asked reads {"click": …, "optional": true} or {"action": "click", "params": …}.
func (s *ActivityStep) asked(m map[string]json.RawMessage) {
	if raw, ok := m["action"]; ok && json.Unmarshal(raw, &s.Action) == nil && s.Action != "" {
		s.target(m["params"])
		s.point(m["point"])
		return
	}
	for key, params := range m { // there is one such key
		if key != "optional" && key != "timeout" && (s.Action == "" || key < s.Action) {
			s.Action = key
			s.Ref, s.Selector = 0, ""
			s.target(params)
		}
	}
}

func (s *ActivityStep) got(a *answeredStep) {
	if s.Action == "" {
		s.Action = a.Action
	}
	s.Status, s.Subtype, s.Warning = a.Status, a.Subtype, a.Warning
	s.Error = errorText(a.Error)
	if s.Ref == 0 && s.Selector == "" {
		s.target(a.Params)
	}
	var out struct {
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if json.Unmarshal(a.Output, &out) == nil && len(out.Coordinates) > 0 {
		s.point(out.Coordinates)
	}
}

// errorText is an error that is a string, or an object with a message.
func errorText(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Message != "" {
		return object.Message
	}
	return string(raw)
}

// refForm is how an agent spells a number: e12, s3e12.
var refForm = regexp.MustCompile(`^(?:s\d{1,9})?e(\d{1,9})$`)

// target reads which element was meant: "s1e4", or an object with ref or selector.
func (s *ActivityStep) target(params json.RawMessage) {
	var word string
	var object struct {
		Ref      json.RawMessage `json:"ref"`
		Selector string          `json:"selector"`
		X        *float64        `json:"x"`
		Y        *float64        `json:"y"`
	}
	if json.Unmarshal(params, &word) != nil {
		if json.Unmarshal(params, &object) != nil {
			return
		}
		s.Selector = object.Selector
		if object.X != nil && object.Y != nil {
			s.Point = &[2]float64{*object.X, *object.Y}
		}
		if json.Unmarshal(object.Ref, &word) != nil {
			var n int
			if json.Unmarshal(object.Ref, &n) == nil && n > 0 {
				s.Ref = n
			}
			return
		}
	}
	if m := refForm.FindStringSubmatch(word); m != nil {
		s.Ref, _ = strconv.Atoi(m[1]) // at most nine digits
	}
}

func (s *ActivityStep) point(raw json.RawMessage) {
	var p struct {
		X *float64 `json:"x"`
		Y *float64 `json:"y"`
	}
	if json.Unmarshal(raw, &p) == nil && p.X != nil && p.Y != nil {
		s.Point = &[2]float64{*p.X, *p.Y}
	}
}

// diagnostics adds what the answer says around the failure of a step.
func diagnostics(l *list, a *answeredStep) {
	if a.Context == nil {
		return
	}
	for _, e := range a.Context.VisibleErrors {
		l.add(ToneWarn, "    the page says: "+e)
	}
	for _, n := range a.Context.NearMatches {
		l.add(ToneNormal, "    near: "+strings.TrimSpace(n.Ref+" "+n.Text))
	}
	for _, r := range a.Context.FailedRequests {
		l.add(ToneWarn, fmt.Sprintf("    request failed: %s (%s)", r.URL, OrNone(r.Why, strconv.Itoa(r.Status))))
	}
}
