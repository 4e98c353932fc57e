package endpoint

import (
	"strings"
)

// person is the data that forms are filled with. It is fictitious: the card's number is the
// schemes' own test number, the domains are of RFC 2606.
var person = map[string]string{
	"email": "ada@example.org", "password": "Tea-at-4-oclock!", "username": "ada.lovelace", "given": "Ada",
	"family": "Lovelace", "name": "Ada Lovelace",
	"tel": "2025550143", "street": "12 Harbour Lane", "line2": "Flat 3", "city": "Ljubljana", "zip": "10001",
	"state": "Osrednja", "country": "Slovenia",
	"card": "4111 1111 1111 1111", "cvc": "737", "expires": "11/29", "month": "2029-11", "date": "2029-05-14",
	"time": "10:30", "number": "2",
	"company": "Analytical Engines", "url": "https://example.org/", "code": "448291", "search": "", "text": "Ada",
	"colour": "#2255aa", "": "Ada",
}

// fieldWords are words for the purpose of a field, most specific first. They occur in its
// name, autocomplete, placeholder or label, in several languages.
var fieldWords = []struct {
	kind  string
	words []string
}{
	{"password", []string{"password", "passwort", "passwd", "parola", "пароль", "密碼", "パスワード", "mot de passe",
		"contraseña", "senha"}},
	{"cvc", []string{"cc-csc", "cvc", "cvv", "security code", "securitycode", "card code", "verification number"}},
	{"expires", []string{"cc-exp", "expir", "mm/yy", "valid thru"}},
	{"name", []string{"name on card", "cardholder", "cc-name", "accountholder"}},
	{"card", []string{"cc-number", "card number", "cardnumber", "creditcard", "card_number"}},
	{"code", []string{"one-time", "verification code", "yout code", "captcha", "otp"}},
	{"email", []string{"e-mail", "email", "e_mail", "correo", "почт"}},
	{"given", []string{"given-name", "first name", "firstname", "first_name", "fname", "vorname", "prénom"}},
	{"family", []string{"family-name", "last name", "lastname", "last_name", "lname", "surname", "nachname"}},
	{"tel", []string{"phone", "mobile", "telephone", "telefon", "tel-"}},
	{"zip", []string{"postal-code", "zip", "postal", "postcode"}},
	{"line2", []string{"address-line2", "address line 2", "address2", "apartment", "apt,", "suite"}},
	{"street", []string{"street", "address-line1", "address"}},
	{"city", []string{"address-level2", "city", "town"}},
	{"state", []string{"address-level1", "state", "province", "region"}},
	{"country", []string{"country"}},
	{"company", []string{"organization", "company"}},
	{"url", []string{"website", "homepage", "url"}},
	{"username", []string{"username", "user name", "user id", "userid", "user_id", "login", "identifier", "логин",
		"kullanıcı", "帳號", "имя пользователя"}},
	{"name", []string{"full name", "fullname", "your name", "name"}},
}

// kindOf is the purpose of a field: by its type if that is specific, else by its words.
func kindOf(e *element) string {
	switch e.kind {
	case "password", "email", "date", "time", "month", "url", "search":
		return e.kind
	case "tel":
		// A card's number is often one of type tel.
		if k := byWords(e); k != "" {
			return k
		}
		return "tel"
	case "number", "range":
		return "number"
	case "color":
		return "colour"
	}
	return byWords(e)
}

func byWords(e *element) string {
	text := strings.ToLower(e.Name + " " + e.field)
	if strings.Contains(text, "search") || strings.Contains(text, "поиск") {
		return "search"
	}
	for _, f := range fieldWords {
		for _, w := range f.words {
			if strings.Contains(text, w) {
				return f.kind
			}
		}
	}
	return ""
}

// entry is the value for a field, and how to enter it: false for one that is left alone.
func entry(e *element) (do, with string, ok bool) {
	if e.is("disabled") || e.is("readonly") {
		return "", "", false
	}
	switch e.Role {
	case "chk":
		name := strings.ToLower(e.Name + " " + e.field)
		agree := e.required || strings.Contains(name, "agree") || strings.Contains(name, "accept") ||
			strings.Contains(name, "terms")
		return "check", "", agree && !e.is("checked")
	case "sel":
		if e.Value != "" && !strings.Contains(strings.ToLower(e.Value), "select") || len(e.options) < 2 {
			return "", "", false
		}
		return "choose", e.options[1], e.options[1] != ""
	case "inp":
	default:
		return "", "", false
	}
	kind := kindOf(e)
	switch {
	case e.kind == "file" || e.kind == "hidden" || e.kind == "range" || e.kind == "color" || kind == "search":
		return "", "", false
	case e.Value != "":
		return "", "", false // somebody has filled it in
	}
	with = person[kind]
	if kind == "month" || e.kind == "month" {
		with = person["month"]
	}
	return "fill", with, with != ""
}
