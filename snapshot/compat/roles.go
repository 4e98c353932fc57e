package compat

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// tagRole is chapter 9 of the seed "DOM extraction architecture": the role attribute
// as it is, else by the type of an input, else by the tag. The seed shows the
// first entries of its two tables and leaves the rest open; the rest is html-aam, and
// a tag that neither knows is its own role.
func tagRole(n *snapshot.Node) string {
	if role := strings.TrimSpace(n.Attr("role")); role != "" {
		return role
	}
	switch n.Tag {
	case "input":
		switch t := strings.ToLower(strings.TrimSpace(n.Attr("type"))); t {
		case "checkbox", "radio":
			return t
		case "button", "submit", "reset", "image":
			return "button"
		case "range":
			return "slider"
		case "number":
			return "spinbutton"
		case "search":
			return "searchbox"
		}
		return "textbox"
	case "a":
		return "link"
	case "button", "summary":
		return "button"
	case "textarea":
		return "textbox"
	case "select":
		return "select"
	case "option":
		return "option"
	}
	return n.Tag
}

// ariaRole is 7.1 of the seed "CDP-Skill": the explicit role, else the implicit one of
// the tag; "" where the element has none, so that it is flattened. Of several tokens
// the first is the role there.
func ariaRole(n *snapshot.Node) string {
	if f := strings.Fields(n.Attr("role")); len(f) > 0 {
		return strings.ToLower(f[0])
	}
	return computedRole(n)
}

// computedRole is the capture's own role.
func computedRole(n *snapshot.Node) string {
	if n.Internals { // which none of the originals reads
		return ""
	}
	switch n.Role {
	case "generic", "none", "presentation":
		return ""
	}
	return n.Role
}
