package observation

import (
	"regexp"
	"slices"
	"strings"
)

// Formats that are HTML: ours (skeleton, hybrid, full, by data-llm-id), BrowserGym's pruned_html (by bid), Skyvern's
// (by unique_id), and whatever else has controls with ids.

var (
	markupTag    = regexp.MustCompile(`(?i)<([a-z][a-z0-9-]*)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>([^<]*)`)
	markupNumber = regexp.MustCompile(`^(?:f\d+_)?\d+$`)
	markupAttr   = regexp.MustCompile(`(?i)(?:^|\s)([a-z_][\w-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?`)
)

// markupControls are the tags that are listed without a ref too.
var markupControls = []string{"a", "button", "input", "select", "textarea", "summary", "option", "h1", "h2", "h3", "h4",
	"h5", "h6", "img"}

// markupVoid are tags that have nothing in them.
var markupVoid = []string{"input", "img", "br", "hr", "area", "embed", "source", "track", "wbr", "col"}

// attributeReader reads the tags that have one of these attributes as their ref, the first that there is. Where the
// attributes are those of our own formats, controls without one are lines too.
func attributeReader(refs ...string) func(string) []Line {
	loose := refs[0] == "data-llm-id"
	return func(s string) []Line {
		var out []Line
		lines := lineCounter{s: s}
		for _, m := range markupTag.FindAllStringSubmatchIndex(s, -1) {
			one := Line{Role: strings.ToLower(s[m[2]:m[3]]), Name: unescape(s[m[6]:m[7]]), Bytes: [2]int{m[0], m[1]}}
			if slices.Contains(markupVoid, one.Role) { // what comes after it is not in it
				one.Name = ""
			}
			found, pages := map[string]string{}, ""
			for _, g := range markupAttr.FindAllStringSubmatch(s[m[4]:m[5]], -1) {
				name := strings.ToLower(g[1])
				if !strings.Contains(g[0], "=") {
					one.States = append(one.States, name) // disabled, checked, required …
				} else if found[name] == "" {
					found[name] = unescape(g[2] + g[3])
				} else if name == "id" { // the first is the program's own
					pages = unescape(g[2] + g[3])
				}
			}
			if loose && !slices.Contains(markupControls, one.Role) && found["data-llm-id"]+found["data-id"] == "" &&
				found["role"] == "" && !markupNumber.MatchString(found["id"]) {
				continue
			}
			for _, name := range refs { // a number, where one of them is one: the page has ids of its own
				if v := found[name]; one.Ref == "" || !markupNumber.MatchString(one.Ref) &&
					markupNumber.MatchString(v) {
					one.Ref = v
				}
			}
			if one.Ref == "" && !loose {
				continue
			}
			for _, name := range []string{"aria-label", "placeholder", "alt", "title", "value", "name"} {
				if v := found[name]; v != "" && (one.Name == "" || name == "aria-label") {
					one.Name = v
				}
			}
			if found["id"] == one.Ref { // it is no attribute of the page's
				delete(found, "id")
			}
			if pages != "" {
				found["id"] = pages
			}
			if one.Attrs = found; len(found) == 0 {
				one.Attrs = nil
			}
			one.First = lines.of(m[0])
			one.Last = one.First + strings.Count(s[m[0]:m[1]], "\n")
			out = append(out, one)
		}
		return out
	}
}
