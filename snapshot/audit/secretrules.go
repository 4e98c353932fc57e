package audit

import "regexp"

// Secrets that are known by their looks. What redaction knows is in
// snapshot.SecretRules, and is taken out while a page is read; the audit looks for the
// same once more, and besides for what would be too bold to take out of a page unasked:
// further vendors' keys, codes and passwords by the words before them.
//
// The list is our own, from the vendors' documents. A kept rule set as a module was
// considered: gitleaks v8 (MIT) has some 200 rules, but its module brings a hundred
// others along, reads git and archives, and finds "generic" keys by entropy, which on
// web pages are mostly ids.

// keyRule is one kind of secret.
type keyRule struct {
	name string
	// hints are plain pieces without one of which the pattern cannot match.
	hints   []string
	pattern *regexp.Regexp // its first group, where it has one, is the secret
	// check is what the secret must satisfy besides; nil for nothing.
	check  func(secret string) bool
	source string
}

func keyRules() []keyRule {
	rule := func(name, source string, check func(string) bool, pattern string, hints ...string) keyRule {
		return keyRule{name, hints, regexp.MustCompile(pattern), check, source}
	}
	return []keyRule{
		rule("Shopify token", "shopify.dev/docs/apps/build/authentication-authorization, token formats", nil, `\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b`, "shpat_", "shpca_", "shppa_", "shpss_"),
		rule("SendGrid key", "docs.sendgrid.com, API keys: SG.id.secret", nil, `\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b`, "SG."),
		rule("Twilio key", "twilio.com/docs/iam/api-keys: SK and 32 hexadecimal digits", nil, `\bSK[0-9a-f]{32}\b`, "SK"),
		rule("Mailgun key", "documentation.mailgun.com, authentication", nil, `\bkey-[0-9a-f]{32}\b`, "key-"),
		rule("Mailchimp key", "mailchimp.com/developer, API keys end in the data center", nil, `\b[0-9a-f]{32}-us[0-9]{1,2}\b`, "-us"),
		rule("PyPI token", "pypi.org/help/#apitoken", nil, `\bpypi-AgE[A-Za-z0-9_-]{50,}`, "pypi-"),
		rule("DigitalOcean token", "docs.digitalocean.com, token prefixes", nil, `\bdo[opr]_v1_[a-f0-9]{64}\b`, "_v1_"),
		rule("Hugging Face token", "huggingface.co/docs/hub/security-tokens", varied, `\bhf_[A-Za-z0-9]{34}\b`, "hf_"),
		rule("Databricks token", "docs.databricks.com, personal access tokens", nil, `\bdapi[a-f0-9]{32}(?:-\d)?\b`, "dapi"),
		rule("Telegram bot token", "core.telegram.org/bots/api#authorizing-your-bot", varied, `\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b`, ":AA"),
		rule("Square token", "developer.squareup.com, access tokens", nil, `\b(?:EAAA[A-Za-z0-9_-]{60}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43})\b`, "EAAA", "sq0"),
		rule("Atlassian token", "support.atlassian.com, API token format", nil, `\bATATT3[A-Za-z0-9_=-]{150,}`, "ATATT3"),
		rule("Linear key", "linear.app/developers", nil, `\blin_api_[A-Za-z0-9]{40}\b`, "lin_api_"),
		rule("Postman key", "learning.postman.com, API keys", nil, `\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b`, "PMAK-"),
		rule("Slack webhook", "api.slack.com/messaging/webhooks", nil, `\bhooks\.slack\.com/services/(T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/[A-Za-z0-9]{20,26})\b`, "hooks.slack.com"),
		rule("Discord webhook", "discord.com/developers/docs/resources/webhook", nil, `\bdiscord(?:app)?\.com/api/webhooks/\d{17,20}/([A-Za-z0-9_-]{60,72})\b`, "/api/webhooks/"),
		rule("Azure storage key", "learn.microsoft.com, storage connection strings", nil, `\bAccountKey=([A-Za-z0-9+/]{86}==)`, "AccountKey="),
		rule("AWS secret key", "AWS general reference, access keys: 40 characters after their name", varied,
			`(?i:aws_?secret(?:_?access)?_?key|secretaccesskey)["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40})\b`, "ecret", "ECRET"),
		rule("age key", "age-encryption.org/v1: Bech32 of a secret key", nil, `\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\b`, "AGE-SECRET-KEY-1"),
		rule("password after its name", "by the word before it", password, `(?i)(?:\bpassword|\bpasswd|\bpassphrase|\bpasswort|\bkennwort|\bmot de passe|\bcontraseña|\bsenha|\bwachtwoord|\bhasło|\bпароль|密码|密碼|パスワード|비밀번호)["']?\s*(?:[:=：]|\bis\b|\bist\b|\best\b)\s*["']?([^\s"'<>,;]{6,64})`,
			"ass", "ASS", "ontrase", "enha", "achtwoord", "asło", "ароль", "密码", "密碼", "パスワード", "비밀번호", "ennwort"),
		rule("one-time code", "by the words before it", nil, `(?i)\b(?:verification|security|one[- ]?time|log[- ]?in|sign[- ]?in|access|confirmation|authentication|authorization|2fa|two[- ]factor|sms|otp|passcode|bestätigungs|sicherheits|anmelde)[- ]?(?:pass)?(?:code|pin|password|tan)?\b[^\d\n.;]{0,30}?[:\s#]([0-9]{3}[- ]?[0-9]{3}|[0-9]{4}|[0-9]{5}|[0-9]{7,8}|[A-Z0-9]{3}-[A-Z0-9]{3})(?:[\s.,;!)]|$)`,
			"ode", "ODE", "otp", "OTP", "Otp", "asscode", "PIN", "pin", "TAN"),
		rule("one-time code", "by the words before it", nil, `(?i)(?:code de (?:vérification|sécurité|connexion)|código de (?:verificación|seguridad|verificação|acesso|segurança)|codice di (?:verifica|sicurezza)|verificatiecode|kod weryfikacyjny|код (?:подтверждения|безопасности)|验证码|驗證碼|確認コード|認証コード|인증번호|doğrulama kodu)[^\d\n]{0,20}?([0-9]{3}[- ]?[0-9]{3}|[0-9]{4,8})(?:[^0-9]|$)`,
			"ode", "ódigo", "odice", "kod", "код", "Код", "码", "碼", "コード", "인증"),
	}
}

// personalRules are looked for on request only.
func personalRules() []keyRule {
	return []keyRule{
		{"e-mail address", []string{"@"}, regexp.MustCompile(`\b[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}\b`), nil, "RFC 5322, section 3.4.1, in its common form"},
		{"IBAN", nil, regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`), iban, "ISO 13616: length by country, check digits by ISO 7064"},
		{"phone number", nil, regexp.MustCompile(`(?:\+|\b00)[1-9][0-9]{0,2}(?:[ .\-/]?\(?[0-9]{1,4}\)?){2,5}\b|\([2-9][0-9]{2}\) ?[2-9][0-9]{2}-[0-9]{4}\b|\b[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}\b`), phone, "ITU-T E.164, E.123"},
	}
}

// varied: small and capital letters and digits, as random keys have.
func varied(s string) bool {
	small, capital, digit := kinds(s)
	return small && capital && digit
}

// password: letters and digits or signs, not a word of a sentence.
func password(s string) bool {
	small, capital, digit := kinds(s)
	sign := false
	for _, c := range s {
		switch c {
		case '!', '#', '$', '%', '^', '&', '*', '@', '+', '~':
			sign = true
		case '(', ')', '[', ']', '{', '}', '|':
			return false
		}
	}
	return (small || capital) && (digit || sign) && s[0] != '[' && s[0] != '@'
}

func kinds(s string) (small, capital, digit bool) {
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
			small = true
		case c >= 'A' && c <= 'Z':
			capital = true
		case c >= '0' && c <= '9':
			digit = true
		}
	}
	return
}

// ibanLengths are the lengths of IBANs by country (ISO 13616 registry, release 99).
func ibanLength(country string) int {
	switch country {
	case "NO":
		return 15
	case "BE":
		return 16
	case "DK", "FO", "FI", "GL", "NL", "SD", "FK":
		return 18
	case "MK", "SI":
		return 19
	case "AT", "BA", "EE", "KZ", "LT", "LU", "XK", "MN":
		return 20
	case "CH", "HR", "LI", "LV":
		return 21
	case "BG", "BH", "CR", "DE", "GB", "GE", "IE", "ME", "RS", "VA":
		return 22
	case "AE", "GI", "IL", "IQ", "TL", "SO", "OM":
		return 23
	case "AD", "CZ", "ES", "MD", "PK", "RO", "SA", "SE", "SK", "TN", "VG":
		return 24
	case "LY", "PT", "ST":
		return 25
	case "IS", "TR":
		return 26
	case "BI", "DJ", "FR", "GR", "IT", "MC", "MR", "SM":
		return 27
	case "AL", "AZ", "BY", "CY", "DO", "GT", "HU", "LB", "NI", "PL", "SV":
		return 28
	case "BR", "EG", "PS", "QA", "UA":
		return 29
	case "JO", "KW", "MU", "YE":
		return 30
	case "MT", "SC":
		return 31
	case "LC":
		return 32
	case "RU":
		return 33
	}
	return 0
}

// iban checks length and check digits: moved to the end and letters read as 10 to 35,
// the number leaves 1 when divided by 97.
func iban(s string) bool {
	var b []byte
	for i := range len(s) {
		if s[i] != ' ' {
			b = append(b, s[i])
		}
	}
	if len(b) < 5 || ibanLength(string(b[:2])) != len(b) {
		return false
	}
	rest := 0
	for _, c := range append(b[4:len(b):len(b)], b[:4]...) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}

// phone: 8 to 15 digits (E.164), not all the same.
func phone(s string) bool {
	n, same := 0, true
	var first byte
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			if n == 0 {
				first = s[i]
			}
			same = same && s[i] == first
			n++
		}
	}
	return n >= 8 && n <= 15 && !same
}
