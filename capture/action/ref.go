package action

import (
	"regexp"
	"strconv"
	"strings"
)

// Ref is a ref as an agent spelled it.
type Ref struct {
	// Number is the element's number, 0 where the spelling is a node id.
	Number int
	// Snapshot is the number after "s", 0 where there is none: which snapshot first
	// showed it. It decorates: the number alone says which element is meant.
	Snapshot int
	// NodeID is DomTool's id, such as nv_1a2b3c4d, "" for the others.
	NodeID string
}

// The spellings of a ref: 12, [12], @e12, e12, s3e12, f0s3e12, f1_12, nv_….
var (
	refPattern  = regexp.MustCompile(`^(?:f\d+_?)?(?:s(\d{1,9}))?@?e?(\d{1,9})$`)
	nodePattern = regexp.MustCompile(`^nv_[A-Za-z0-9_]{1,80}(?:-\d{1,9})?$`)
)

// ParseRef reads a ref in any spelling (N-1, D-10, C-5); false for what is none, such as
// a CSS selector.
func ParseRef(s string) (Ref, bool) {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, "["); ok {
		if inner, ok = strings.CutSuffix(inner, "]"); !ok {
			return Ref{}, false
		}
		s = strings.TrimPrefix(inner, "ref=")
	}
	if nodePattern.MatchString(s) {
		return Ref{NodeID: s}, true
	}
	m := refPattern.FindStringSubmatch(s)
	if m == nil {
		return Ref{}, false
	}
	r := Ref{}
	r.Snapshot, _ = strconv.Atoi(m[1]) // digits, or nothing
	r.Number, _ = strconv.Atoi(m[2])
	return r, r.Number > 0
}
