package collect

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

func loginWords() []string {
	return []string{"log in", "login", "log on", "sign in", "signin", "anmelden", "einloggen", "se connecter", "connexion", "iniciar sesión", "entrar", "acceder", "accedi",
		"inloggen", "aanmelden", "zaloguj*", "войти", "вход", "увійти", "ログイン", "登录", "登入", "로그인", "giriş", "logga in", "logg inn", "log ind", "kirjaudu", "přihlásit*"}
}

func signupWords() []string {
	return []string{"sign up", "signup", "register", "registration", "create account", "create an account", "create your account", "join now", "join", "registrieren", "konto erstellen",
		"s'inscrire", "inscription", "créer un compte", "registrarse", "regístrate", "crear cuenta", "registrati", "iscriviti", "cadastr*", "registreren", "zarejestruj*",
		"регистрация", "зарегистрир*", "新規登録", "会員登録", "注册", "註冊", "회원가입", "kayıt ol"}
}

func checkoutWords() []string {
	return []string{"checkout", "check out", "payment", "billing", "place order", "pay now", "shipping address", "delivery address", "kasse", "zahlung", "paiement", "livraison",
		"pago", "pagamento", "afrekenen", "оплата", "оформление заказа", "結算", "结账", "お支払い", "결제"}
}

func basketWords() []string {
	return []string{"add to cart", "add to basket", "add to bag", "buy now", "in den warenkorb", "ajouter au panier", "añadir al carrito", "añadir a la cesta", "aggiungi al carrello",
		"adicionar ao carrinho", "in winkelwagen", "do koszyka", "в корзину", "купить", "カートに入れる", "加入购物车", "장바구니"}
}

// field counts a form field by what it is for. A field without a name of its own in
// the markup is told by its accessible name.
func (g *gathered) field(n *snapshot.Node, f *pageForm) {
	if !typedInto(n) || len(n.Interactive) == 0 || n.Verdict != snapshot.VerdictRef {
		return
	}
	kind := strings.ToLower(n.Attr("type"))
	auto := strings.ToLower(n.Attr("autocomplete"))
	hint := strings.ToLower(n.Attr("name") + " " + n.Attr("id") + " " + n.Name + " " + n.Attr("placeholder"))
	f.fields++
	switch {
	case kind == "search", n.Role == "searchbox", f.search:
		f.search, f.fields = true, f.fields-1
		g.query = g.query || n.Value != ""
		return
	case kind == "password":
		f.passwords++
		f.newPass = f.newPass || strings.Contains(auto, "new-password")
	case kind == "email", kind == "tel", strings.Contains(auto, "username"), strings.Contains(auto, "email"),
		strings.Contains(hint, "user"), strings.Contains(hint, "login"), strings.Contains(hint, "mail"), strings.Contains(hint, "phone"):
		f.users++
	}
	for _, token := range strings.Fields(auto) {
		if strings.HasPrefix(token, "cc-") || strings.HasPrefix(token, "address-") || token == "street-address" || token == "postal-code" {
			f.payment++
			return
		}
	}
	if strings.Contains(hint, "cardnumber") || strings.Contains(hint, "card number") || strings.Contains(hint, "card-number") || strings.Contains(hint, "card_number") ||
		strings.Contains(hint, "postal") || strings.Contains(hint, "zip") || strings.Contains(hint, "street") || strings.Contains(hint, "cvv") || strings.Contains(hint, "cvc") {
		f.payment++
	}
}

// findLogin: a form with one password that is not a new one, or one that asks for a
// user alone and whose words say sign in. A form with two passwords, or one whose
// words only speak of signing up, makes an account.
func (g *gathered) findLogin() {
	for _, f := range append(g.forms, &g.loose) {
		login, signup := hasWord(f.words, loginWords()), hasWord(f.words, signupWords())
		switch {
		case f.passwords == 1 && !f.newPass && f.fields <= 4 && (login || !signup):
		case f.passwords == 0 && f.users > 0 && f.fields <= 2 && login && !signup:
		default:
			continue
		}
		g.login = f
		return
	}
}

// isCaptcha: a challenge that a person would meet, by the frames and marks of the
// known services, or by its own words on a field or picture.
func isCaptcha(n *snapshot.Node) bool {
	if !n.Visible {
		return false
	}
	if snapshot.IsFrame(n.Tag) {
		src := strings.ToLower(n.Attr("src"))
		if strings.Contains(src, "size=invisible") {
			return false // it only watches
		}
		for _, s := range [...]string{"recaptcha", "hcaptcha", "challenges.cloudflare", "funcaptcha", "arkoselabs", "geetest", "captcha-delivery"} {
			if strings.Contains(src, s) {
				return true
			}
		}
	}
	if n.Attr("data-size") != "invisible" {
		for _, class := range strings.Fields(n.Attr("class")) {
			switch class {
			case "g-recaptcha", "h-captcha", "cf-turnstile", "geetest_captcha":
				return true
			}
		}
	}
	if n.Tag == "img" || typedInto(n) {
		return strings.Contains(strings.ToLower(n.Name+" "+n.Attr("name")+" "+n.Attr("id")), "captcha")
	}
	return false
}

// pageType is the kind of page; the first rule that holds decides, "" where none
// does:
//
//	empty           nothing to read and nothing to operate
//	error           title or first heading says 404, not found, denied, unavailable …, on little text
//	captcha         a challenge and little else
//	checkout        two or more card or address fields, or one on a page that speaks of paying
//	login           a login form that is most of what can be filled
//	signup          a form with a new password, or that speaks of signing up
//	search_results  search words in the address or the search field, and several hits
//	product         marked up as a product, or one basket button with a price
//	article         one article, or long paragraphs; og:type article
//	form            three fields or more to fill
//	table, list     ten rows; ten list items or articles with links
func (g *gathered) pageType() string {
	c := g.c
	words := strings.ToLower(c.Title) + " " + g.words
	head := strings.ToLower(c.Title) + " " + g.h1
	fields, payment, biggest := g.loose.fields, g.loose.payment, &g.loose
	for _, f := range g.forms {
		fields, payment = fields+f.fields, payment+f.payment
		if f.fields > biggest.fields {
			biggest = f
		}
	}
	switch {
	case g.text < 20 && g.interactive == 0 && !g.captcha:
		return "empty"
	case g.text < 2500 && fields <= 2 && hasWord(head, errorWords()):
		return "error"
	case g.captcha && g.text < 1500 && fields <= 1, g.text < 1500 && hasWord(head, []string{"just a moment", "attention required", "are you a robot", "verify you are human"}):
		return "captcha"
	case payment >= 2 && !(biggest.passwords > 0 && biggest.payment < 2), payment == 1 && hasWord(words, checkoutWords()) && biggest.passwords == 0:
		return "checkout"
	case g.login != nil && g.login.fields >= fields-g.login.fields && g.paragraphs < 2500:
		return "login"
	case biggest.newPass || biggest.passwords > 0 || biggest.users > 0 && biggest.fields >= 2 && hasWord(biggest.words+" "+head, signupWords()):
		return "signup"
	case (queryOf(c.URL) != "" || g.query) && g.items >= 3 && g.paragraphs < 6000:
		return "search_results"
	case g.product || g.ogType == "product" || g.toBasket && g.prices > 0 && g.prices <= 6:
		return "product"
	case g.ogType == "article" && g.paragraphs >= 400, g.articles == 1 && g.paragraphs >= 600, g.paragraphs >= 1500:
		return "article"
	case fields >= 3:
		return "form"
	case g.rows >= 10:
		return "table"
	case g.items >= 10:
		return "list"
	}
	return ""
}

func errorWords() []string {
	return []string{"404", "403", "500", "502", "503", "not found", "page not found", "access denied", "forbidden", "server error", "something went wrong", "unavailable",
		"nicht gefunden", "introuvable", "no encontrada", "non trovata", "não encontrada", "niet gevonden", "не найдена", "見つかりません", "找不到", "찾을 수 없"}
}
