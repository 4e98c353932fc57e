package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Which fields of a body hold a password, a code or a card whatever it looks like (B-11,
// N-10). They are known by their names and kinds, in the spellings of the agents that
// Refscope reads:
//
//	"password":"…"                             a JSON member, also apiKey, #password, authorization
//	{"selector":"#password","value":"…"}       a step or a node about such a field: its value, v
//	{"type":"password","value":"…"}            likewise, and its text
//	<input type="password" value="…" />        HTML and dddk; the content of a meta tag
//	@e13 [password] "…" value="…"              Wraith
//	password=…&                                a form
//	…; name="password"↵↵…↵--                   a part of a multipart body (RFC 7578)
//	- textbox "Password": "…"                  ARIA snapshots, also without quotes
//
// "code", "session" and "token" counts are no secrets here: requests are full of them. The names are those of names.go.

// Quotes, braces and equal signs are frequent in any text and are looked for by hand:
// patterns take some microseconds for each.
const jsonString = `"((?:[^"\\]|\\.)*)"`

var (
	tagPattern    = regexp.MustCompile(`<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>`)
	attrPattern   = regexp.MustCompile(`\s([\w.:-]+)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'<>]+))`)
	wraithPattern = regexp.MustCompile(`\[password\] +` + jsonString + `[^\n]*`)
	ariaPattern   = regexp.MustCompile(`- (?:textbox|searchbox|spinbutton) ` + jsonString +
		`((?: \[[^\]\n]*\])*): *(?:` + jsonString + `|([^\n"]+))`)
)

// eachField calls see with the values of such fields in a text, in no order.
func eachField(s string, see func(from, to int)) {
	add := func(from, to int) {
		if from >= 0 && to > from {
			see(from, to)
		}
	}
	eachMember(s, func(m member) {
		if secretName(s[m.key[0]:m.key[1]]) {
			add(m.value[0], m.value[1])
		}
	})
	eachObject(s, func(members []member) { inObject(s, members, add) })
	eachPart(s, func(m member) {
		if secretName(s[m.key[0]:m.key[1]]) {
			add(m.value[0], m.value[1])
		}
	})
	eachFormField(s, func(m member) {
		if secretName(s[m.key[0]:m.key[1]]) {
			add(m.value[0], m.value[1])
		}
	})
	for _, t := range tagPattern.FindAllStringIndex(s, -1) {
		inTag(s[t[0]:t[1]], t[0], add)
	}
	for _, m := range wraithPattern.FindAllStringSubmatchIndex(s, -1) {
		add(m[2], m[3])
		const kind = " type=password "
		inTag(kind+s[m[3]+1:m[1]], m[3]+1-len(kind), add)
	}
	for _, m := range ariaPattern.FindAllStringSubmatchIndex(s, -1) {
		if secretName(s[m[2]:m[3]]) {
			add(m[6], m[7])
			add(m[8], m[9])
		}
	}
}

// signs are where vendors' signatures of what a model thought lie in a text, in order.
type signs [][2]int

// signs finds the signatures by which a vendor knows its model's own reasoning again. An agent sends them back with
// each request, so they are no secrets of anybody:
//
//	{"type":"thinking","thinking":"…","signature":"…"}   Anthropic, and the event of a stream that has one
//	{"type":"reasoning.text","signature":"…"}            OpenRouter
//	{"reasoningText":{"text":"…","signature":"…"}}       Bedrock; reasoningContent in a stream
//	{"functionCall":{…},"thoughtSignature":"…"}          Gemini; thought_signature where it speaks OpenAI's dialect
func (q search) signs(s string) signs {
	if !q.fields || !strings.Contains(s, `ignature"`) {
		return nil
	}
	var out signs
	eachObject(s, func(members []member) {
		var at [2]int
		is := ofReasoning.MatchString(s[max(0, members[0].key[0]-40):members[0].key[0]])
		for _, m := range members {
			switch value := s[m.value[0]:m.value[1]]; s[m.key[0]:m.key[1]] {
			case "type":
				is = is || value == "thinking" || value == "signature_delta" || value == "reasoning.text"
			case "signature":
				at = m.value
			case "thoughtSignature", "thought_signature":
				out = append(out, m.value)
			}
		}
		if is && at[1] > at[0] {
			out = append(out, at)
		}
	})
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

// ofReasoning is what stands before the first name in an object in which Bedrock has reasoning.
var ofReasoning = regexp.MustCompile(`"reasoning(?:Text|Content)"\s*:\s*\{\s*"$`)

// hold reports whether a stretch lies in one of them.
func (l signs) hold(from, to int) bool {
	i, _ := slices.BinarySearchFunc(l, from, func(at [2]int, from int) int { return at[1] - 1 - from })
	return i < len(l) && l[i][0] <= from && to <= l[i][1]
}

// inObject finds the values of the members of a JSON object that is about a secret field.
func inObject(s string, members []member, add func(from, to int)) {
	named, kind := false, false
	var values, texts []member
	for _, m := range members {
		value, key := s[m.value[0]:m.value[1]], s[m.key[0]:m.key[1]]
		if (!m.number || len(value) >= leastNumber) && secretName(key) {
			add(m.value[0], m.value[1])
		}
		switch key {
		case "type", "role", "r", "inputType", "autocomplete":
			kind = kind || secretKind(value)
		case "selector", "label", "name", "n", "field", "id", "placeholder", "ariaLabel", "aria-label":
			named = named || secretName(value)
		case "value", "v":
			values = append(values, m)
		case "text":
			texts = append(texts, m)
		}
	}
	if named || kind {
		for _, m := range values {
			add(m.value[0], m.value[1])
		}
	}
	if kind {
		for _, m := range texts {
			add(m.value[0], m.value[1])
		}
	}
}

// inTag finds the value of a tag that is a secret field.
func inTag(s string, at int, add func(from, to int)) {
	secret := false
	var values [][2]int
	for _, m := range attrPattern.FindAllStringSubmatchIndex(s, -1) {
		from, to := max(m[4], m[6], m[8]), max(m[5], m[7], m[9]) // the others are -1
		switch strings.ToLower(s[m[2]:m[3]]) {
		case "type", "autocomplete":
			secret = secret || secretKind(s[from:to])
		case "name", "id", "property", "itemprop":
			secret = secret || secretName(s[from:to])
		case "value", "content":
			values = append(values, [2]int{at + from, at + to})
		default:
			if DataSecret(s[m[2]:m[3]], s[from:to]) != "" {
				add(at+from, at+to)
			}
		}
	}
	if secret {
		for _, v := range values {
			add(v[0], v[1])
		}
	}
}

// secretKind reports whether a field of that type, role or autocomplete token holds a
// secret (HTML, autofill detail tokens).
func secretKind(s string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(s)) {
		if slices.Contains([]string{"password", "current-password", "new-password", "one-time-code",
			"cc-number", "cc-csc"},
			word) {
			return true
		}
	}
	return false
}

// secretName reports whether a field of that name, label or selector holds a secret.
func secretName(s string) bool { return SecretName(unescaped(s), InBody) != "" }

// Looking for JSON members, JSON objects and form fields in text that may hold anything
// else. No quote or brace is trusted to have a partner: a stray one costs what follows it
// nothing. All of them take time in proportion to the text.

// member is a name and its value, byte offsets without the quotes.
type member struct {
	key, value [2]int
	number     bool
}

// leastNumber is how many characters a number has at least that is a code.
const leastNumber = 3

// maxName is how long the name of a field may be, in bytes.
const maxName = 100

// eachMember calls see with each member whose value is a string.
func eachMember(s string, see func(member)) {
	for at := strings.IndexByte(s, '"'); at >= 0; {
		var m member
		next := at + 1
		end := quoteEnd(s, at)
		if end > 0 {
			next = end - 1 // its closing quote may open a string
			if open := valueAt(s, end); open > 0 && end-at-2 <= maxName && end-at > 2 {
				if close := quoteEnd(s, open); close > 0 {
					m = member{key: [2]int{at + 1, end - 1}, value: [2]int{open + 1, close - 1}}
					see(m)
					next = close
				}
			}
		}
		i := strings.IndexByte(s[next:], '"')
		if i < 0 || end < 0 {
			return
		}
		at = next + i
	}
}

// quoteEnd is the offset behind the string that begins at open, -1 where none ends.
func quoteEnd(s string, open int) int {
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// valueAt is where the string begins that is the value of a key that ends at end, 0 for
// none.
func valueAt(s string, end int) int {
	i := skipSpace(s, end)
	if i >= len(s) || s[i] != ':' {
		return 0
	}
	if i = skipSpace(s, i+1); i >= len(s) || s[i] != '"' {
		return 0
	}
	return i
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// eachObject calls see with the members of each JSON object whose value is a string or number, those of objects in it
// left out. Only what is written as JSON is an object: between the quotes of a text whose escapes were undone, a brace
// begins none that goes beyond what it is part of. A stray brace costs what follows it nothing.
func eachObject(s string, see func([]member)) {
	type frame struct {
		list    bool
		members []member
		key     [2]int // that a value is awaited for
		keyed   bool
	}
	var open []frame
	i, last := strings.IndexByte(s, '{'), -1 // last: where the string before i begins
	restart := func() bool {                 // with the next brace, also one in what was taken for a string
		open = open[:0]
		if last >= 0 {
			i, last = last+1, -1
		}
		next := strings.IndexByte(s[min(i, len(s)):], '{')
		i += next
		return next >= 0
	}
	if i < 0 {
		return
	}
	for i < len(s) {
		top := len(open) - 1
		c := s[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++
			continue
		case c == '{' && top >= 0 && !open[top].list && !open[top].keyed: // no key: what was open was no object
			open = append(open[:0], frame{})
			i++
			continue
		case c == '{', c == '[' && top >= 0 && (open[top].list || open[top].keyed):
			if top >= 0 {
				open[top].keyed = false
			}
			open = append(open, frame{list: c == '['})
			i++
			continue
		case top < 0:
		case c == '}' && !open[top].list && !open[top].keyed, c == ']' && open[top].list:
			if len(open[top].members) > 0 {
				see(open[top].members)
			}
			open, last = open[:top], -1
			i++
			if top == 0 && !restart() {
				return
			}
			continue
		case c == ',' && !open[top].keyed:
			i++
			continue
		case c == '"':
			end := quoteEnd(s, i)
			if end < 0 {
				return
			}
			last = i
			inner := [2]int{i + 1, end - 1}
			i = end
			switch f := &open[top]; {
			case f.list:
				continue
			case f.keyed:
				f.keyed = false
				f.members = append(f.members, member{key: f.key, value: inner})
				continue
			default:
				if colon := skipSpace(s, end); colon < len(s) && s[colon] == ':' {
					f.key, f.keyed = inner, true
					i = colon + 1
					continue
				}
			}
		case open[top].list || open[top].keyed:
			end := i
			for end < len(s) && (wordLike(s[end]) || strings.IndexByte("+-.", s[end]) >= 0) {
				end++
			}
			if end > i {
				if f := &open[top]; f.keyed && (s[i] == '-' || s[i] >= '0' && s[i] <= '9') {
					f.members = append(f.members, member{key: f.key, value: [2]int{i, end}, number: true})
				}
				open[top].keyed = false
				i = end
				continue
			}
		}
		if !restart() {
			return
		}
	}
}

// eachFormField calls see with each name=value of a form, at the start or after &. After
// white space it would be an attribute.
func eachFormField(s string, see func(member)) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '=')
		if i < 0 {
			return
		}
		eq := at + i
		at = eq + 1
		from := eq
		for from > 0 && eq-from <= maxName && isFormName(s[from-1]) {
			from--
		}
		to := eq + 1
		for to < len(s) && strings.IndexByte("& \t\r\n\"'<>\\", s[to]) < 0 {
			to++
		}
		if from < eq && to > eq+1 && (from == 0 || s[from-1] == '&') {
			see(member{key: [2]int{from, eq}, value: [2]int{eq + 1, to}})
			at = to
		}
	}
}

// eachPart calls see with each field of a multipart body that is a text.
func eachPart(s string, see func(member)) {
	const begin = `name="`
	for at := 0; ; {
		i := strings.Index(s[at:], begin)
		if i < 0 {
			return
		}
		from := at + i + len(begin)
		at = from
		n := strings.IndexByte(s[from:min(len(s), from+maxName+1)], '"')
		if n < 0 {
			continue
		}
		to := -1 // behind the empty line that ends the part's headers
		for _, end := range []string{"\r\n\r\n", "\n\n"} {
			k := strings.Index(s[from:min(len(s), from+maxHeaders)], end)
			if behind := from + k + len(end); k >= 0 && (to < 0 || behind < to) {
				to = behind
			}
		}
		if to < 0 || strings.Contains(s[from:to], "filename=") {
			continue
		}
		last := strings.Index(s[to:], "\n--")
		if last < 0 {
			continue
		}
		see(member{key: [2]int{from, from + n}, value: [2]int{to, len(strings.TrimSuffix(s[:to+last], "\r"))}})
		at = to + last
	}
}

// maxHeaders is how far the headers of a part of a multipart body are followed, in bytes.
const maxHeaders = 500

func isFormName(c byte) bool {
	return wordLike(c) || c >= utf8.RuneSelf || strings.IndexByte("_.-[]%", c) >= 0
}

// IsContentAttribute reports whether an attribute is withheld with its element: not if it describes how the element is
// built, by the same rule as the collector (BUILD_ATTRIBUTE in js/sensitive.js).
func IsContentAttribute(name string) bool {
	switch name {
	case "aria-label", "aria-description", "aria-valuetext", "aria-valuenow", "aria-placeholder",
		"aria-roledescription":
		return true
	case "id", "class", "role", "type", "name", "tabindex", "for", "form", "method", "lang", "dir",
		"hidden", "disabled",
		"readonly", "required", "checked", "multiple", "autocomplete", "inputmode", "maxlength",
		"minlength", "rows", "cols",
		"size", "width", "height", "target", "rel", "part", "slot", "is", "draggable", "contenteditable", "open":
		return false
	}
	return !strings.HasPrefix(name, "aria-")
}

// IsWordAttribute reports whether an attribute's value is a word of HTML or a small number, which nothing that is
// withheld changes: by the same rule as the collector (WORD_ATTRIBUTE and PLAIN_WORD in js/sensitive.js).
func IsWordAttribute(name, value string) bool {
	switch name {
	case "id", "class", "name", "for", "form", "part", "slot", "is", "aria-labelledby", "aria-describedby",
		"aria-controls", "aria-owns", "aria-details", "aria-flowto", "aria-activedescendant", "aria-errormessage",
		"aria-keyshortcuts":
		return false
	}
	return !IsContentAttribute(name) && htmlWord.MatchString(value)
}

var htmlWord = regexp.MustCompile(`(?i)^([a-z][a-z -]*|\d{1,4}%?)$`)
