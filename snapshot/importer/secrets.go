package importer

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/redact"
)

// Which fields hold secrets. The collector decides it in the page, in
// capture/collect/js/sensitive.js; no page is here, so the same words are looked for in
// what a file says of a field. TestSecretWords holds the two lists together.
const (
	secretName = `(^|[-_ .[])(cvv2?|cvc2?|csc|cvn|otp|totp|mfa|2fa|pin|passcode|passwd|password|pwd|passphrase)([-_ .\]]|\d|$)|card.?(number|num|no)\b|cc.?num|one.?time.?(code|pass)|security.?code|verification.?code|(auth|login|sms|access).?code`
	// The words of a label that are not ASCII stand apart: \b knows no other letters.
	secretLabel = `\b(password|passphrase|passcode|pin|otp|cvv2?|cvc2?|csc)\b|\b(security|verification|authentication|one[- ]time|confirmation|access|sms|2fa|login) (code|password|pin)\b|\bcard number\b|\b(kennwort|passwort|mot de passe|contraseña|senha|wachtwoord|parola|hasło)\b|пароль|密码|パスワード|비밀번호|卡号|kartennummer|numéro de (la )?carte|número de (la )?tarjeta`
	notSecret   = `post(al|code)|zip|pincode|promo|coupon|voucher|discount|gift|country|area|dial|product|item|search|hint|reminder|strength`
	tokenName   = `token|csrf|xsrf|nonce|secret|session|passw|api.?key|viewstate|credential|assertion|saml`
	plainAuto   = `\b(postal-code|country|tel|name|given-name|family-name|email|username|street-address|organization|bday)`
)

// secretWords are the patterns above, compiled.
type secretWords struct{ name, label, not, token, plain, strong, split *regexp.Regexp }

func newSecretWords() secretWords {
	fold := func(p string) *regexp.Regexp { return regexp.MustCompile("(?i)" + p) }
	return secretWords{
		name: fold(secretName), label: fold(secretLabel), not: fold(notSecret), token: fold(tokenName), plain: fold(plainAuto),
		strong: fold(`passw|pwd|cvv|cvc|csc`), split: regexp.MustCompile(`([a-z])([A-Z])`),
	}
}

// field is what a file says of a control.
type field struct {
	tag   string
	attrs map[string]string
	label string // what stands at it for people
	value string // what is in it, or is typed into it
}

// kind says why a field's value is withheld, "" where it is not.
func (w *secretWords) kind(f field, clean *redact.Redactor) string {
	if f.tag != "input" && f.tag != "textarea" {
		return ""
	}
	a := func(name string) string { return f.attrs[name] }
	typ := strings.ToLower(strings.TrimSpace(a("type")))
	if f.tag == "textarea" {
		typ = "text"
	}
	auto := strings.ToLower(a("autocomplete"))
	switch {
	case typ == "password":
		return "password"
	case typ == "hidden":
		if w.token.MatchString(a("name") + " " + a("id")) {
			return "token"
		}
		return ""
	case slices.Contains([]string{"checkbox", "radio", "button", "submit", "reset", "image", "file", "range", "color", "date", "time", "month", "week", "datetime-local"}, typ):
		return ""
	case strings.Contains(auto, "current-password"), strings.Contains(auto, "new-password"):
		return "password"
	case strings.Contains(auto, "one-time-code"):
		return "one-time code"
	case strings.Contains(auto, "cc-number"), strings.Contains(auto, "cc-csc"), strings.Contains(auto, "cc-exp"):
		return "card"
	case f.value != "" && strings.Contains(clean.Clean(f.value), "[redacted: card]"):
		return "card"
	case w.plain.MatchString(auto):
		return ""
	}
	hint := w.words(strings.Join([]string{a("name"), a("id"), a("aria-label"), a("placeholder"), a("data-fieldtype")}, " "))
	return w.said(hint, w.words(f.label))
}

// said is the kind of secret that names and labels speak of, "" for none.
func (w *secretWords) said(hint, label string) string {
	if m := w.name.FindString(hint); m != "" && (!w.not.MatchString(hint) || w.strong.MatchString(m)) {
		return namedSecret(m)
	}
	if m := w.label.FindString(label); m != "" && !w.not.MatchString(label+" "+hint) {
		return namedSecret(m)
	}
	return ""
}

// words splits a name at its capital letters.
func (w *secretWords) words(s string) string {
	return w.split.ReplaceAllString(cut(s, 400), "$1 $2")
}

// spoken is the kind of secret that a selector or the name of a parameter speaks of.
func (w *secretWords) spoken(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return ' '
	}, w.words(s))
	return w.said(s, strings.NewReplacer("-", " ", "_", " ").Replace(s))
}

func namedSecret(words string) string {
	s := strings.ToLower(words)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return strings.Contains(s, p) })
	}
	switch {
	case has("one-time", "one time", "onetime"):
		return "one-time code"
	case has("passw", "pwd", "passcode", "passphrase", "kennwort", "mot de passe", "contraseña", "senha", "wachtwoord", "parola", "hasło", "пароль", "密码", "パスワード", "비밀번호"):
		return "password"
	case has("card", "cc", "cv", "csc", "security", "carte", "tarjeta", "karten", "卡号"):
		return "card"
	}
	return "one-time code"
}

// sealer takes secrets out of the texts of one file: by their looks, and those that
// were learnt from fields, wherever they stand.
type sealer struct {
	secretWords
	clean    *redact.Redactor
	literals []string // the longest first
	known    map[string]string
	bytes    int // in known
}

// knownBytes is how much text the memory of cleaned texts may hold.
const knownBytes = 32 << 20

func newSealer(clean *redact.Redactor) (*sealer, error) {
	if clean == nil {
		clean = redact.Standard()
	}
	return &sealer{secretWords: newSecretWords(), clean: clean, known: map[string]string{}}, nil
}

// learn remembers a value of a secret field. Common words would tell more by their
// gaps than they hide, so it counts only where it looks chosen, as in the collector:
// 6 characters or more of two kinds.
func (s *sealer) learn(v string) {
	v = strings.TrimSpace(v)
	if strings.HasPrefix(v, "[redacted") || utf8.RuneCountInString(v) < 6 || len(v) > 2000 || len(s.literals) >= 200 || !chosen(v) || slices.Contains(s.literals, v) {
		return
	}
	s.literals = append(s.literals, v)
	slices.SortStableFunc(s.literals, func(a, b string) int { return len(b) - len(a) })
	clear(s.known)
	s.bytes = 0
}

func chosen(v string) bool {
	var kinds [4]bool
	for _, r := range v {
		switch {
		case r >= 'a' && r <= 'z':
			kinds[0] = true
		case r >= 'A' && r <= 'Z':
			kinds[1] = true
		case r >= '0' && r <= '9':
			kinds[2] = true
		default:
			kinds[3] = true
		}
	}
	n := 0
	for _, k := range kinds {
		if k {
			n++
		}
	}
	return n >= 2
}

// text is the text without secrets.
func (s *sealer) text(t string) string {
	if len(t) < 6 {
		return t
	}
	if out, ok := s.known[t]; ok {
		return out
	}
	out := s.clean.Clean(t)
	for _, l := range s.literals {
		out = replaceWord(out, l, "[redacted]")
	}
	if s.bytes += len(t) + len(out); s.bytes > knownBytes {
		clear(s.known)
		s.bytes = 0
	}
	s.known[t] = out
	return out
}

// without is the text without secrets and without one value, however short it is: for
// what belongs to the very action that typed it.
func (s *sealer) without(t, value string) string {
	if value != "" {
		t = replaceWord(t, value, "[redacted]")
	}
	return s.text(t)
}

// replaceWord puts something else where old stands as a whole word.
func replaceWord(s, old, put string) string {
	at := strings.Index(s, old)
	if at < 0 {
		return s
	}
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	first, _ := utf8.DecodeRuneInString(old)
	last, _ := utf8.DecodeLastRuneInString(old)
	var b strings.Builder
	for from := 0; ; {
		end := at + len(old)
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if at > 0 && letter(first) && letter(before) || end < len(s) && letter(last) && letter(after) {
			b.WriteString(s[from:end])
		} else {
			b.WriteString(s[from:at])
			b.WriteString(put)
		}
		from = end
		next := strings.Index(s[from:], old)
		if next < 0 {
			b.WriteString(s[from:])
			return b.String()
		}
		at = from + next
	}
}

// json is JSON without secrets: each text is cleaned, and what stands under a name that
// speaks of a secret is withheld, as are cookies and the headers that let their holder
// in. kind and typed are those of the action that it belongs to. nil stays nil; what is
// no JSON becomes null.
func (s *sealer) json(raw json.RawMessage, kind, typed string) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return json.RawMessage("null")
	}
	if _, err := d.Token(); err != io.EOF {
		return json.RawMessage("null")
	}
	out, err := json.Marshal(s.value(v, kind, typed, ""))
	if err != nil {
		return json.RawMessage("null")
	}
	return out
}

// value is a JSON value without secrets; under is the name that it stands under.
func (s *sealer) value(v any, kind, typed, under string) any {
	switch v := v.(type) {
	case string:
		if kind != "" && v == typed && v != "" {
			return "[redacted: " + kind + "]"
		}
		return s.without(v, typedOf(kind, typed))
	case json.Number:
		if kind != "" && v.String() == typed {
			return "[redacted: " + kind + "]"
		}
		if out := s.text(v.String()); out != v.String() {
			return out
		}
		return v
	case []any:
		for i := range v {
			v[i] = s.value(v[i], kind, typed, under)
		}
		return v
	case map[string]any:
		name, _ := v["name"].(string)
		out := make(map[string]any, len(v))
		for key, inner := range v {
			why := s.keyKind(key)
			if key == "value" && (strings.EqualFold(under, "cookies") || s.letsIn(name)) {
				why = "token"
			}
			if why == "" && s.letsIn(key) {
				why = "token"
			}
			clean := s.text(key)
			if _, nested := inner.(map[string]any); why != "" && !nested && holds(inner) {
				out[clean] = "[redacted: " + why + "]"
				continue
			}
			out[clean] = s.value(inner, kind, typed, key)
		}
		return out
	}
	return v
}

func typedOf(kind, typed string) string {
	if kind == "" {
		return ""
	}
	return typed
}

// holds reports whether a value can be a secret: a text or a number, or a list of such.
func holds(v any) bool {
	switch v := v.(type) {
	case string:
		return v != "" && !strings.HasPrefix(v, "[redacted")
	case json.Number:
		return true
	case []any:
		return slices.ContainsFunc(v, holds)
	}
	return false
}

// keyKind is the kind of secret that the name of a member speaks of.
func (s *sealer) keyKind(key string) string {
	if len(key) > 100 {
		return ""
	}
	switch strings.ToLower(key) {
	case "key", "code": // of a keyboard event
		return ""
	}
	return s.said(s.words(key), "")
}

// letsIn reports whether a header or parameter of that name lets its holder in.
func (s *sealer) letsIn(name string) bool {
	switch n := strings.ToLower(name); {
	case n == "" || len(n) > 100:
		return false
	case n == "authorization" || n == "proxy-authorization" || n == "cookie" || n == "set-cookie":
		return true
	case strings.HasSuffix(n, "tokens") || strings.Contains(n, "token_") || strings.Contains(n, "session_id_"):
		return false // counts of a model's tokens
	}
	return strings.Contains(strings.ToLower(name), "token") || strings.Contains(strings.ToLower(name), "secret") || strings.Contains(strings.ToLower(name), "api_key") || strings.Contains(strings.ToLower(name), "apikey")
}
