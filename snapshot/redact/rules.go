package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Use describes where a rule applies.
type Use uint8

const (
	// AtCapture: what the rule finds is taken out while a page is read, and of every
	// text that reaches Refscope beside it. Where the audit still finds it, it is an error.
	AtCapture Use = iota
	// Personal: the audit reports it, and only when it is asked to.
	Personal
)

// Rule is one kind of secret that is known by its looks alone, wherever it is: in
// text, attributes, values, names, URLs, console lines. The collector gets the rules at
// capture as JSON and applies them in the page, so there is one list; a test runs both
// over the same cases (package redacttest).
type Rule struct {
	Name string `json:"name"`
	// Pattern is written in the syntax that Go and JavaScript share. Where it has a
	// group, the group is the secret, else the whole match is; where it has two, the first is the name of the second.
	Pattern string `json:"pattern"`
	Fold    bool   `json:"fold,omitempty"` // letter case is ignored
	// Hints: a text without any of them cannot match, and is not tried. Lower case
	// where Fold is set.
	Hints []string `json:"hints"`
	// Before and After are ASCII characters that a match does not hold before and after a hint: what lies between two
	// of them around a hint is tried alone, as most of a long text is far from any. Where they are empty, all is tried.
	Before string `json:"-"`
	After  string `json:"-"`
	// Check is a further condition on a match; see checks.go.
	Check string `json:"check,omitempty"`
	Put   string `json:"put"` // the mark that replaces it; "" for rules of the audit alone
	// Source describes where the shape is published.
	Source string `json:"source"`
	Use    Use    `json:"-"`
}

const (
	markToken    = "[redacted: token]"
	markCard     = "[redacted: card]"
	markKey      = "[redacted: key]"
	markPassword = "[redacted: password]"
	markField    = "[redacted: field]"
	markCode     = "[redacted: " + whyCode + "]"
	markPlain    = "[redacted]"
)

// Rules are the built-in rules for a use. Shapes without a fixed beginning, such as bare
// hexadecimal, are not among them: they look like ids.
//
// The list is our own, from the vendors' documents. A kept rule set as a module was
// considered: gitleaks v8 (MIT) has some 200 rules, but its module brings a hundred
// others along, reads git and archives, and finds "generic" keys by entropy, which on
// web pages are mostly ids.
func Rules(use Use) []Rule {
	return slices.DeleteFunc(table(), func(r Rule) bool { return r.Use != use })
}

// table is all rules. Within a use, the order is that of precedence: of two rules that
// find the same, the first one gives the mark.
func table() []Rule {
	return []Rule{
		{Name: "JSON web token", Pattern: `\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`,
			Hints: []string{"eyJ"}, Put: markToken, Source: "RFC 7519, section 3.1: base64url of {\" begins with eyJ"},
		{Name: "sk- key", Pattern: `\bsk-[A-Za-z0-9_-]{20,}`, Hints: []string{"sk-"}, Check: "varied", Put: markToken,
			Source: "OpenAI and Anthropic API references, authentication"},
		{Name: "sk- key", Pattern: `\bsk-(?:[a-z]{2,10}[0-9]{0,2}-){0,2}[A-Za-z0-9]{24,}`,
			Hints: []string{"sk-"}, Check: "mixed", Put: markToken, Source: "DeepSeek, OpenRouter and others: " +
				"letters and digits of one case"},
		{Name: "Stripe key", Pattern: `\b(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}`,
			Hints: []string{"k_live_", "k_test_", "whsec_"}, Put: markToken, Source: "docs.stripe.com/keys"},
		{Name: "AWS access key", Pattern: `\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`, Hints: []string{"AKIA", "ASIA"},
			Put: markToken, Source: "AWS IAM user guide, unique identifiers"},
		{Name: "GitHub token", Pattern: `\b(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})`,
			Hints: []string{"gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_"}, Put: markToken,
			Source: "docs.github.com, GitHub's token formats"},
		{Name: "GitLab token", Pattern: `\bglpat-[A-Za-z0-9_-]{16,}`, Hints: []string{"glpat-"}, Put: markToken,
			Source: "docs.gitlab.com, token prefixes"},
		{Name: "Slack token", Pattern: `\bxox[abeoprs]-[A-Za-z0-9-]{10,}`, Hints: []string{"xox"}, Put: markToken,
			Source: "docs.slack.dev, token types"},
		{Name: "Google key", Pattern: `\b(?:AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,})`,
			Hints: []string{"AIza", "ya29."}, Put: markToken,
			Source: "docs.cloud.google.com, secret scanning: API keys and OAuth tokens"},
		{Name: "npm token", Pattern: `\bnpm_[A-Za-z0-9]{30,}`, Hints: []string{"npm_"}, Put: markToken,
			Source: "GitHub changelog 2021-09-23, npm's token format"},
		{Name: "bearer token", Pattern: `\bbearer[ \t]+([A-Za-z0-9._~+/=-]{16,})`, Fold: true,
			Hints: []string{"bearer"}, Check: "mixed", Put: markToken, Source: "RFC 6750, section 2.1"},
		{Name: "basic credentials", Fold: true, Hints: []string{"authorization"}, Put: markToken,
			Pattern: `\bauthorization["']?[ \t]*[:=][ \t]*["']?basic[ \t]+([A-Za-z0-9+/=_-]{6,})`,
			Source:  "RFC 7617, section 2"},
		{Name: "private key", Hints: []string{"PRIVATE KEY"}, Put: markKey, Source: "RFC 7468, section 10",
			Pattern: `-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^-]*` +
				`(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?`},
		{Name: "password in a URL", Pattern: `://[^/ \t\n\f\r:@?#"'<>]+:([^/ \t\n\f\r@?#"'<>]+)@`,
			Hints: []string{"://"}, Put: markPlain, Source: "RFC 3986, section 3.2.1"},
		{Name: "URL parameter", Pattern: urlParameter, Fold: true, Hints: []string{"=", "%3d"}, Put: markPlain,
			Check:  "query",
			Before: allBut(lettersAndDigits + "?&#;%_.[]~-"), After: " \t\n\f\r\"'<>",
			Source: "RFC 6749, sections 4.1.2 and 4.2.2, RFC 6750, section 2.3, and the names in common use"},
		{Name: "Shopify token", Put: markToken, Pattern: `\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b`,
			Hints:  []string{"shpat_", "shpca_", "shppa_", "shpss_"},
			Source: "shopify.dev/docs/apps/build/authentication-authorization, token formats"},
		{Name: "SendGrid key", Put: markToken, Pattern: `\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b`,
			Hints: []string{"SG."}, Source: "docs.sendgrid.com, API keys: SG.id.secret"},
		{Name: "Twilio key", Put: markToken, Pattern: `\bSK[0-9a-f]{32}\b`, Hints: []string{"SK"},
			Source: "twilio.com/docs/iam/api-keys: SK and 32 hexadecimal digits"},
		{Name: "Mailgun key", Put: markToken, Pattern: `\bkey-[0-9a-f]{32}\b`, Hints: []string{"key-"},
			Source: "documentation.mailgun.com, authentication"},
		{Name: "Mailchimp key", Put: markToken, Pattern: `\b[0-9a-f]{32}-us[0-9]{1,2}\b`, Hints: []string{"-us"},
			Source: "mailchimp.com/developer, API keys end in the data center"},
		{Name: "PyPI token", Put: markToken, Pattern: `\bpypi-AgE[A-Za-z0-9_-]{50,}`, Hints: []string{"pypi-"},
			Source: "pypi.org/help/#apitoken"},
		{Name: "DigitalOcean token", Put: markToken, Pattern: `\bdo[opr]_v1_[a-f0-9]{64}\b`, Hints: []string{"_v1_"},
			Source: "docs.digitalocean.com, token prefixes"},
		{Name: "Hugging Face token", Put: markToken, Pattern: `\bhf_[A-Za-z0-9]{30,}\b`, Hints: []string{"hf_"},
			Check: "varied", Source: "huggingface.co/docs/hub/security-tokens"},
		{Name: "Databricks token", Put: markToken, Pattern: `\bdapi[a-f0-9]{32}(?:-\d)?\b`, Hints: []string{"dapi"},
			Source: "docs.databricks.com, personal access tokens"},
		{Name: "Telegram bot token", Put: markToken, Pattern: `\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b`,
			Hints: []string{":AA"}, Check: "varied", Source: "core.telegram.org/bots/api#authorizing-your-bot"},
		{Name: "Square token", Put: markToken, Hints: []string{"EAAA", "sq0"},
			Pattern: `\b(?:EAAA[A-Za-z0-9_-]{60}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43})\b`,
			Source:  "developer.squareup.com, access tokens"},
		{Name: "Atlassian token", Put: markToken, Pattern: `\bATATT3[A-Za-z0-9_=-]{150,}`, Hints: []string{"ATATT3"},
			Source: "support.atlassian.com, API token format"},
		{Name: "Linear key", Put: markToken, Pattern: `\blin_api_[A-Za-z0-9]{40}\b`, Hints: []string{"lin_api_"},
			Source: "linear.app/developers"},
		{Name: "Postman key", Put: markToken, Pattern: `\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b`, Hints: []string{"PMAK-"},
			Source: "learning.postman.com, API keys"},
		{Name: "Slack webhook", Put: markToken, Hints: []string{"hooks.slack.com"},
			Pattern: `\bhooks\.slack\.com/services/(T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/[A-Za-z0-9]{20,26})\b`,
			Source:  "api.slack.com/messaging/webhooks"},
		{Name: "Discord webhook", Put: markToken, Hints: []string{"/api/webhooks/"},
			Pattern: `\bdiscord(?:app)?\.com/api/webhooks/\d{17,20}/([A-Za-z0-9_-]{60,72})\b`,
			Source:  "discord.com/developers/docs/resources/webhook"},
		{Name: "Azure storage key", Put: markToken, Pattern: `\bAccountKey=([A-Za-z0-9+/]{86}==)`,
			Hints: []string{"AccountKey="}, Source: "learn.microsoft.com, storage connection strings"},
		{Name: "AWS secret key", Put: markToken, Fold: true, Hints: []string{"secret"}, Check: "varied",
			Pattern: `(?:aws_?secret(?:_?access)?_?key|secretaccesskey)["']?[ \t]*[:=][ \t]*["']?([a-z0-9/+]{40})\b`,
			Source:  "AWS general reference, access keys: 40 characters after their name"},
		{Name: "age key", Put: markToken, Pattern: `\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\b`,
			Hints: []string{"AGE-SECRET-KEY-1"}, Source: "age-encryption.org/v1: Bech32 of a secret key"},
		{Name: "key after its name", Put: markToken, Fold: true, Hints: []string{"key", "token", "secret"},
			Check: "mixed",
			Pattern: `\b(?:api|access|auth|private|secret|client|refresh)[_ -]?(?:key|token|` +
				`secret)["']?[ \t]*[:=][ \t]*["']?` +
				`([a-z0-9._~+/=-]{8,})`,
			Source: "by the words before it"},
		{Name: "password after its name", Put: markPassword, Fold: true, Pattern: passwordAfterName, Check: "password",
			Before: "\n\f\r<>,;", After: "\n\f\r<>,;",
			Hints: []string{"passw", "passphra", "de passe", "ontrase", "enha", "achtwoord", "asło",
				"ароль", "密码", "密碼",
				"パスワード", "비밀번호", "ennwort"},
			Source: "by the word before it"},
		{Name: "password after its name", Put: markPassword, Fold: true, Pattern: passwordAssigned, Check: "password",
			Before: "\n\f\r<>,;", After: "\n\f\r<>,;",
			Hints: []string{"passw", "passphra", "de passe", "ontrase", "enha", "achtwoord", "asło",
				"ароль", "密码", "密碼",
				"パスワード", "비밀번호", "ennwort"},
			Source: "by the word before it"},
		{Name: "value after its name", Put: markToken, Fold: true, Check: "said",
			Hints: []string{"pass", "pwd", "pin", "otp", "key", "token", "secret", "auth", "cvv", "cvc", "code", "jwt",
				"csrf", "xsrf", "bearer", "mnemonic", "phrase", "card", "mfa", "2fa", "tan", "sess", "signature",
				"pw", "csc", "ccn", "cc-n", "cc_n", "karte", "carte", "tarjeta", "parola", "mdp",
				"wort", "contra", "senha", "haslo", "asło", "ароль", "密码", "密碼", "パスワード", "비밀번호"},
			Pattern: `((?:\b\w|[^\x00-\x7f])(?:[\w.-]|[^\x00-\x7f]){1,60})["']?[ \t]{0,3}[:=][ \t]{0,3}["']?` +
				`([^\s"'<>,;&]{4,200})`,
			Source: "by the name before it"},
		{Name: "recovery phrase", Put: markKey, Fold: true, Hints: []string{"mnemonic", "phrase", "seed"},
			Pattern: `\b(?:mnemonic|(?:recovery|seed|secret|backup|wallet)[ _-]{0,2}(?:phrase|words|seed)|seed)` +
				`["']?[ \t]{0,3}[:=][ \t]{0,3}["']?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b`,
			Source: "BIP 39: 12 to 24 words of 3 to 8 letters, by the name before them"},
		{Name: "argument of a secret", Put: markToken, Check: "body",
			Hints: []string{"setItem(", "setRequestHeader(", "append("},
			Pattern: `\b(?:setItem|setRequestHeader|` +
				`append)\([ \t]*["']([\w.-]{2,60})["'][ \t]*,[ \t]*["']([^"'\n]{3,200})["']`,
			Source: "Web Storage, XMLHttpRequest and FormData: by the name before it"},
		{Name: "argument that lets in", Put: markPlain, Check: "mixed", Fold: true,
			Hints: []string{"login", "signin", "authenticate", "authorize", "unlock", "settoken",
				"setpassword", "setpin",
				"verifycode", "verifyotp"},
			Pattern: `\b(?:log|sign|authentic|authoriz|unlock|settoken|setpassword|setpin|verifycode|` +
				`verifyotp)[a-z]{0,16}` +
				`\([^()\n]{0,200}?["']([^"'\n]{4,100})["'][ \t]*\)`,
			Source: "the last argument of a call by its name"},
		// The separators are space, no-break space, thin and narrow no-break space, full stop,
		// plus sign and %20 (spaces in an address), hyphen and non-breaking hyphen.
		{Name: "card number", Before: allBut("0123456789 .+-%"), After: allBut("0123456789 .+-%"),
			Pattern: `\d(?:(?:[ ` + "\u00a0\u2009\u202f\u2011" + `.+-]|%20)?\d){12,}`, Check: "card", Put: markCard,
			Source: "ISO/IEC 7812-1, annex B (Luhn), and the schemes' published ranges"},

		{Name: "one-time code", Fold: true, Pattern: codeAfterWords, Put: markCode, Check: "code",
			Before: "\n.;", After: "\n;",
			Hints:  []string{"code", "otp", "pin", "tan", "password", "passcode"},
			Source: "by the words before it"},
		{Name: "one-time code", Fold: true, Pattern: codeAfterOtherWords, Put: markCode, Check: "code",
			Hints:  []string{"code", "código", "codigo", "codice", "kod", "код", "码", "碼", "コード", "인증"},
			Source: "by the words before it"},
		{Name: "one-time code", Fold: true, Pattern: codeBeforeWords, Put: markCode, Check: "code",
			Hints:  []string{"code", "código", "codice", "код", "码", "碼", "コード", "인증"},
			Source: "by the words after it"},
		{Name: "one-time code", Fold: true, Pattern: codeToUse, Put: markCode, Check: "code",
			Hints:  []string{"to sign", "to log", "to verify", "to confirm", "anmelden", "bestätigen"},
			Source: "by the words around it"},

		{Name: "e-mail address", Use: Personal, Hints: []string{"@"},
			Pattern: `\b[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@` +
				`(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}\b`,
			Source: "RFC 5322, section 3.4.1, in its common form"},
		{Name: "IBAN", Use: Personal, Hints: digits(), Check: "iban",
			Pattern: `\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`,
			Source:  "ISO 13616: length by country, check digits by ISO 7064"},
		{Name: "phone number", Use: Personal, Hints: digits(), Check: "phone",
			Pattern: `(?:\+|\b00)[1-9][0-9]{0,2}(?:[ .\-/]?\(?[0-9]{1,4}\)?){2,5}\b|` +
				`\([2-9][0-9]{2}\) ?[2-9][0-9]{2}-[0-9]{4}\b|\b[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}\b`,
			Source: "ITU-T E.164, E.123"},
	}
}

const lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// allBut are the ASCII characters other than those named.
func allBut(named string) string {
	var b strings.Builder
	for c := range byte(utf8.RuneSelf) {
		if strings.IndexByte(named, c) < 0 {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// digits are the hints of what cannot be without a digit.
func digits() []string { return []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"} }

// urlParameter are query and fragment parameters, also inside another URL's parameter, where they are escaped. The
// names of those that let their holder in are in names.go.
const urlParameter = `(?:[?&#;]|%3f|%26|%23)((?:[\w.\[\]~-]|%[89a-f][\da-f]|[^\x00-\x7f]){1,80}|` +
	`[\w.~-]{1,60}%5b[\w.~-]{1,60}%5d)(?:=|%3d)([^&# \t\n\f\r"'<>]+)`

const passwordAfterName = passwordWords + `(?:[:：]|\bis\b|\bist\b|\best\b)[ \t]*["']?([^ \t\n\f\r"'<>,;]{6,64})`

// passwordAssigned is the same in a form, where an ampersand ends it.
const passwordAssigned = passwordWords + `=[ \t]*["']?([^ \t\n\f\r"'<>,;&]{6,64})`

const passwordWords = `(?:\bpassword|\bpasswd|\bpassphrase|\bpasswort|\bkennwort|\bmot de passe|` +
	`\bcontraseña|\bsenha|\bwachtwoord|\bhasło|пароль|密码|密碼|パスワード|비밀번호)["']?[ \t]*`

const codeAfterWords = `\b(?:(?:verification|security|one[- ]?time|log[- ]?in|sign[- ]?in|access|confirmation|` +
	`authentication|authorization|2fa|two[- ]factor|sms|bestätigungs|sicherheits|anmelde|einmal)` +
	`[- ]?(?:pass)?(?:code|pin|password|tan)|otp|passcode|(?:your|ihr|dein|use|enter)(?: the| this)? (?:code|pin|` +
	`otp))\b[^\d\n.;]{0,30}?[: \t#]` +
	`([0-9]{3}[- ]?[0-9]{3}|[0-9]{4}|[0-9]{5}|[0-9]{7,8}|[A-Z0-9]{3}-[A-Z0-9]{3})(?:[\s.,;!)]|$)`

const codeAfterOtherWords = `(?:code de (?:vérification|sécurité|connexion|confirmation)|votre code|` +
	`código de (?:verificación|seguridad|verificação|acesso|segurança|confirmación)|(?:tu|su|seu) código|` +
	`codice di (?:verifica|sicurezza|conferma)|(?:tuo|suo) codice|` +
	`verificatiecode|kod weryfikacyjny|код (?:подтверждения|безопасности)|(?:ваш|твой) код|` +
	`验证码|驗證碼|確認コード|認証コード|` +
	`인증번호|doğrulama kodu)[^\d\n.;]{0,20}?([0-9]{3}[- ]?[0-9]{3}|[0-9]{4,8})(?:[^0-9]|$)`

const codeBeforeWords = `(?:^|[\s#(\[【:])(?:[a-z]{1,3}-)?([0-9]{3}[- ]?[0-9]{3}|[0-9]{4,8})[)\]】]? ` +
	`(?:is your|ist ihr|ist dein|` +
	`est votre|es tu|` +
	`es su|è il tuo|é o seu|— ваш|- ваш|это ваш|是您的|是你的|as your|to verify)[^\n.]{0,30}(?:code|código|codice|код|码|碼|` +
	`コード|인증)`

const codeToUse = `\b(?:use|enter|type|geben sie|verwenden sie)(?: the| this)? (?:[a-z]{1,3}-)?` +
	`([0-9]{3}[- ]?[0-9]{3}|[0-9]{4,8})` +
	` (?:to (?:sign|log|verify|confirm)|(?:ein, )?(?:um|zum) [^\n.]{0,30}(?:anmelden|bestätigen))`
