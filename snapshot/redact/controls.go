package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/refscope/refscope/snapshot/text"
)

// Which form controls hold secrets. The collector decides it in the page, in
// capture/collect/js/sensitive.js; where there is no page, the same words are looked for in
// a recording's data about a control. TestControlWords keeps the two lists equal.
const (
	nameWords = `(^|[-_ .[])(cvv2?|cvc2?|csc|cvn|otp|totp|mfa|2fa|pin|passcode|passwd|password|pwd|passphrase)([-_ .\]]|` +
		`\d|$)|card.?(number|num|no)\b|cc.?num|one.?time.?(code|pass)|security.?code|verification.?code|(auth|login|sms|` +
		`access).?code`
	// The words of a label that are not ASCII are separate: \b knows only ASCII letters.
	labelWords = `\b(password|passphrase|passcode|pin|otp|cvv2?|cvc2?|csc)\b|\b(security|verification|authentication|` +
		`one[- ]time|confirmation|access|sms|2fa|login) (code|password|pin)\b|\bcard number\b|\b(kennwort|passwort|` +
		`mot de passe|contraseña|senha|wachtwoord|parola|hasło)\b|пароль|密码|パスワード|비밀번호|卡号|kartennummer|` +
		`numéro de (la )?carte|número de (la )?tarjeta`
	otherWords = `post(al|code)|zip|pincode|promo|coupon|voucher|discount|gift|country|area|dial|product|item|search|` +
		`hint|reminder|strength`
	tokenWords  = `token|csrf|xsrf|nonce|secret|session|passw|api.?key|viewstate|credential|assertion|saml`
	plainFields = `\b(postal-code|country|tel|name|given-name|family-name|email|username|street-address|organization|bday)`
)

// controlPatterns are the patterns above, compiled.
type controlPatterns struct{ name, label, other, token, plain, strong, split *regexp.Regexp }

var controls = sync.OnceValue(func() *controlPatterns {
	fold := func(p string) *regexp.Regexp { return regexp.MustCompile("(?i)" + p) }
	return &controlPatterns{
		name: fold(nameWords), label: fold(labelWords), other: fold(otherWords), token: fold(tokenWords),
		plain:  fold(plainFields),
		strong: fold(`passw|pwd|cvv|cvc|csc`), split: regexp.MustCompile(`([a-z])([A-Z])`),
	}
})

// Control is what is known of a form control.
type Control struct {
	Tag   string
	Attrs map[string]string
	Label string // what is at it for people
	Value string // what is in it, or is typed into it
}

// Secret explains why a control's value is withheld, such as "password"; "" where it is not.
func (f Control) Secret(rules *Redactor) string {
	w := controls()
	if f.Tag != "input" && f.Tag != "textarea" && f.Tag != "select" {
		return ""
	}
	a := func(name string) string { return f.Attrs[name] }
	typ := strings.ToLower(strings.TrimSpace(a("type")))
	if f.Tag != "input" {
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
	case slices.Contains([]string{"checkbox", "radio", "button", "submit", "reset", "image", "file", "range", "color",
		"date", "time", "month", "week", "datetime-local"}, typ):
		return ""
	case strings.Contains(auto, "current-password"), strings.Contains(auto, "new-password"):
		return "password"
	case strings.Contains(auto, "one-time-code"):
		return "one-time code"
	case strings.Contains(auto, "cc-number"), strings.Contains(auto, "cc-csc"), strings.Contains(auto, "cc-exp"):
		return "card"
	case f.Value != "" && strings.Contains(rules.Clean(f.Value), markCard):
		return "card"
	case w.plain.MatchString(auto):
		return ""
	}
	hint := w.words(strings.Join([]string{a("name"), a("id"), a("aria-label"), a("placeholder"), a("data-fieldtype")},
		" "))
	return w.kind(hint, w.words(f.Label))
}

// kind is the kind of secret that names and labels are about, "" for none.
func (w *controlPatterns) kind(hint, label string) string {
	if m := w.name.FindString(hint); m != "" && (!w.other.MatchString(hint) || w.strong.MatchString(m)) {
		return kindOf(m)
	}
	if m := w.label.FindString(label); m != "" && !w.other.MatchString(label+" "+hint) {
		return kindOf(m)
	}
	return ""
}

// words splits a name at its capital letters.
func (w *controlPatterns) words(s string) string {
	return w.split.ReplaceAllString(text.StartBytes(strings.ToValidUTF8(s, "\uFFFD"), 400), "$1 $2")
}

// NamedSecret is the kind of secret that a selector or the name of a parameter is about,
// "" for none.
func NamedSecret(s string) string {
	w := controls()
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return ' '
	}, w.words(s))
	return w.kind(s, strings.NewReplacer("-", " ", "_", " ").Replace(s))
}

// kindOf is the kind of secret that words are about.
func kindOf(words string) string {
	s := strings.ToLower(words)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return strings.Contains(s, p) })
	}
	switch {
	case has("one-time", "one time", "onetime"):
		return "one-time code"
	case has("passw", "pwd", "passcode", "passphrase", "kennwort", "mot de passe", "contraseña", "senha", "wachtwoord",
		"parola", "hasło", "пароль", "密码", "パスワード", "비밀번호"):
		return "password"
	case has("card", "cc", "cv", "csc", "security", "carte", "tarjeta", "karten", "卡号"):
		return "card"
	}
	return "one-time code"
}

// MemberSecret is the kind of secret that the name of a JSON member is about, "" for none.
func MemberSecret(key string) string {
	w := controls()
	if len(key) > 100 {
		return ""
	}
	switch strings.ToLower(key) {
	case "key", "code": // of a keyboard event
		return ""
	}
	return w.kind(w.words(key), "")
}

// LetsIn reports whether a header or parameter of that name lets its holder in.
func LetsIn(name string) bool {
	switch n := strings.ToLower(name); {
	case n == "" || len(n) > 100:
		return false
	case n == "authorization" || n == "proxy-authorization" || n == "cookie" || n == "set-cookie":
		return true
	case strings.HasSuffix(n, "tokens") || strings.Contains(n, "token_") || strings.Contains(n, "session_id_"):
		return false // counts of a model's tokens
	}
	return slices.ContainsFunc([]string{"token", "secret", "api_key", "apikey"}, func(part string) bool {
		return strings.Contains(strings.ToLower(name), part)
	})
}

// HoldsToken reports whether a hidden field or meta tag of that name carries what lets its
// holder in.
func HoldsToken(name string) bool { return controls().token.MatchString(name) }
