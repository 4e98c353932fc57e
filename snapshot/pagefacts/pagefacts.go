// Package pagefacts tells what a page is as a whole: its overlays and what to press to be rid of them, its landmarks
// and forms, what kind of page it is, and the beginning of what it says. Start with [Describe].
//
// It goes by the nodes of a capture after redaction alone, so what was withheld cannot come back in it, and a recorded
// page of which a filter leaves something out is described as a capture with that filter would be.
package pagefacts

import (
	"net/url"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// maxPreview is the length of the main content's preview, in characters (W-2).
const maxPreview = 500

// Describe fills the facts of the page as a whole (W-2, W-4) from the nodes. All elements must be in the capture, not
// the kept ones alone: a description is in the head of a page.
func Describe(c *snapshot.Capture) {
	p := &c.Page
	p.Overlays = findOverlays(c)
	g := gather(c)
	p.Landmarks = landmarks(c)
	p.FormCount = len(g.forms)
	p.HasLoginForm = g.login != nil
	p.HasCaptcha = g.captcha
	p.InteractiveCount = g.interactive
	p.Description = g.description
	p.Preview = g.preview()
	p.Type = g.pageType()
}

// pageForm is one form: a rendered form element, or the page's fields outside of any.
type pageForm struct {
	fields    int // that a person fills
	passwords int
	newPass   bool // autocomplete=new-password
	users     int  // user names, mail addresses, telephone numbers
	payment   int  // card and address fields
	search    bool
	words     string // of its headings and buttons, lower case
}

// gathered is the result of one pass over the nodes.
type gathered struct {
	c     *snapshot.Capture
	t     *snapshot.Tree
	forms []*pageForm
	loose pageForm // the page's fields outside of any form
	login *pageForm

	captcha     bool
	interactive int
	description string
	ogType      string
	main        *snapshot.Node // the main content's root, nil for none
	article     *snapshot.Node
	articles    int
	h1          string
	words       string // title and headings, lower case
	paragraphs  int    // characters of paragraphs of 80 and more
	text        int    // characters of all that is kept
	rows, items int    // table rows; list items and articles that hold a link
	prices      int
	toBasket    bool
	product     bool // marked up as a product
	query       bool // a search field that holds something
}

func gather(c *snapshot.Capture) *gathered {
	g := &gathered{c: c, t: snapshot.NewTree(c)}
	form := map[int]*pageForm{} // by node index, for elements inside
	item := map[int]int{}       // the list item or article around each node
	counted := map[int]bool{}   // those that hold a link
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.Tag == "meta" && n.Frame == 0 {
			g.meta(n)
		}
		f := form[n.Parent]
		if n.Tag == "form" && rendered(n) {
			f = &pageForm{search: n.Role == "search"}
			g.forms = append(g.forms, f)
		}
		if f != nil {
			form[n.I] = f
		}
		if !rendered(n) {
			continue
		}
		g.captcha = g.captcha || isCaptcha(n)
		if n.Tag == "main" || n.Role == "main" {
			if g.main == nil {
				g.main = n
			}
		}
		if n.Tag == "article" || n.Role == "article" {
			g.articles++
			if g.article == nil {
				g.article = n
			}
		}
		if strings.HasSuffix(strings.TrimSuffix(n.Attr("itemtype"), "/"), "schema.org/Product") {
			g.product = true
		}
		if f == nil {
			f = &g.loose
		}
		g.field(n, f)
		around, in := item[n.Parent]
		if n.Tag == "li" || n.Tag == "article" {
			around, in = n.I, true
		}
		if in {
			item[n.I] = around
			if n.Tag == "a" && n.Verdict == snapshot.VerdictRef && !counted[around] {
				counted[around] = true
				g.items++
			}
		}
		g.line(n, f)
	}
	g.findLogin()
	return g
}

func (g *gathered) meta(n *snapshot.Node) {
	name := strings.ToLower(n.Attr("name") + n.Attr("property"))
	content := strings.Join(strings.Fields(n.Attr("content")), " ")
	switch name {
	case "description":
		g.description = text.Cut(content, maxPreview)
	case "og:description":
		if g.description == "" {
			g.description = text.Cut(content, maxPreview)
		}
	case "og:type":
		g.ogType = strings.ToLower(content)
	}
}

// line counts the text of an element.
func (g *gathered) line(n *snapshot.Node, f *pageForm) {
	operable := n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0
	if operable {
		g.interactive++
	}
	heading := snapshot.IsHeading(n.Tag) || n.Role == "heading"
	switch {
	case heading && n.Verdict.Kept():
		s := strings.ToLower(g.t.Text(n.I))
		f.words += " " + s
		if len(g.words) < 4000 {
			g.words += " " + s
		}
		if n.Tag == "h1" && g.h1 == "" {
			g.h1 = s
		}
	case operable && (n.Role == "button" || n.Tag == "a"):
		s := strings.ToLower(n.Name)
		if n.Role == "button" && len(f.words) < 2000 {
			f.words += " " + s
		}
		g.toBasket = g.toBasket || len(s) < 60 && hasWord(s, basketWords())
	}
	if n.Verdict.Kept() || n.Verdict == snapshot.VerdictInsideAtomic {
		length := len([]rune(n.Text))
		g.text += length
		if length >= 80 && (n.Tag == "p" || n.Tag == "div" || n.Tag == "blockquote" || n.Tag == "li") &&
			n.Verdict.Kept() {
			g.paragraphs += length
		}
		if length < 20 && isPrice(n.Text) {
			g.prices++
		}
	}
	if n.Tag == "tr" && n.Verdict == snapshot.VerdictRef {
		g.rows++
	}
}

// preview is the start of the main content in words: without navigation, overlays,
// controls and what forms hold.
func (g *gathered) preview() string {
	root := g.main
	if root == nil && g.articles == 1 {
		root = g.article
	}
	overlay := map[int]bool{}
	for _, o := range g.c.Page.Overlays {
		overlay[o.Node] = true
	}
	var b strings.Builder
	skip := -1 // index of the subtree that is left out
	inside := func(i, outer int) bool { return g.t.Contains(outer, i) }
	for p := 0; p < len(g.c.Nodes) && b.Len() < 8*maxPreview; p++ {
		n := &g.c.Nodes[p]
		if skip >= 0 {
			if inside(n.I, skip) {
				continue
			}
			skip = -1
		}
		if root != nil {
			if n.I < root.I {
				continue
			}
			if !inside(n.I, root.I) {
				break
			}
		}
		if overlay[n.I] || root == nil && isFurniture(n) || n.Tag == "nav" || n.Role == "navigation" ||
			len(n.Redacted) > 0 ||
			len(n.Interactive) > 0 && n.Tag != "a" && n.Tag != "summary" {
			skip = n.I
			continue
		}
		switch {
		case n.Verdict == snapshot.VerdictContent || snapshot.IsHeading(n.Tag) && n.Verdict.Kept() || n.Tag == "pre" &&
			n.Verdict.Kept():
			b.WriteString(g.t.Text(n.I) + " ")
			skip = n.I
		case n.Verdict == snapshot.VerdictRef && n.Text != "", n.Verdict == snapshot.VerdictInsideAtomic &&
			n.Text != "":
			b.WriteString(n.Text + " ")
		}
	}
	return text.Cut(strings.Join(strings.Fields(b.String()), " "), maxPreview)
}

func isFurniture(n *snapshot.Node) bool {
	switch n.Role {
	case "banner", "contentinfo", "complementary", "search":
		return true
	}
	return n.Tag == "header" || n.Tag == "footer" || n.Tag == "aside"
}

// isPrice: digits with a currency beside them and little else.
func isPrice(s string) bool {
	return strings.ContainsAny(s, "0123456789") && (strings.ContainsAny(s, "$€£¥₹₽₩₺₴") || strings.Contains(s, "EUR") ||
		strings.Contains(s, "USD") || strings.Contains(s, "zł") || strings.Contains(s, "kr"))
}

// queryOf is the search words in an address, "" for none.
func queryOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for _, key := range [...]string{"q", "query", "search", "s", "k", "keyword", "keywords", "search_query", "term"} {
		if v := u.Query().Get(key); v != "" {
			return v
		}
	}
	return ""
}

// landmarks are the rendered landmark regions in document order.
func landmarks(c *snapshot.Capture) []snapshot.Landmark {
	var out []snapshot.Landmark
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() && n.Verdict != snapshot.VerdictWrapper {
			continue
		}
		if snapshot.IsLandmark(n.Role) {
			out = append(out, snapshot.Landmark{Node: n.I, Role: n.Role, Name: n.Name})
		}
	}
	return out
}

func loginWords() []string {
	return []string{"log in", "login", "log on", "sign in", "signin", "anmelden", "einloggen",
		"se connecter", "connexion",
		"iniciar sesión", "entrar", "acceder", "accedi",
		"inloggen", "aanmelden", "zaloguj*", "войти", "вход", "увійти", "ログイン", "登录", "登入", "로그인", "giriş", "logga in",
		"logg inn", "log ind", "kirjaudu", "přihlásit*"}
}

func signupWords() []string {
	return []string{"sign up", "signup", "register", "registration", "create account", "create an account",
		"create your account", "join now", "join", "registrieren", "konto erstellen",
		"s'inscrire", "inscription", "créer un compte", "registrarse", "regístrate", "crear cuenta", "registrati",
		"iscriviti", "cadastr*", "registreren", "zarejestruj*",
		"регистрация", "зарегистрир*", "新規登録", "会員登録", "注册", "註冊", "회원가입", "kayıt ol"}
}

func checkoutWords() []string {
	return []string{"checkout", "check out", "payment", "billing", "place order", "pay now", "shipping address",
		"delivery address", "kasse", "zahlung", "paiement", "livraison",
		"pago", "pagamento", "afrekenen", "оплата", "оформление заказа", "結算", "结账", "お支払い", "결제"}
}

func basketWords() []string {
	return []string{"add to cart", "add to basket", "add to bag", "buy now", "in den warenkorb", "ajouter au panier",
		"añadir al carrito", "añadir a la cesta", "aggiungi al carrello",
		"adicionar ao carrinho", "in winkelwagen", "do koszyka", "в корзину", "купить", "カートに入れる", "加入购物车", "장바구니"}
}

// field counts a form field by what it is for. A field without a name of its own in
// the markup is classified by its accessible name.
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
		strings.Contains(hint, "user"), strings.Contains(hint, "login"), strings.Contains(hint, "mail"),
		strings.Contains(hint, "phone"):
		f.users++
	}
	for _, token := range strings.Fields(auto) {
		if strings.HasPrefix(token, "cc-") || strings.HasPrefix(token, "address-") || token == "street-address" ||
			token == "postal-code" {
			f.payment++
			return
		}
	}
	if strings.Contains(hint, "cardnumber") || strings.Contains(hint, "card number") ||
		strings.Contains(hint, "card-number") || strings.Contains(hint, "card_number") ||
		strings.Contains(hint, "postal") || strings.Contains(hint, "zip") || strings.Contains(hint, "street") ||
		strings.Contains(hint, "cvv") || strings.Contains(hint, "cvc") {
		f.payment++
	}
}

// findLogin: a form with one password that is not a new one, or one that asks for a
// user name alone and whose words mean sign in. A form with two passwords, or one whose
// words only mention signing up, makes an account.
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
		for _, s := range [...]string{"recaptcha", "hcaptcha", "challenges.cloudflare", "funcaptcha",
			"arkoselabs", "geetest",
			"captcha-delivery"} {
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
//	error           title or first heading contains 404, not found, denied, unavailable …, on little text
//	captcha         a challenge and little else
//	checkout        two or more card or address fields, or one on a page that mentions paying
//	login           a login form that is most of what can be filled
//	signup          a form with a new password, or that mentions signing up
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
	case g.captcha && g.text < 1500 && fields <= 1, g.text < 1500 &&
		hasWord(head, []string{"just a moment", "attention required", "are you a robot", "verify you are human"}):
		return "captcha"
	case payment >= 2 && !(biggest.passwords > 0 && biggest.payment < 2), payment == 1 &&
		hasWord(words, checkoutWords()) &&
		biggest.passwords == 0:
		return "checkout"
	case g.login != nil && g.login.fields >= fields-g.login.fields && g.paragraphs < 2500:
		return "login"
	case biggest.newPass || biggest.passwords > 0 || biggest.users > 0 && biggest.fields >= 2 &&
		hasWord(biggest.words+" "+head, signupWords()):
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
	return []string{"404", "403", "500", "502", "503", "not found", "page not found", "access denied", "forbidden",
		"server error", "something went wrong", "unavailable",
		"nicht gefunden", "introuvable", "no encontrada", "non trovata", "não encontrada",
		"niet gevonden", "не найдена",
		"見つかりません", "找不到", "찾을 수 없"}
}
