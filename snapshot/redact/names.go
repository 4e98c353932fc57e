package redact

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The table of secret names: which names and labels tell that a value is secret, whatever it looks like (B-11, N-10).
// It is the only one. The collector gets it with each request ([Names]) and applies it in the page; here it is applied
// to bodies, addresses, headers, cookies, recordings and texts. Everybody asks [SecretName].
//
// A name is compared by its words: userPass, user_pass, user-pass and USER PASS are the same two. Words in six
// languages and the common ones of more stand side by side: no page says which it is written in.

// Place is where a name stands, which decides how much it takes to make its value a secret: nearly every address has
// a parameter "key" or "code" that lets its holder in, and nearly every request to a model has one that does not.
type Place string

const (
	// InField is the name or id of a control that a person fills.
	InField Place = "field"
	// InLabel is what is written at such a control for people, or at a value in a text.
	InLabel Place = "label"
	// InHidden is the name of what no person fills: a hidden field, a meta tag, a header.
	InHidden Place = "hidden"
	// InData is the name of an attribute.
	InData Place = "data"
	// InQuery is the name of a parameter of an address.
	InQuery Place = "query"
	// InBody is the name of a member of JSON, or of a field of a form or multipart body.
	InBody Place = "body"
)

// NameRule is a row of the table as one place has it.
type NameRule struct {
	Kind    string `json:"kind"`    // password, one-time code, card, key, token
	Pattern string `json:"pattern"` // of the words of a name, in the syntax that Go and JavaScript share
}

// NameTable is the table as the collector gets it.
type NameTable struct {
	Rules map[Place][]NameRule `json:"rules"`
	// After: where one of these words follows, the name is about the secret and does not hold it: password-hint.
	After string `json:"after"`
	// First: a name that begins with one of these words is a switch: show password.
	First string `json:"first"`
	// Other: with one of these words a code or token is another one: promo code, next page token.
	Other string `json:"other"`
	// Plain are the values that hold no secret, whatever the attribute is called.
	Plain string `json:"plain"`
}

const (
	whyPassword = "password"
	whyCard     = "card"

	everyName = "field hidden data query body"
	machines  = "hidden data query body"

	// What stands before and after the word in one word: newpass, useroldpassword, passwordagain.
	nameBefore = `(?:txt|my|the|new|old|cur|current|user|usr|login|log|sign|signin|auth|confirm|re|repeat|db|admin|` +
		`root|` +
		`master|wifi|wlan|ftp|smtp|mail|email|account|acct|member|customer|client|web|app|bank|access|j|frm|inp|` +
		`fld){0,3}`
	nameAfter = `(?:s|again|confirm|confirmation|repeat|new|old|check|verify|field|input|box|txt|value|val|str)?`
)

// nameRow is a row of the table: the words, and where they tell a secret. What a label says is separate, since a
// sentence has more words than a name.
// Words that begin with "=" are all of a name.
type nameRow struct{ kind, places, words string }

func nameRows() []nameRow {
	return []nameRow{
		{whyCard, everyName, `card ?(?:number|num|no|nr|code|pin|cvc|cvv|security ?code|verification ?code)|` +
			`cc ?(?:number|num|no|nr|cvc|cvv|csc)|` +
			`(?:credit|debit|payment) ?card(?: ?(?:number|num|no|nr))?|ccn|cvv|cvc|csc|cvn|card ?security ?code|` +
			`security ?code|` +
			`karten ?nummer|kredit ?karten?(?: ?nummer)?|numero (?:de )?(?:la )?(?:carte|tarjeta)|numero tarjeta|` +
			`numero carte`},
		{whyCode, everyName, `otp|otp code|totp|hotp|mfa|2fa|tfa|pin|pincode|pin code|pin number|otc|` +
			`one ?time ?(?:code|pass|password|passcode|pin|token)|(?:two|2) ?factor(?: ?(?:code|token|pin|auth))?|` +
			`(?:verification|verify|authentication|auth|login|signin|sms|mfa|otp|2fa|access|confirmation|backup|` +
			`recovery|email|device) ?code|` +
			`verifcode|m ?tan|sms ?tan|einmal ?(?:code|passwort|kennwort)|(?:bestätigungs|sicherheits|` +
			`verifizierungs|anmelde|zugangs) ?code|` +
			`codigo (?:de )?(?:verificacion|seguridad|acesso)|code (?:de )?(?:verification|securite)`},
		{whyCode, everyName, `(?:user|my|your|new|old|current|confirm|login|account|acct|bank|atm|sim|wallet|` +
			`customer|client|admin|sms|email)(?:pin|otp)`},
		{whyPassword, everyName, `(?:` + nameBefore + `(?:password|passwd|passwrd|passw|pwd|pswd|psw|passphrase|` +
			`passcode|` +
			`passwort|kennwort|contrasena|contraseña|wachtwoord|motdepasse|haslo|hasło)` + nameAfter + `)|` +
			`pass ?(?:word|phrase|code)|` +
			`mot de passe|пароль|密码|密碼|パスワード|비밀번호`},
		{whyPassword, "field hidden data body query", nameBefore + `pass|pw|mdp|senha|parola`},
		{"key", everyName, `(?:secret|private|api|app|application|access|auth|encryption|decryption|signing|` +
			`signature|license|` +
			`licence|ssh|pgp|gpg|master|account|storage|service|server|subscription|consumer|client|wallet|deploy|` +
			`webhook|shared|` +
			`host|admin|sas|hmac|aws secret access|secret ?access|openai|anthropic|stripe|goog|google) ?(?:key|` +
			`secret)|` +
			`(?:api|app|access|auth|private|secret|client|consumer|subscription|encryption)(?:key|secret)|` +
			`secret|secrets|secretkeybase|` +
			`(?:recovery|seed|secret|backup|wallet|mnemonic) ?(?:recovery ?)?(?:phrase|words|seed)|mnemonic|` +
			`seedphrase`},
		{"token", everyName, nameBefore + `token|(?:access|auth|id|refresh|bearer|oauth|session|csrf|xsrf|api|push|` +
			`device|bot|user|` +
			`login|reset|security|verification|requestverification|__requestverification) ?token|jwt|bearer|` +
			`(?:id|access|refresh) ?jwt`},
		{"token", machines, `csrf|xsrf|csrfmiddlewaretoken|anti ?csrf|authorization|proxy authorization|auth|` +
			`oauth verifier|` +
			`oauth signature|credentials?|signature|hmac|sas|php ?sess ?id|j ?session ?id|sess ?id|` +
			`(?:x )?(?:amz|goog) (?:signature|security token|credential)`},
		{"token", machines, `=cookie|set cookie`},
		{"token", "field", `=authorization`},
		{"token", "hidden query", `session|session ?(?:id|key)|sess|sid|nonce|assertion|saml|saml ?(?:response|` +
			`request)|` +
			`(?:__)?view ?state(?:generator)?|event ?validation|magic|magic ?(?:link|code)|invite|invite ?(?:code|` +
			`key)|invitation|verifier|code verifier`},
		{"token", "data", `session ?(?:id|key)|nonce`},
		{"token", "query", `=key|code|ticket|sig|auth|invitation ?code|confirmation|hash ?key`},
		{whyCard, "query", `=cc`},

		{whyCard, "label", `(?:card|credit card|debit card) ?(?:number|no|nr|code|security code|verification code)|` +
			`security code|credit card|debit card|cvv|cvc|csc|` +
			`karten ?nummer|kreditkarten ?nummer|prüfziffer|numéro de (?:la )?carte|número de (?:la )?tarjeta|` +
			`numero (?:della )?carta|` +
			`número do cartão|номер карты|卡号|卡號|カード番号|セキュリティコード|카드 ?번호`},
		{whyCode, "label", `pin|otp|totp|2fa code|(?:(?:security|verification|authentication|one time|confirmation|` +
			`access|sms|login|` +
			`two factor|2fa|backup|recovery|authenticator|email|device) )+(?:code|password|pin|passcode)|` +
			`einmal(?: ?code|passwort|kennwort)|(?:bestätigungs|sicherheits|verifizierungs|anmelde) ?code|tan|` +
			`code de (?:vérification|sécurité|confirmation|connexion)|código de (?:verificación|seguridad|` +
			`verificação|segurança|acesso)|` +
			`codice di (?:verifica|sicurezza)|verificatiecode|kod weryfikacyjny|код (?:подтверждения|безопасности|` +
			`из смс)|` +
			`验证码|驗證碼|動態密碼|確認コード|認証コード|ワンタイムパスワード|인증번호|인증 번호|doğrulama kodu`},
		{whyPassword, "label", `password|passwords|passwd|pwd|passphrase|passcode|kennwort|passwort|mot de passe|` +
			`contraseña|senha|` +
			`wachtwoord|parola|hasło|пароль|密码|密碼|パスワード|暗証番号|비밀번호`},
		{"key", "label", `(?:secret|private|api|access|secret access|encryption|signing|license|licence|master|` +
			`recovery|ssh|` +
			`subscription) (?:key|secret)|secret (?:recovery )?phrase|(?:recovery|seed|backup) (?:phrase|words)|` +
			`mnemonic(?: phrase)?|` +
			`client secret|shared secret|webhook secret|geheimer schlüssel|privater schlüssel|api schlüssel|` +
			`clé (?:secrète|privée|api)|` +
			`clave (?:secreta|privada|api)|chave (?:secreta|privada)|секретный ключ|私钥|密钥|秘密鍵|비밀 키`},
		{whyPassword, "label", `=(?:(?:user|your|new|old) )?pass|clave`},
		{"key", "label", `=secret`}, {"token", "label", `=token|jwt`},
		{"token", "label", `(?:access|api|auth|bearer|secret|refresh|personal access|security) token`},
	}
}

const (
	afterWords = `hint|hints|reminder|strength|url|uri|link|href|path|type|types|name|names|label|title|placeholder|` +
		`error|errors|` +
		`message|msg|help|icon|toggle|toggler|show|shown|hide|hidden|visible|visibility|length|len|min|max|minimum|` +
		`maximum|policy|` +
		`rule|rules|pattern|regex|format|enabled|disabled|required|valid|validation|expires|expiry|expiration|exp|` +
		`ttl|age|count|` +
		`counts|limit|param|parameter|header|status|mode|forgot|reset|change|changed|manager|protected|free|options|` +
		`requirements|` +
		`score|image|img|src|target|selector|class|style|color|position|index|scheme|provider|method|source|issuer|` +
		`endpoint|domain|` +
		`usage|used|budget|details|date|time|created|updated|version|algorithm|alg|match|event|events|action|button|` +
		`btn|form|page|view|section|only|size`
	firstWords = `show|hide|toggle|forgot|forgotten|forget|remember|has|is|enable|disable|allow|use|uses|no|requires`
	otherWords = `post|postal|postcode|zip|zipcode|promo|coupon|voucher|discount|gift|country|area|dial|product|` +
		`item|items|search|` +
		`hint|reminder|strength|color|colour|tracking|referral|next|page|cursor|continuation|sync|input|output|` +
		`prompt|cache|` +
		`max|min|total|tokens|completion|stop|pad|eos|bos|sort|order|map|push pin|drawing`
)

// Names is the table in the form that the collector gets.
var Names = sync.OnceValue(func() *NameTable {
	t := &NameTable{
		Rules: map[Place][]NameRule{}, After: inWords(afterWords), First: "^ (?:" + firstWords + ") ",
		Other: inWords(otherWords), Plain: plainWords,
	}
	for _, row := range nameRows() {
		for place := range strings.FieldsSeq(row.places) {
			pattern := inWords(row.words)
			if whole, ok := strings.CutPrefix(row.words, "="); ok {
				pattern = "^ (?:" + whole + ") $"
			}
			t.Rules[Place(place)] = append(t.Rules[Place(place)], NameRule{row.kind, pattern})
		}
	}
	return t
})

func inWords(words string) string { return " (?:" + words + ") " }

// names is the table, compiled.
var names = sync.OnceValue(func() *nameTable {
	t := &nameTable{rules: map[Place][]nameRule{}}
	raw := Names()
	for place, list := range raw.Rules {
		for _, r := range list {
			t.rules[place] = append(t.rules[place], nameRule{r.Kind, regexp.MustCompile(r.Pattern)})
		}
	}
	t.after, t.first = regexp.MustCompile(raw.After), regexp.MustCompile(raw.First)
	t.other = regexp.MustCompile(raw.Other)
	return t
})

type nameRule struct {
	kind string
	re   *regexp.Regexp
}

type nameTable struct {
	rules               map[Place][]nameRule
	after, first, other *regexp.Regexp
}

// longestName is how many bytes of a name are looked at; longer ones are data.
const longestName = 200

// SecretName is the kind of secret that a name or label in that place is about: password, one-time code, card, key or
// token; "" for none.
func SecretName(name string, at Place) string {
	if name == "" || len(name) > longestName && at != InLabel {
		return ""
	}
	words := nameWords(name)
	if !mayBeSecret(words) {
		return ""
	}
	t := names()
	for _, r := range t.rules[at] {
		m := r.re.FindStringIndex(words)
		if m == nil || at != InLabel && (t.after.MatchString(words[m[1]-1:]) || t.first.MatchString(words)) {
			continue
		}
		if r.kind != whyPassword && r.kind != whyCard && t.other.MatchString(words) {
			continue
		}
		if at == InLabel && aboutSecret(words, m[1]) {
			continue
		}
		return r.kind
	}
	return ""
}

// labelSecret is [SecretName] for what is written at a control for people. A label of one word may be the name that a
// program has for it, such as app_secret.
func labelSecret(label string) string {
	if kind := SecretName(label, InLabel); kind != "" || strings.ContainsFunc(label, unicode.IsSpace) {
		return kind
	}
	return SecretName(label, InField)
}

// choiceSecret is the kind of secret that the value of a control holds which is chosen, not filled: a radio button, a
// checkbox, a button, an option. Most hold a word of the page's program, so one needs a digit.
func choiceSecret(name, value string) string {
	if _, _, digit := kinds(value); !digit || len(value) < leastChoice || strings.ContainsFunc(value, unicode.IsSpace) {
		return ""
	}
	return DataSecret(name, value)
}

// leastChoice is how many bytes a secret has that is the value of a choice.
const leastChoice = 8

// DataSecret is the kind of secret that an attribute holds by its name, "" for none. A switch, a word of the page's own
// program, an address or a selector is none, though the name may say so.
func DataSecret(attribute, value string) string {
	if len(value) < 3 {
		return ""
	}
	kind := SecretName(strings.TrimPrefix(attribute, "data-"), InData)
	if kind == "" || plainValue.MatchString(value) || SecretName(value, InLabel) != "" {
		return ""
	}
	small, capital, digit := kinds(value)
	switch {
	case kind == whyPassword:
	case kind == whyCode && !digit, kind == whyCard && !digit:
		return ""
	case (kind == "token" || kind == "key") && !digit && !(small && capital && len(value) >= 12) && len(value) < 24:
		return ""
	}
	return kind
}

// plainWords are values of attributes that hold no secret; the collector has the same.
const plainWords = `^(?:true|True|TRUE|false|False|on|off|yes|no|null|none|undefined|auto|show|hide|hidden|text|` +
	`toggle|required|optional)$|` +
	`^[#./{\[<]|^https?:|^[a-z]+-password$`

var plainValue = regexp.MustCompile(plainWords)

// aboutSecret: a label such as "password hint" or "password strength" is about the secret.
func aboutSecret(words string, end int) bool {
	next, _, _ := strings.Cut(words[end:], " ")
	switch next {
	case "hint", "hints", "reminder", "strength", "policy", "length":
		return true
	}
	return false
}

// randomID is a UUID, or as long a run of hexadecimal digits; the collector has the same.
var randomID = regexp.MustCompile(`(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}`)

// nameWords are the words of a name in lower case, with a space before and after each: parted where a capital or a
// digit follows a small letter, and at everything that is no letter and no digit. A random id has none: "2fa" stands in
// some by chance.
func nameWords(s string) string {
	if len(s) > 2*longestName {
		s = strings.ToValidUTF8(s[:2*longestName], "")
	}
	if len(s) >= 32 {
		s = randomID.ReplaceAllString(s, " ")
	}
	b := make([]byte, 1, len(s)+8)
	b[0] = ' '
	var before rune
	for i, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
			before = 0
			continue
		case unicode.IsUpper(r):
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && unicode.IsLower(next) {
				b = append(b, ' ')
			}
		case unicode.IsDigit(r) && unicode.IsLetter(before):
			b = append(b, ' ')
		}
		b = utf8.AppendRune(b, unicode.ToLower(r))
		before = r
	}
	if b[len(b)-1] != ' ' {
		b = append(b, ' ')
	}
	return string(b)
}

// mayBeSecret reports whether a name can be in the table at all, so that most need no pattern.
func mayBeSecret(words string) bool {
	for i := range len(words) {
		if words[i] >= utf8.RuneSelf {
			return true
		}
	}
	for _, root := range nameRoots {
		if strings.Contains(words, root) {
			return true
		}
	}
	return false
}

// nameRoots are such that each name in the table that is ASCII has one.
var nameRoots = [...]string{"pass", "pw", "psw", "wort", "contra", "wachtwoord", "mdp", "senha", "parola", "haslo",
	"otp", "otc", "mfa", "tfa", "2fa", "pin", "cod", "factor", "tan", "ccn", "cc", "cvc", "cvv", "csc", "cvn", "card",
	"karte", "tarjeta", "carte", "carta", "key", "secret", "phrase", "words", "seed", "mnemonic", "token", "jwt",
	"bearer", "csrf", "xsrf", "auth", "cookie", "credential", "sign", "hmac", "sas", "sess", "sid", "nonce",
	"assertion", "saml",
	"state", "validation", "magic", "invit", "verif", "ticket", "sig", "confirmation", "clave", "chave", "one time"}
