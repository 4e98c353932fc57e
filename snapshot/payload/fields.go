package payload

import (
	"regexp"
	"slices"
	"strings"
)

// Which fields of a body hold a password, a code or a card whatever it looks like (B-11,
// N-10). They are known by their names and kinds, in the spellings of the agents that
// Refscope reads:
//
//	"password":"…"                             a JSON member, also apiKey, #password, authorization
//	{"selector":"#password","value":"…"}       a step or a node about such a field: its value, v
//	{"type":"password","value":"…"}            likewise, and its text
//	<input type="password" value="…" />        HTML and dddk
//	@e13 [password] "…" value="…"              Wraith
//	password=…&                                a form
//	- textbox "Password": "…"                  ARIA snapshots, also without quotes
//
// "code", "session" and "token" counts are no secrets here: requests are full of them.

// fieldFinder finds the values of such fields. It is immutable. What is frequent in any
// text, quotes, braces and equal signs, is looked for by hand (scan.go): patterns take
// some microseconds for each.
type fieldFinder struct {
	tag, attr, wraith, aria *regexp.Regexp
}

func newFieldFinder() *fieldFinder {
	const str = `"((?:[^"\\]|\\.)*)"`
	return &fieldFinder{
		tag:    regexp.MustCompile(`<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>`),
		attr:   regexp.MustCompile(`\s([a-zA-Z-]+)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'<>]+))`),
		wraith: regexp.MustCompile(`\[password\] +` + str + `[^\n]*`),
		aria:   regexp.MustCompile(`- (?:textbox|searchbox|spinbutton) ` + str + `((?: \[[^\]\n]*\])*): *(?:` + str + `|([^\n"]+))`),
	}
}

// putField is the mark of a field's value.
const putField = "[redacted: field]"

// find lists the values in the text, in no order.
func (f *fieldFinder) find(s string) []found {
	var out []found
	add := func(from, to int) {
		if from >= 0 && to > from {
			out = append(out, found{from, to, putField})
		}
	}
	eachMember(s, func(m member) {
		if secretName(s[m.key[0]:m.key[1]]) {
			add(m.value[0], m.value[1])
		}
	})
	eachObject(s, func(from, to int) { inObject(s[from:to], from, add) })
	eachFormField(s, func(m member) {
		if secretName(s[m.key[0]:m.key[1]]) {
			add(m.value[0], m.value[1])
		}
	})
	for _, t := range f.tag.FindAllStringIndex(s, -1) {
		f.inTag(s[t[0]:t[1]], t[0], add)
	}
	for _, m := range f.wraith.FindAllStringSubmatchIndex(s, -1) {
		add(m[2], m[3])
		const kind = " type=password "
		f.inTag(kind+s[m[3]+1:m[1]], m[3]+1-len(kind), add)
	}
	for _, m := range f.aria.FindAllStringSubmatchIndex(s, -1) {
		if secretName(s[m[2]:m[3]]) {
			add(m[6], m[7])
			add(m[8], m[9])
		}
	}
	return out
}

// inObject finds the values of a JSON object without objects in it that is about a
// secret field. at is where it stands.
func inObject(s string, at int, add func(from, to int)) {
	named, kind := false, false
	var values, texts []member
	eachMember(s, func(m member) {
		value := s[m.value[0]:m.value[1]]
		switch s[m.key[0]:m.key[1]] {
		case "type", "role", "r", "inputType", "autocomplete":
			kind = kind || secretKind(value)
		case "selector", "label", "name", "n", "field", "id", "placeholder", "ariaLabel", "aria-label":
			named = named || secretName(value)
		case "value", "v":
			values = append(values, m)
		case "text":
			texts = append(texts, m)
		}
	})
	if named || kind {
		for _, m := range values {
			add(at+m.value[0], at+m.value[1])
		}
	}
	if kind {
		for _, m := range texts {
			add(at+m.value[0], at+m.value[1])
		}
	}
}

// inTag finds the value of a tag that is a secret field.
func (f *fieldFinder) inTag(s string, at int, add func(from, to int)) {
	secret := false
	var values [][2]int
	for _, m := range f.attr.FindAllStringSubmatchIndex(s, -1) {
		from, to := max(m[4], m[6], m[8]), max(m[5], m[7], m[9]) // the others are -1
		switch strings.ToLower(s[m[2]:m[3]]) {
		case "type", "autocomplete":
			secret = secret || secretKind(s[from:to])
		case "name", "id":
			secret = secret || secretName(s[from:to])
		case "value":
			values = append(values, [2]int{at + from, at + to})
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
		if slices.Contains([]string{"password", "current-password", "new-password", "one-time-code", "cc-number", "cc-csc"}, word) {
			return true
		}
	}
	return false
}

// secretName reports whether a field of that name, label or selector holds a secret.
// What a mark in it says is no part of it.
func secretName(s string) bool {
	if before, rest, ok := strings.Cut(s, "[redacted"); ok {
		_, after, _ := strings.Cut(rest, "]")
		return secretName(before + " " + after)
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, s)
	switch name {
	case "pwd", "pin", "otp", "cvc", "cvv", "cvv2", "csc", "auth", "authorization", "cookie", "setcookie", "credential", "credentials", "signature":
		return true
	case "accesskey": // HTML's, which is a letter
		return false
	}
	for _, part := range []string{"password", "passwd", "passphrase", "passcode", "secret", "apikey", "accesskey", "privatekey", "authkey",
		"cardnumber", "ccnumber", "securitycode", "onetimecode", "onetimepassword"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "token")
}
