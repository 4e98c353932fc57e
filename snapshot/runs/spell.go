package runs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// speller spells actions with the role and name of their elements in place of numbers, which
// differ from session to session.
type speller struct {
	number func(string) int
	page   *snapshot.Capture // that the numbers are of; nil for none
	// asked is what the doctor read in the turn's request: where that lists the page, the numbers of the answer are the
	// agent's own, and mean what its text says. nil for a turn without a request.
	asked *doctor.Report
	// shown: numbers stand beside their elements, for people; they do not count where runs are compared.
	shown bool
}

// steps are the actions of the steps of a turn, one line each.
func (s speller) steps(raw []byte) []string {
	var doc struct {
		Tool      string          `json:"tool"`
		Arguments any             `json:"arguments"`
		Action    json.RawMessage `json:"action"`
		Steps     []any           `json:"steps"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &doc) != nil {
		return nil
	}
	var out []string
	for _, step := range doc.Steps {
		out = append(out, s.value("", step))
	}
	switch {
	case len(out) > 0:
	case doc.Tool != "":
		out = append(out, doc.Tool+" "+s.value("", doc.Arguments))
	case len(doc.Action) > 0:
		var action any
		_ = json.Unmarshal(doc.Action, &action) // a part of what could be read
		out = append(out, s.value("", action))
	}
	return out
}

// looks are tools and steps that only look; a run that looks once more has not parted.
var looks = regexp.MustCompile(`^(?:(?:browser?_|browse_)?(?:snapshot|take_screenshot|screenshot)\b|\{"?(?:snapshot|` +
	`screenshot|snapshotSearch|query|console)"?:)`)

// failed begins what stands for an answer that is an error of the vendor's: no decision of the agent.
const failed = "error: "

// answer are the actions of a model's answer, or else its text.
func (s speller) answer(p *turn.Payload) []string {
	if slices.Contains(wire.Models(), p.Dialect) {
		a, err := wire.ReadAnswer(p.Dialect, p.Bytes)
		switch {
		case err != nil:
			return []string{"an answer that cannot be read"}
		case a.Error != "":
			return []string{failed + steady(a.Error)}
		}
		return s.said(a)
	}
	var doc any
	if json.Unmarshal(p.Bytes, &doc) != nil {
		return []string{s.prose(string(p.Bytes))}
	}
	m, ok := doc.(map[string]any)
	switch {
	case !ok:
		return []string{s.value("", doc)}
	case m["name"] != nil && m["arguments"] != nil: // a call of a tool
		return []string{fmt.Sprint(m["name"], " ", s.value("", m["arguments"]))}
	}
	return []string{s.decision(m)}
}

// decision is what an answer in JSON decides: its action and its status, not what it says
// about them.
func (s speller) decision(m map[string]any) string {
	var out []string
	for _, key := range []string{"action", "actions", "tool", "arguments", "steps", "status", "result", "answer"} {
		if v, ok := m[key]; ok {
			out = append(out, s.value(key, v))
		}
	}
	if len(out) == 0 {
		return s.value("", m)
	}
	return strings.Join(out, " ")
}

// said is what a model answered: its calls, or an action in its text, or its text.
func (s speller) said(a *wire.Answer) []string {
	var out []string
	for _, c := range a.Calls {
		var args any
		if json.Unmarshal(c.Arguments, &args) != nil {
			args = string(c.Arguments)
		}
		out = append(out, c.Name+" "+s.value("", args))
	}
	if len(out) > 0 {
		return out
	}
	var m map[string]any
	if from, to := strings.IndexByte(a.Text, '{'), strings.LastIndexByte(a.Text, '}'); from >= 0 && from < to &&
		json.Unmarshal([]byte(a.Text[from:to+1]), &m) == nil && len(m) > 0 {
		return []string{s.decision(m)}
	}
	return []string{s.prose(a.Text)}
}

// prose is text without an action.
func (s speller) prose(t string) string { return text.Cut(s.calls(steady(t)), 2000) }

// value spells a JSON value on one line, members in the order of their names.
func (s speller) value(key string, v any) string {
	switch v := v.(type) {
	case map[string]any:
		var out []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, k+": "+s.value(k, v[k]))
		}
		return "{" + strings.Join(out, ", ") + "}"
	case []any:
		out := make([]string, len(v))
		for i := range v {
			out[i] = s.value(key, v[i])
		}
		return "[" + strings.Join(out, ", ") + "]"
	case float64:
		if n := int(v); wire.HoldsElement(key) && float64(n) == v {
			return cmp.Or(s.ref(strconv.Itoa(n)), strconv.Itoa(n))
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		plainNumber := strings.IndexFunc(v, func(r rune) bool { return r < '0' || r > '9' }) < 0
		if !plainNumber || wire.HoldsElement(key) {
			if e := s.ref(v); e != "" {
				return e
			}
		}
		return text.Quote(s.calls(steady(v)))
	}
	return fmt.Sprint(v)
}

// call is an action in words: click(7), setValue(5, "Ada"). Two numbers, as in click(314, 384), are a place.
var call = regexp.MustCompile(`\b([a-zA-Z_]\w*)\((?:@?e)?(\d+)(\s*,\s*-?\d+(?:\.\d+)?\s*[,)])?`)

// calls puts elements in the place of the numbers of calls.
func (s speller) calls(t string) string {
	return call.ReplaceAllStringFunc(t, func(found string) string {
		m := call.FindStringSubmatch(found)
		if e := s.ref(m[2]); e != "" && m[1] != "wait" && m[3] == "" {
			return m[1] + "(" + e
		}
		return found
	})
}

// ref is the element that a spelled number is of, "" for none: by the text that the model was given, and where it was
// given none, by the numbers of the session.
func (s speller) ref(spelled string) string {
	out, number := "", wire.SpelledRef(spelled)
	if given := s.given(); given != nil || s.asked != nil && s.asked.Dialect == wire.MCP {
		out = s.told(number, given)
	} else if n := s.number(spelled); n > 0 {
		out = s.element(n)
	}
	if out != "" && s.shown {
		return text.Cut(number, 24) + " " + out
	}
	return out
}

// given is what the model knew of the page, nil for nothing.
func (s speller) given() *observation.Text {
	if s.asked == nil {
		return nil
	}
	return s.asked.Knows()
}

// told is the element with a number of the agent's own: the one of the page, else what the text says of it.
func (s speller) told(ref string, given *observation.Text) string {
	if ref == "" {
		return ""
	}
	for _, t := range s.asked.Targets {
		if n := s.page.Node(t.Node); t.Ref == ref && n != nil {
			return s.spelled(n)
		}
	}
	if given == nil {
		return ""
	}
	lines := given.ByRef(ref)
	if len(lines) == 0 {
		return ""
	}
	if n := s.page.Node(lines[0].Node); n != nil {
		return s.spelled(n)
	}
	same, place := 0, 0
	for i := range given.Lines {
		if l := &given.Lines[i]; l.Role == lines[0].Role && l.Name == lines[0].Name {
			if same++; l.Ref == lines[0].Ref {
				place = same
			}
		}
	}
	return among(steady(name(&snapshot.Node{Role: cmp.Or(lines[0].Role, "element"), Name: lines[0].Name})), place, same)
}

// element is the element with a number by role and name, and where others have both, the
// place among them; "" where there is none.
func (s speller) element(n int) string {
	if s.page == nil || n <= 0 {
		return ""
	}
	if node := s.page.ByRef(n); node != nil {
		return s.spelled(node)
	}
	return ""
}

func (s speller) spelled(node *snapshot.Node) string {
	spelled, same, place := steady(name(node)), 0, 0
	for i := range s.page.Nodes {
		o := &s.page.Nodes[i]
		if o.Verdict.Kept() && o.Role == node.Role && o.Tag == node.Tag && steady(name(o)) == spelled {
			if same++; o == node {
				place = same
			}
		}
	}
	return among(spelled, place, same)
}

// among is an element, with its place among those that are called the same.
func among(spelled string, place, of int) string {
	if of > 1 {
		return fmt.Sprintf("<%s, %d of %d>", spelled, place, of)
	}
	return "<" + spelled + ">"
}
