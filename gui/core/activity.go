package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// maxActivity is how many rows of one kind the Turn side shows; the last has how many more
// there are.
const maxActivity = 2000

// TurnActivity is what a turn records besides its page: the request, its outcome, and the
// page's messages meanwhile. It is immutable and made away from the main goroutine.
type TurnActivity struct {
	Steps []ActivityStep
	// Rows are all of it, to be read: the steps as cards, then console and dialogs.
	Rows *Rows
	// Texts are the steps and the answer as JSON, those that there are.
	Texts []ActivityText
	// Failed is how many steps failed.
	Failed        int
	before, after []Row // of Rows, those above and below the dialogs
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
	// With are its other parameters, in few words, such as text “Buy”; "" for none.
	With string
	// Downloads are the files that the page gave to be saved, in words.
	Downloads []string
	// Point is where it was clicked, CSS px of the viewport; nil if unknown.
	Point *[2]float64
}

// ActivityPart names a text of the Turn side.
type ActivityPart string

const (
	// ActivityList is the list of what happened.
	ActivityList   ActivityPart = ""
	ActivitySteps  ActivityPart = "steps"
	ActivityAnswer ActivityPart = "answer"
)

// ActivityText is one text of the Turn side.
type ActivityText struct {
	Part ActivityPart
	Doc  *dump.Document
}

// NewTurnActivity reads the activity of a turn. steps and answer are JSON, of our own steps (row C-1)
// or of another agent's file in that shape, and may be nil; what cannot be read as such
// is shown and yields no steps.
func NewTurnActivity(c *snapshot.Capture, steps, answer []byte) *TurnActivity {
	t := &TurnActivity{Steps: readSteps(steps, answer)}
	var rows []Row
	got := answered(answer)
	for i := range t.Steps {
		var a *answeredStep
		if i < len(got) {
			a = &got[i]
		}
		rows = append(rows, t.Steps[i].card(i+1, a, c))
		if t.Steps[i].failed() {
			t.Failed++
		}
	}
	rows = append(headed("Before, while the page could not be read", beforeSteps(steps, c)), headed("Steps", rows)...)
	var console, missing []Row
	for _, e := range c.Console {
		where := age(e.Age)
		if e.URL != "" {
			where = text.Line(e.URL) + ":" + strconv.Itoa(e.Line) + ", " + where
		}
		console = append(console, Row{Lead: text.Cut(text.Line(e.Level), 12), Tone: consoleTone(e.Level),
			Title: text.Line(e.Text), Body: where})
	}
	for _, f := range c.Failed {
		missing = append(missing, Row{Lead: text.Cut(text.Line(f.Layer), 24), Tone: ToneWarn, Title: text.Line(f.Why)})
	}
	t.before, t.after = append(rows, headed("Console", console)...), headed("Not captured", missing)
	t.Rows = t.with(c.Dialogs)
	t.json(ActivitySteps, steps)
	t.json(ActivityAnswer, answer)
	return t
}

// Since are the rows of the activity of c with the dialogs that opened after that time alone: one of an earlier turn is
// none of this one's. Nil where there is nothing.
func (t *TurnActivity) Since(c *snapshot.Capture, before time.Time) *Rows {
	list := c.DialogsSince(before)
	if len(list) == len(c.Dialogs) {
		return t.Rows
	}
	return t.with(list)
}

// with are the rows with these dialogs.
func (t *TurnActivity) with(list []snapshot.Dialog) *Rows {
	var dialogs []Row
	for _, d := range list {
		how := "Dismissed"
		if d.Accepted {
			how = "Accepted"
		}
		dialogs = append(dialogs, Row{Lead: text.Cut(text.Line(d.Type), 16), Tone: ToneWarn,
			Title: text.Line(d.Message), Body: how + ", opened " + age(d.Age)})
	}
	if rows := slices.Concat(t.before, headed("Dialogs", dialogs), t.after); len(rows) > 0 {
		return NewRows(rows)
	}
	return nil
}

// headed are rows under a heading with their number, nil for none.
func headed(title string, rows []Row) []Row {
	n := len(rows)
	if n == 0 {
		return nil
	}
	if n > maxActivity {
		rows = append(rows[:maxActivity:maxActivity],
			Row{Tone: ToneMuted, Title: text.Count(n-maxActivity, "more row", "more rows")})
	}
	return append([]Row{{Kind: RowHead, Title: title, Cells: []string{text.Thousands(n)}}}, rows...)
}

func (s *ActivityStep) failed() bool { return s.Status == "error" || s.Error != "" }

// card is a step with its outcome; a is its answer, nil for none, and c the page afterwards,
// which names the element.
func (s *ActivityStep) card(n int, a *answeredStep, c *snapshot.Capture) Row {
	r := Row{Kind: RowCard, Tone: ToneGood, Title: fmt.Sprintf("%d · %s", n, text.Cut(text.Line(s.Action), 40))}
	if s.With != "" {
		r.Title += " " + s.With
	}
	var body []string
	add := func(words string) { body = append(body, text.Cut(text.Line(words), 600)) }
	switch {
	case s.failed():
		r.Tone = ToneBad
		r.Title += " failed"
		add(OrNone(s.Error, "The answer gives no reason."))
		if s.Subtype != "" {
			add("Kind: " + s.Subtype)
		}
	case s.Status == "":
		r.Tone = ToneNormal
	case s.Status != "ok":
		r.Tone = ToneMuted
		r.Title += " " + text.Cut(text.Line(s.Status), 16)
	}
	if s.Warning != "" {
		if r.Tone != ToneBad {
			r.Tone = ToneWarn
		}
		add("Warning: " + s.Warning)
	}
	body = append(body, s.Downloads...)
	if s.Selector != "" {
		add("Selector: " + s.Selector)
	}
	if s.Point != nil {
		add(fmt.Sprintf("Click point: %s, %s", Px(s.Point[0]), Px(s.Point[1])))
	}
	if s.Ref > 0 {
		chip := RowChip{Ref: s.Ref, Msg: ChangePicked{Node: -1, Ref: s.Ref}}
		if n := c.ByRef(s.Ref); n != nil {
			chip.Text = why.Describe(n)
		}
		r.Chips = append(r.Chips, chip)
	}
	if a != nil && a.Context != nil {
		for _, e := range a.Context.VisibleErrors {
			add("On the page: " + e)
		}
		for _, f := range a.Context.FailedRequests {
			add(fmt.Sprintf("Request failed: %s (%s)", f.URL, OrNone(f.Why, strconv.Itoa(f.Status))))
		}
		for _, m := range a.Context.NearMatches {
			chip := RowChip{Text: "near: " + text.Cut(text.Line(m.Text), 60)}
			if ref := refForm.FindStringSubmatch(m.Ref); ref != nil {
				chip.Ref, _ = strconv.Atoi(ref[1]) // at most nine digits
				chip.Msg = PickOf(-1, chip.Ref)
			}
			r.Chips = append(r.Chips, chip)
		}
	}
	r.Body = strings.Join(body, "\n")
	return r
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

func age(ms float64) string { return fmt.Sprintf("%.1f s before the capture", max(0, ms)/1000) }

// json adds JSON as it is read best, or as it is where it is none.
func (t *TurnActivity) json(part ActivityPart, b []byte) {
	if len(b) == 0 {
		return
	}
	var out bytes.Buffer
	pretty := text.Visible(string(b))
	if json.Indent(&out, b, "", "  ") == nil { // which JSON can spell out itself, without another backslash
		pretty = text.JSON(out.String())
	}
	d := &dump.Document{Format: FormatPretty, Text: pretty}
	d.Lines = wrap(nil, pretty, 0, len(pretty), 0, true, BodyColumns)
	t.Texts = append(t.Texts, ActivityText{Part: part, Doc: d})
}

// answeredStep is the part of an answer's step that is read.
type answeredStep struct {
	Action  string          `json:"action"`
	Status  string          `json:"status"`
	Error   json.RawMessage `json:"error"`
	Subtype string          `json:"subtype"`
	Warning string          `json:"warning"`
	Params  json.RawMessage `json:"params"`
	Output  json.RawMessage `json:"output"`
	// Downloads are as capture/step writes them.
	Downloads []struct {
		Name, Path, State string
		Bytes             int64
	} `json:"downloads"`
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

// beforeSteps are cards of the steps since the turn before that have no turn, as one that opened a dialog.
func beforeSteps(steps []byte, c *snapshot.Capture) []Row {
	var asked struct {
		Before []map[string]json.RawMessage `json:"before"`
	}
	if len(steps) == 0 || json.Unmarshal(steps, &asked) != nil {
		return nil
	}
	var rows []Row
	for i, m := range asked.Before {
		var s ActivityStep
		s.asked(m)
		rows = append(rows, s.card(i+1, nil, c))
	}
	return rows
}

// readSteps are the steps that were requested, with what was answered to each.
func readSteps(steps, answer []byte) []ActivityStep {
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
		s.With = stepWords(m["params"])
		s.point(m["point"])
		return
	}
	for key, params := range m { // there is one such key
		if key != "optional" && key != "timeout" && (s.Action == "" || key < s.Action) {
			s.Action = key
			s.Ref, s.Selector = 0, ""
			s.target(params)
			s.With = stepWords(params)
		}
	}
}

// maxWith and maxWithValue bound the parameters of a step in words, in characters.
const (
	maxWith      = 160
	maxWithValue = 60
)

// stepWords are the parameters of a step, in their order, but those that say which element is
// meant, which the card names, and lists and objects, which the JSON has.
func stepWords(params json.RawMessage) string {
	scalar := func(raw json.RawMessage) string {
		var s string
		switch {
		case len(raw) == 0 || strings.ContainsRune("[{n", rune(raw[0])):
		case json.Unmarshal(raw, &s) == nil:
			return "“" + text.Cut(text.Line(s), maxWithValue) + "”"
		default:
			return text.Cut(text.Line(string(raw)), maxWithValue)
		}
		return ""
	}
	params = bytes.TrimSpace(params)
	d := json.NewDecoder(bytes.NewReader(params))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		if err != nil || refForm.Match(bytes.Trim(params, `"`)) || string(params) == "true" {
			return ""
		}
		return scalar(params)
	}
	var words []string
	for d.More() {
		key, err := d.Token()
		var raw json.RawMessage
		if err != nil || d.Decode(&raw) != nil {
			break
		}
		switch name, _ := key.(string); name {
		case "ref", "selector", "x", "y", "timeout":
		default:
			if word := scalar(raw); word != "" {
				words = append(words, text.Cut(text.Line(name), 24)+" "+word)
			}
		}
	}
	return text.Cut(strings.Join(words, ", "), maxWith)
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
	if s.With == "" {
		s.With = stepWords(a.Params)
	}
	for _, d := range a.Downloads {
		what := "Downloads"
		switch d.State {
		case "completed":
			what = "Downloaded"
		case "canceled":
			what = "Did not download"
		}
		words := fmt.Sprintf("%s %s, %s", what, text.Cut(text.Line(d.Name), 120), text.Bytes(d.Bytes))
		if d.Path != "" {
			words += ", to " + text.Cut(text.Line(d.Path), 300)
		}
		s.Downloads = append(s.Downloads, words+".")
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

// ActionPoints are where steps acted. They are immutable.
type ActionPoints struct {
	Points []ActionPoint
	// After: the picture of the turn shows the same part of the same page, so the points
	// lie right on it too. They always lie right on the picture of the turn before.
	After bool
}

// ActionPoint is where one step acted, in image px of the picture.
type ActionPoint struct {
	X, Y float64
	// Label is such as "click", with its number where there are several; "" draws no word.
	Label string
	// Lands: nothing speaks against it; else it is drawn as what went wrong.
	Lands bool
	// Aimed: where it clicked is unknown; this is the click point of the element that
	// it named.
	Aimed bool
}

// Spent is which model answered a turn, how long that took, and the tokens in and out, as far as that is known.
func Spent(q *conversation.Story) []string {
	var out []string
	if q.Model != "" {
		out = append(out, q.Model)
	}
	switch {
	case q.Took >= time.Minute:
		out = append(out, q.Took.Round(time.Second).String())
	case q.Took >= 50*time.Millisecond: // less was never the time of a model
		out = append(out, fmt.Sprintf("%.1f s", q.Took.Seconds()))
	}
	if q.Usage.Input > 0 {
		out = append(out, text.Count(q.Usage.Input, "token in", "tokens in"))
	}
	if q.Usage.Output > 0 {
		out = append(out, text.Thousands(q.Usage.Output)+" out")
	}
	if q.Usage.Cost > 0 {
		out = append(out, Dollars(q.Usage.Cost))
	}
	return out
}

// Dollars is an amount in US dollars, as finely as it is small.
func Dollars(v float64) string {
	if v < 0.1 {
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}
