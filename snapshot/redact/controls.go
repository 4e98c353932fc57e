package redact

import (
	"cmp"
	"slices"
	"strings"
)

// Which form controls hold secrets. The collector decides it in the page, in
// capture/collect/js/sensitive.js, which has also what only a page knows; the names and labels that both
// go by are those of names.go.

// plainFields are the autocomplete tokens of fields that hold no secret whatever they are called.
var plainFields = []string{"postal-code", "country", "country-name", "tel", "name", "given-name",
	"family-name", "email",
	"username", "street-address", "organization", "bday"}

// Control is what is known of a form control.
type Control struct {
	Tag   string
	Attrs map[string]string
	Label string // what is at it for people
	Value string // what is in it, or is typed into it
}

// Secret explains why a control's value is withheld, such as "password"; "" where it is not.
func (f Control) Secret(rules *Redactor) string {
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
		return cmp.Or(SecretName(a("name"), InHidden), SecretName(a("id"), InHidden))
	case slices.Contains([]string{"checkbox", "radio", "button", "submit", "reset", "image", "file", "range", "color",
		"date", "time", "month", "week", "datetime-local"}, typ):
		return choiceSecret(a("name"), f.Value)
	case strings.Contains(auto, "current-password"), strings.Contains(auto, "new-password"):
		return "password"
	case strings.Contains(auto, "one-time-code"):
		return "one-time code"
	case strings.Contains(auto, "cc-number"), strings.Contains(auto, "cc-csc"), strings.Contains(auto, "cc-exp"):
		return "card"
	case f.Value != "" && strings.Contains(rules.Clean(f.Value), markCard):
		return "card"
	case slices.ContainsFunc(strings.Fields(auto), func(t string) bool { return slices.Contains(plainFields, t) }):
		return ""
	}
	for _, name := range []string{a("name"), a("id"), a("data-fieldtype")} {
		if kind := SecretName(name, InField); kind != "" {
			return kind
		}
	}
	other := names().other.MatchString(nameWords(a("name") + " " + a("id")))
	for _, label := range []string{a("aria-label"), a("placeholder"), f.Label} {
		if kind := labelSecret(label); kind != "" && (kind == whyPassword || kind == whyCard || !other) {
			return kind
		}
	}
	return ""
}

// NamedSecret is the kind of secret that a selector or the name of a parameter is about,
// "" for none.
func NamedSecret(s string) string { return cmp.Or(SecretName(s, InField), SecretName(s, InLabel)) }
