package readback

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// The HTML formats: skeleton, hybrid and full. What is between < and > is all the
// format's own, so a start tag can be found without a parser.

// tag is one start tag of an HTML format.
type tag struct {
	name  string
	attrs map[string]string // unescaped
	after string            // the rest of its line
}

// tags lists the start tags of a line. Between < and > everything is the format's own.
func tags(line string) []tag {
	start := regexp.MustCompile(`<([a-z][a-z0-9._-]*)((?: [^ "<>=]+(?:="[^"<>]*")?)*)(?: /)?>`)
	attribute := regexp.MustCompile(` ([^ "<>=]+)(?:="([^"<>]*)")?`)
	var out []tag
	for _, m := range start.FindAllStringSubmatchIndex(line, -1) {
		t := tag{name: strings.TrimPrefix(line[m[2]:m[3]], "html-"), attrs: map[string]string{}, after: line[m[1]:]}
		for _, a := range attribute.FindAllStringSubmatch(line[m[4]:m[5]], -1) {
			t.attrs[a[1]] = unescapeHTML(a[2])
		}
		out = append(out, t)
	}
	return out
}

// unescapeHTML restores the page's characters, but for what the other formats do not
// print: no-break spaces as such, and soft hyphens.
func unescapeHTML(s string) string {
	return strings.NewReplacer("\u00a0", " ", "\u00ad", "").Replace(text.Restored(html.UnescapeString(s)))
}

// number is the ref number in an id, 0 for another id.
func number(id string) int {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '_')+1:])
	if err != nil {
		return 0
	}
	return n
}

// readSkeleton reads a skeleton or the text of hybrid.
func readSkeleton(text string) ([]Said, error) {
	var out []Said
	for i, line := range strings.Split(text, "\n") {
		ts := tags(line)
		if len(ts) == 0 {
			if strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "<!--") && !strings.HasPrefix(line, "</") {
				return nil, fmt.Errorf("line %d is none of the format: %q", i+1, line)
			}
			continue
		}
		t := ts[0]
		ref := number(t.attrs["id"])
		if ref == 0 {
			continue
		}
		s := Said{Ref: ref, Line: i, Roles: t.roles(), Value: t.value(), States: map[string]bool{}}
		if label, ok := t.attrs["aria-label"]; ok {
			label = strings.Join(strings.Fields(label), " ")
			s.Name = &label
		}
		for _, name := range [...]string{"disabled", "inert", "required", "readonly"} {
			_, s.States[name] = t.attrs[name]
		}
		for _, name := range [...]string{"checked", "selected", "pressed", "expanded"} {
			_, bare := t.attrs[name]
			s.States[name] = bare || t.attrs["aria-"+name] == "true"
		}
		s.States["mixed"] = t.attrs["aria-checked"] == "mixed" || t.attrs["aria-pressed"] == "mixed"
		inner, _, closed := strings.Cut(t.after, "</")
		switch inner = unescapeHTML(inner); {
		case !closed:
		case t.name == "textarea":
			inner = strings.Join(strings.Fields(inner), " ")
			s.Value = &inner
		case inner != "" && len(s.Roles) > 0 && widget(s.Roles[0]):
			s.Text = &inner
		}
		out = append(out, s)
	}
	return out, nil
}

// readFull reads the numbered tags of full. Those that a pattern replaces are not in the
// text: render with NoTemplates for all.
func readFull(text string) ([]Said, error) {
	var out []Said
	for i, line := range strings.Split(text, "\n") {
		for _, t := range tags(line) {
			id, ok := t.attrs["data-id"]
			ref := number(id)
			if !ok || ref == 0 {
				continue
			}
			s := Said{Ref: ref, Line: i, Within: true, Roles: t.roles(), Value: t.value(), States: map[string]bool{}}
			if kind := t.attrs["type"]; t.name == "input" && (kind == "checkbox" || kind == "radio") {
				_, s.States["checked"] = t.attrs["checked"]
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// roles are those that the tag may mean, nil where the page's role attribute, of
// which HTML need not make anything, decides.
func (t *tag) roles() []string {
	if t.attrs["role"] != "" || !slices.Contains([]string{"a", "button", "select", "textarea", "input"}, t.name) {
		return nil
	}
	if _, list := t.attrs["list"]; list {
		return nil
	}
	return tagRoles(t.name, strings.ToLower(strings.TrimSpace(t.attrs["type"])))
}

// value is the value of a text field, nil for other elements.
func (t *tag) value() *string {
	if t.name != "input" {
		return nil
	}
	switch strings.ToLower(strings.TrimSpace(t.attrs["type"])) {
	case "checkbox", "radio", "submit", "reset", "button", "image", "hidden", "file":
		return nil
	}
	v := strings.Join(strings.Fields(t.attrs["value"]), " ")
	return &v
}
