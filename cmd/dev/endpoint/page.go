package endpoint

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/observation"
)

// request is the part of an AgentInteractRequest that the endpoint reads.
type request struct {
	URL        string    `json:"url"`
	Query      string    `json:"query"`
	TaskID     string    `json:"taskId"`
	Mode       string    `json:"domMode"`
	Tree       []element `json:"interactiveTree"`
	Skeleton   string    `json:"skeletonDom"`
	Scroll     string    `json:"scroll_position"`
	LastStatus string    `json:"lastActionStatus"`
	LastError  *struct {
		Message, Code string
	} `json:"lastActionError"`
	LastResult *struct {
		ActualState string `json:"actualState"`
	} `json:"lastActionResult"`
	Verified *bool           `json:"verification_passed"`
	Says     string          `json:"verification_message"`
	Picture  json.RawMessage `json:"screenshot"`
}

// element is one thing on the page that can be operated, as the semantic tree or the
// skeleton has it.
type element struct {
	ID       string `json:"i"`
	Role     string `json:"r"`
	Name     string `json:"n"`
	Value    string `json:"v"`
	State    string `json:"s"` // words with commas between them
	Covered  bool   `json:"occ"`
	Scroller *struct {
		More bool `json:"h"`
	} `json:"scr"`

	// Of the skeleton alone.
	kind     string // the type of an input
	field    string // its name, autocomplete and placeholder
	options  []string
	required bool
}

// is reports whether a state holds.
func (e *element) is(state string) bool {
	for s := range strings.SplitSeq(e.State, ",") {
		if strings.TrimSpace(s) == state {
			return true
		}
	}
	return false
}

// elements reads a skeleton, which is flat HTML of the controls: see snapshot/format/markup/skeleton.go.
func elements(skeleton string) []element {
	var out []element
	for _, l := range observation.ReadAs(observation.HTML, skeleton).Lines {
		has := func(state string) bool { return slices.Contains(l.States, state) }
		if l.Role == "option" {
			if n := len(out); n > 0 && out[n-1].Role == "sel" {
				out[n-1].options = append(out[n-1].options, l.Name)
				if has("selected") {
					out[n-1].Value = l.Name
				}
			}
			continue
		}
		if l.Ref == "" {
			continue
		}
		_, editable := l.Attrs["contenteditable"]
		e := element{ID: l.Ref, Name: first(l.Name), Value: l.Attrs["value"], kind: strings.ToLower(l.Attrs["type"]),
			field:    strings.Join([]string{l.Attrs["name"], l.Attrs["autocomplete"], l.Attrs["placeholder"]}, " "),
			required: has("required")}
		e.Role = role(l.Role, e.kind, l.Attrs["role"], editable || has("contenteditable"))
		for _, s := range []string{"disabled", "checked", "readonly"} {
			if has(s) {
				e.State += "," + s
			}
		}
		out = append(out, e)
	}
	return out
}

// role is that of a skeleton's element in the words of the semantic tree.
func role(tag, kind, role string, editable bool) string {
	switch {
	case role == "button":
		return "btn"
	case role == "checkbox":
		return "chk"
	case role == "textbox" || role == "searchbox" || editable:
		return "inp"
	case role != "":
		return role
	case tag == "select":
		return "sel"
	case tag == "textarea":
		return "inp"
	case tag == "button":
		return "btn"
	case tag == "a":
		return "link"
	case tag != "input":
		return tag
	}
	switch kind {
	case "submit", "button", "image", "reset":
		return "btn"
	case "checkbox":
		return "chk"
	case "radio":
		return "radio"
	}
	return "inp"
}

// first is the first text that is not empty.
func first(list ...string) string {
	for _, s := range list {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			return s
		}
	}
	return ""
}

// page is the request's content about the page, by the name that is looked for.
func (q *request) page() []element {
	if q.Skeleton != "" {
		return elements(q.Skeleton)
	}
	return q.Tree
}

// resumed reports whether the client has resumed an interrupted task.
func (q *request) resumed() bool {
	return q.LastResult != nil && strings.HasPrefix(q.LastResult.ActualState, "the task was resumed")
}

// called finds what a person calls by a name, of the given roles (none: any): the whole
// name before a part of it, what can be operated before what cannot. nil for nothing.
func called(list []element, name string, roles ...string) *element {
	var best *element
	score := 0
	want := strings.ToLower(first(name))
	for i := range list {
		e := &list[i]
		if len(roles) > 0 && !slices.Contains(roles, e.Role) {
			continue
		}
		have := strings.ToLower(first(e.Name))
		s := 0
		switch {
		case have == want:
			s = 4
		case want != "" && strings.Contains(have, want):
			s = 2
		}
		if s > 0 && !e.is("disabled") {
			s++
		}
		if s > score {
			best, score = e, s
		}
	}
	return best
}
