// Package redacttest is the table that the rules against secrets are tested with, in
// Go (package redact) and in the page (package collect), so that both agree. The
// numbers and keys are the examples of public documentation or made up.
package redacttest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/redact"
)

// Case is a text and what may leave of it.
type Case struct{ Name, In, Want string }

const (
	token = "[redacted: token]"
	card  = "[redacted: card]"
)

// Cases are secrets in their usual surroundings, and look-alikes that must stay.
func Cases() []Case {
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	var cases []Case
	hide := func(name, in, want string) { cases = append(cases, Case{name, in, want}) }
	keep := func(name, in string) { cases = append(cases, Case{"keep: " + name, in, in}) }

	hide("JSON web token", "id "+jwt+" end", "id "+token+" end")
	hide("JSON web token that was cut", jwt[:60], token)
	hide("sk- key", "key sk-proj-abcDEF123456789012345678", "key "+token)
	hide("Stripe", "sk_live_"+"4eC39HqLyjWDarjtT1zdp7dc", token)
	hide("AWS", "AKIAIOSFODNN7EXAMPLE.", token+".")
	hide("GitHub", "ghp_"+"16C7e42F292c6912E7710c838347Ae178B4a", token)
	hide("GitHub fine-grained", "github_pat_11ABCDEFG0abcdefghijkl_xyz", token)
	hide("GitLab", "glpat-"+"abcDEF1234567890xyzA", token)
	hide("Slack", "xoxb-"+"123456789012-abcdefGHIJKL", token)
	hide("Google", "AIza"+"SyA1234567890abcdefghijklmnopqrstuv", token)
	hide("npm", "npm_"+"abcdefghijklmnopqrstuvwxyz0123456789", token)
	hide("bearer", "Authorization: Bearer mF_9.B5f-4.1JqM0123", "Authorization: Bearer "+token)
	hide("bearer in capitals", "BEARER abcdef0123456789abcd", "BEARER "+token)
	hide("basic", `{"Authorization":"Basic QWxhZGRpbjpvcGVu"}`, `{"Authorization":"Basic `+token+`"}`)
	hide("private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\nrest",
		"[redacted: key]\nrest")
	hide("private key that was cut", "-----BEGIN PRIVATE KEY-----\nMIIEow", "[redacted: key]")

	hide("URL parameters", "https://a.example/cb?state=1&code=abc123&access_token=xyz#top",
		"https://a.example/cb?state=1&code=[redacted]&access_token=[redacted]#top")
	hide("URL fragment", "https://a.example/#id_token=xyz&x=1", "https://a.example/#id_token=[redacted]&x=1")
	hide("relative URL", "/reset?password=hunter2", "/reset?password=[redacted]")
	hide("escaped ampersand", "/x?a=1&amp;session=s3", "/x?a=1&amp;session=[redacted]")
	hide("camel case and brackets", "/x?authToken=1&user[password]=2&API-Key=3",
		"/x?authToken=[redacted]&user[password]=[redacted]&API-Key=[redacted]")
	hide("URL in a URL", "/login?next=%2Fcb%3Ftoken%3Dabc&x=1", "/login?next=%2Fcb%3Ftoken%3D[redacted]&x=1")
	hide("signed URL", "/f?X-Amz-Signature=fe5f80&X-Amz-Date=2013", "/f?X-Amz-Signature=[redacted]&X-Amz-Date=2013")
	hide("session in the path", "/shop;jsessionid=1A2B?x=1", "/shop;jsessionid=[redacted]")
	hide("password of a URL", "ftp://ada:s3cret@files.example/x", "ftp://ada:[redacted]@files.example/x")

	hide("card", "4111111111111111", card)
	hide("card in groups", "Paid with 4111 1111 1111 1111.", "Paid with "+card+".")
	hide("card with hyphens", "card: 5500-0000-0000-0004, exp 12/27", "card: "+card+", exp 12/27")
	hide("card with no-break spaces", "4111\u00a01111\u00a01111\u00a01111", card)
	hide("American Express", "3782 822463 10005", card)
	hide("Diners Club", "30569309025904", card)
	hide("Discover and JCB", "6011111111111117 3530111333300000", card+" "+card)
	hide("card and its code", "4111 1111 1111 1111 123", card+" 123")
	hide("card after other digits", "2 4111 1111 1111 1111", "2 "+card)
	hide("card in JSON", `{"pan":"4111111111111111"}`, `{"pan":"`+card+`"}`)
	hide("card in a query", "/pay?n=4111111111111111", "/pay?n="+card)

	hide("card with escaped spaces", "/pay?n=4111%201111%201111%201111&x=1", "/pay?n="+card+"&x=1")
	keep("escaped spaces in another number", "/pay?n=4111%201111%201111%201112")
	hide("card with full stops", "4111.1111.1111.1111.", card+".")
	hide("card in a form", "/x?n=5555+5555+5555+4444&y=1", "/x?n="+card+"&y=1")
	hide("card, code and PIN as parameters", "/x?cc=4111%201111%201111%201111&cvv=123&pin=4711&pw=ab&y=1",
		"/x?cc=[redacted]&cvv=[redacted]&pin=[redacted]&pw=[redacted]&y=1")
	hide("Visa of 13 digits", "4222222222222", card)
	hide("Visa of 13 digits in groups", "4222 222 222 222 x", card+" x")
	hide("key after its name", "api_key = abcd1234efgh, x", "api_key = "+token+", x")
	hide("client secret", `{"client_secret":"9f8e7d6c5b"}`, `{"client_secret":"`+token+`"}`)
	hide("password after its name", "Your password is Hunter2!x now", "Your password is [redacted: password] now")
	hide("password after its name, elsewhere", "Kennwort: abc-99+z", "Kennwort: [redacted: password]")
	hide("password after its name in Japanese", "パスワード：abc12345", "パスワード：[redacted: password]")
	hide("SendGrid", "SG."+"abcdefGHIJKL0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456", token)
	hide("Twilio", "SK"+"0123456789abcdef0123456789abcdef", token)
	hide("Hugging Face", "hf_"+"abcdefghijklmnopqrstuvwxyzABCD0123", token)
	hide("Shopify", "shpat_"+"0123456789abcdef0123456789abcdef", token)
	hide("AWS secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"aws_secret_access_key = "+token)

	hide("code said in a console line", "otp=ab12-ff34-9Qx done", "otp="+token+" done")
	hide("card said in JSON", `{"cardNumber":"tok_1NxAb2"}`, `{"cardNumber":"`+token+`"}`)
	hide("bearer said", "bearer: q9zz81AbCd", "bearer: "+token)
	hide("argument of a call", "login({'two_factor_code': 'k3v9-22pq'})", "login({'two_factor_code': '"+token+"'})")
	hide("password said in another script", `{"пароль":"Zq81ab","x":1}`, `{"пароль":"[redacted: password]","x":1}`)
	hide("parameter in another script", "/x?a=1&пароль=Zq8&密码=Zq9&z=2", "/x?a=1&пароль=[redacted]&密码=[redacted]&z=2")
	hide("parameter in another script, escaped", "/x?%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C=Zq8&has%C5%82o=Zq9&z=2",
		"/x?%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C=[redacted]&has%C5%82o=[redacted]&z=2")
	const phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
	hide("recovery phrase", "Recovery phrase: "+phrase, "Recovery phrase: [redacted: key]")
	hide("mnemonic in JSON", `{"mnemonic":"`+phrase+`","n":1}`, `{"mnemonic":"[redacted: key]","n":1}`)

	hide("token in a URL parameter", "/x?access_token="+jwt+"&y=1", "/x?access_token="+token+"&y=1")
	hide("beside a mark", "/x?token=ab[redacted: card]cd&y=1", "/x?token=[redacted][redacted: card][redacted]&y=1")
	hide("a mark that holds a secret", "[redacted: sk-proj-abcDEF123456789012345678] x", "[redacted] x")

	const code = "[redacted: one-time code]"
	hide("code by the words before it", "Your code is 834921", "Your code is "+code)
	hide("code to enter", "Enter the code 834921 to go on", "Enter the code "+code+" to go on")
	hide("code with letters before it", "G-834921 is your verification code.", "G-"+code+" is your verification code.")
	hide("code to sign in with", "Use 834-921 to sign in", "Use "+code+" to sign in")
	hide("key of a vendor in small letters", "sk-ant-api03-abcdefghijklmnopqrst1234567890", token)
	keep("number to sign for", "Enter 2 parcels to sign for, 834921 in all, is your choice")
	keep("year and codes that are not for one time", "Use 2 codes to sign in; area code 4155, error code 834921")
	keep("mark in a parameter", "/x?token=[redacted: token]&y=1")
	keep("mark of another kind", "/x?token=[redacted: one-time code]")
	keep("order number", "Order 1234567890123456")
	keep("order number with a hash", "Order #4111111111111111")
	keep("order number in a path", "/orders/4111111111111111")
	keep("order number in a word", "ORD4111111111111111X")
	keep("wrong check digit", "4111 1111 1111 1112")
	keep("groups of a phone", "411 1111 11111 1111")
	keep("international phone", "+4111111111111111")
	keep("phone in groups", "+49 151 1234 5678 9012")
	keep("phone with country code", "0044 20 7946 0958 1234")
	keep("ISBN", "ISBN 978-3-16-148410-0")
	keep("EAN", "4006381333931")
	keep("EAN that could be a Visa", "4006381000093")
	keep("what is said of a password", "Password: required. The password is incorrect; password is too-short")
	keep("IBAN", "DE89 3704 0044 0532 0130 00")
	keep("milliseconds", "1700000000000")
	keep("post id of 19 digits", "1729384756102938475")
	keep("decimal", "3.4111111111111111")
	keep("range of years and sums", "2019 2020 2021 2022 2023")
	keep("UUID", "41111111-1111-1111-1111-111111111111")
	keep("tracking number", "1Z 999 AA1 01 2345 6784")
	keep("masked card", "•••• •••• •••• 1111")
	keep("mixed separators", "4111 1111-1111 1111")
	keep("timestamps", "2026-11-02 10:20:30 2026-11-02")
	keep("class names", "sk-fading-circle-with-three-dots desk-drawer-handle")
	keep("words that begin like it", "ask-me-anything-about-the-weather task-list-item-checkbox")
	keep("bearer in a sentence", "The bearer authentication-scheme-of-choice")
	keep("plain query", "/search?q=password+manager&page=2&country_code=PT&postcode=1000")
	keep("no value", "/x?token=&code")
	keep("colon in a path", "http://a.example:8080/@user")
	keep("mail address", "mailto:ada@example.org?subject=token")
	keep("prose", "Your code is on its way; the session ends at 5 = five.")
	keep("escaped names that are none", "/x?%C3%BCber=1&%D0%B8%D0%BC%D1%8F=2&имя=3")
	keep("what a phrase is", "A recovery phrase: twelve words that you write down. The seed: a number")
	keep("types of a schema", "token: string, pin: number, cardNumber = required")
	keep("style", "width:100px;background:url(a.png);color=red")
	keep("empty", "")
	return cases
}

// Outside requires that the stored bytes are those that were received outside of the
// spans, in order.
func Outside(t testing.TB, received, stored []byte, spans []redact.Span) {
	t.Helper()
	done := 0
	for i, s := range spans {
		require.Regexp(t, `^"?\[redacted.*[\]…]"?$`, string(stored[s.Start:s.End]))
		piece := stored[done:s.Start]
		done = s.End
		at := bytes.Index(received, piece)
		require.True(t, at >= 0 && (i > 0 || at == 0), "before span %d: %q", i, piece)
		received = received[at+len(piece):]
	}
	rest := stored[done:]
	require.True(t, bytes.HasSuffix(received, rest) && (len(spans) > 0 || len(received) == len(rest)),
		"after the last span: %q", rest)
}
