package element

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Ref is a ref as an agent spelled it.
type Ref struct {
	// Number is the element's number, 0 where the spelling is a node id.
	Number int
	// Snapshot is the number after "s", 0 where there is none: the snapshot that first showed the element.
	// It is decoration: the number alone identifies the element.
	Snapshot int
	// Frame is the number after "f", the place of a child frame in the list of frames; 0 where there is none,
	// and for the main frame. An element that was never seen in that frame is refused.
	Frame int
	// NodeID is DomTool's id, such as nv_1a2b3c4d, or a hash id of dddk, such as eti4l; "" for the others.
	NodeID string
	// Spelled is the ref as it was written, without what surrounds it.
	Spelled string
}

// called names the ref in an error.
func (r Ref) called() string { return "ref " + r.Spelled }

// The spellings of a ref: 12, [12], @e12, e12, s3e12, f0s3e12, f1_12, nv_…, eti4l. A hash id has a digit and a
// letter after its e, which no tag name that a selector may have begins with.
var (
	refPattern  = regexp.MustCompile(`^(?:f(\d{1,9})_?)?(?:s(\d{1,9}))?@?e?(\d{1,9})$`)
	nodePattern = regexp.MustCompile(`^nv_[A-Za-z0-9_]{1,80}(?:-\d{1,9})?$`)
	hashPattern = regexp.MustCompile(`^e(?:\d+[a-z]|[a-z]+\d)[0-9a-z]*(?:-\d{1,9})?$`)
)

// ParseRef reads a ref in any spelling (N-1, D-10, C-5); false for what is none, such as a CSS selector.
// It is the only place that knows the spellings.
func ParseRef(s string) (Ref, bool) {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, "["); ok {
		if inner, ok = strings.CutSuffix(inner, "]"); !ok {
			return Ref{}, false
		}
		s = strings.TrimPrefix(inner, "ref=")
	}
	if id, _, _ := strings.Cut(s, "-"); nodePattern.MatchString(s) || len(id) == 5 && hashPattern.MatchString(s) {
		return Ref{NodeID: s, Spelled: s}, true
	}
	m := refPattern.FindStringSubmatch(s)
	if m == nil {
		return Ref{}, false
	}
	r := Ref{Spelled: s}
	r.Frame, _ = strconv.Atoi(m[1]) // digits, or nothing
	r.Snapshot, _ = strconv.Atoi(m[2])
	r.Number, _ = strconv.Atoi(m[3])
	return r, r.Number > 0
}

// IsRef reports whether a string is a ref.
func IsRef(s string) bool {
	_, ok := ParseRef(s)
	return ok
}

// Number is the number that a ref in any spelling has, 0 for none.
func Number(s string) int {
	r, _ := ParseRef(s)
	return r.Number
}

// Text is a string that may be written as a number in JSON, as refs often are.
type Text string

// UnmarshalJSON reads a string or a number.
func (t *Text) UnmarshalJSON(b []byte) error {
	var n json.Number
	if json.Unmarshal(b, (*string)(t)) == nil && string(b) != "null" {
		return nil
	}
	if err := json.Unmarshal(b, &n); err == nil && n != "" {
		*t = Text(n)
		return nil
	}
	what := "null"
	switch b[0] {
	case '{':
		what = "an object"
	case '[':
		what = "an array"
	case 't', 'f':
		what = "true or false"
	}
	return errors.New("want a string, not " + what)
}

// refText writes a ref as snapshots do.
func refText(generation, ref int) string { return fmt.Sprintf("s%de%d", generation, ref) }
