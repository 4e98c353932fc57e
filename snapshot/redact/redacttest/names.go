package redacttest

// Names are names of secrets in their usual spellings: 90 of them, in six languages. What has one of them holds a
// secret wherever a person or a program put it, but for those that say where they do.
func Names() []string {
	return []string{
		"password", "Password", "pass", "passwd", "pwd", "pw", "user_pass", "userPass", "newpass", "new_password",
		"oldPassword", "passwordConfirmation", "password2", "db_password", "passphrase", "passcode", "adminPassword",
		"j_password", "ctl00$txtPassword", "kennwort", "Passwort", "contraseña", "contrasena", "senha", "wachtwoord",
		"mot_de_passe", "motdepasse", "parola", "пароль", "密码", "パスワード", "otp", "OTP", "totp", "one-time-code",
		"oneTimeCode", "one_time_password", "pin", "pincode", "user-pin", "userpin", "emailotp", "mfa", "mfa_code",
		"two_factor_code",
		"twoFactorCode", "2fa", "verification_code", "verificationCode", "smsCode", "auth_code", "login_code", "mtan",
		"backup-code", "recoveryCode", "cvv", "cvv2", "cvc", "csc", "card_number", "cardNumber", "cardnumber",
		"creditCard", "cc-number", "ccnum", "security_code", "securityCode", "card[number]", "kartennummer",
		"numero_de_carte", "numero_tarjeta", "secret", "client_secret", "clientSecret", "api_key", "apiKey", "apikey",
		"X-Api-Key", "api-secret", "private_key", "privateKey", "secretAccessKey", "access_key", "app_key",
		"subscription-key", "Ocp-Apim-Subscription-Key", "encryptionKey", "signing_secret", "mnemonic", "seed_phrase",
		"recoveryPhrase", "licenseKey", "token", "access_token", "accessToken", "idToken", "refresh_token",
		"csrf_token", "csrfToken", "xsrf-token", "authenticity_token", "__RequestVerificationToken", "jwt", "bearer",
	}
}

// QueryNames are further names that an address has: of those that let their holder in.
func QueryNames() []string {
	return []string{
		"key", "code", "session", "sid", "sig", "signature", "sas", "oauth_verifier", "magic", "invite", "csrf",
		"xsrf", "hmac", "ticket", "nonce", "auth", "JSESSIONID", "X-Amz-Signature", "SAMLResponse",
		"client_assertion", "cc",
	}
}

// Labels are what fields of secrets are called for people.
func Labels() []string {
	return []string{
		"Password", "Your password", "Pass", "Passphrase", "Kennwort", "Neues Passwort", "Mot de passe", "Contraseña",
		"Senha", "Пароль", "密码", "パスワード", "PIN", "One-time code", "Security code", "Verification code", "SMS code",
		"Bestätigungscode", "Code de vérification", "Código de verificación", "Codice di verifica",
		"Код подтверждения", "验证码", "認証コード", "Card number", "CVC", "Kartennummer", "Numéro de carte",
		"Número de tarjeta", "Secret access key", "Access key", "API key", "Private key", "Recovery phrase",
		"Seed phrase", "Mnemonic", "Client secret", "Personal access token", "Secret", "Geheimer Schlüssel",
	}
}

// PlainNames are names that are about a secret, or only sound like one: what they hold is none.
func PlainNames() []string {
	return []string{
		"password_hint", "passwordStrength", "password-toggle", "showPassword", "show_password_button",
		"passwordMinLength", "password_reset_url", "passport", "passenger", "bypass", "compass", "pinned", "spinner",
		"shipping", "opinion", "keyword", "keywords", "keyboard", "monkey", "turkey", "max_tokens", "maxTokens",
		"input_tokens", "token_count", "tokenType", "token_url", "next_page_token", "zip_code", "postal_code",
		"promo_code", "coupon-code", "countryCode", "area_code", "discount_code", "product_code", "statusCode",
		"error_code", "language_code", "qrcode", "barcode", "card", "cardTitle", "cardType", "card-body", "discard",
		"author", "authors", "authority", "secretary", "session_title", "signature_date", "tan", "tangent", "spin",
		"caption", "cookiePolicy", "cookie-consent", "captcha_label", "sort_key", "primaryKey", "foreign_key",
		"keyCode", "key_name", "description", "q", "search", "email", "username", "first_name", "address", "amount",
		"quantity", "date", "color", "f_d05f7194-3dd2-4201-a2fa-ba7a49e267db", "id-9a2fa4b5c6d7e8f90a1b2c3d4e5f60718",
	}
}
