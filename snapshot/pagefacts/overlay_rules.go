package pagefacts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// inspect gathers what the rules need to know about the inside of a layer.
func (f *finder) inspect(l *layer) {
	var b strings.Builder
	if l.node.IsModal() {
		l.dialog = l.node
	}
	var dialog, live *snapshot.Node
	if isLive(l.node) {
		live = l.node
	}
	for p := l.pos; p < f.end[l.pos]; p++ {
		n := &f.c.Nodes[p]
		if !rendered(n) {
			continue
		}
		if dialog == nil && n.IsModal() {
			dialog = n
		}
		if live == nil && isLive(n) {
			live = n
		}
		if b.Len() < maxLayerText && (n.Text != "" || n.Verdict == snapshot.VerdictRef && n.Name != "") {
			if n.Verdict == snapshot.VerdictRef {
				b.WriteString(n.Name + " ")
			}
			b.WriteString(n.Text + " ")
		}
		if n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0 && n.Visible {
			if typedInto(n) {
				l.fields++
			}
			if pressable(n) && len(l.controls) < 200 {
				l.controls = append(l.controls, n)
			}
		}
	}
	if l.dialog == nil && f.holdsOnly(l, dialog) {
		l.dialog = dialog
	}
	l.live = f.holdsOnly(l, live)
	l.text = strings.ToLower(b.String())
}

// holdsOnly reports whether all but a little of what is kept in the layer lies in
// that element: the layer is its frame and nothing else.
func (f *finder) holdsOnly(l *layer, n *snapshot.Node) bool {
	if n == nil {
		return false
	}
	if n == l.node {
		return true
	}
	pos := f.at[n.I]
	in := f.shown[f.end[pos]] - f.shown[pos]
	return in > 0 && l.kept-in <= 2
}

func isLive(n *snapshot.Node) bool {
	switch n.Role {
	case "status", "alert", "log":
		return true
	}
	switch n.Attr("aria-live") {
	case "polite", "assertive":
		return true
	}
	return false
}

// menuLike: it belongs to the control that opened it.
func menuLike(n *snapshot.Node) bool {
	switch n.Role {
	case "menu", "menubar", "listbox", "tooltip", "tree", "grid", "combobox", "tablist", "tabpanel", "radiogroup",
		"option":
		return true
	}
	return false
}

func typedInto(n *snapshot.Node) bool {
	switch n.Tag {
	case "textarea", "select":
		return true
	case "input":
		return snapshot.IsTextType(n.Attr("type"))
	}
	return false
}

func pressable(n *snapshot.Node) bool {
	switch n.Role {
	case "button", "link":
		return true
	}
	switch n.Tag {
	case "button", "a", "summary":
		return true
	}
	// A bare element with a listener: often a cross.
	return !typedInto(n) && n.Tag != "input" && n.Tag != "label" && !snapshot.IsFrame(n.Tag) && !n.IsModal() &&
		n.Role != "checkbox" && n.Role != "radio" && n.Role != "switch"
}

// furniture is what a page has along its edges: landmarks, thin bars, rails.
func (f *finder) furniture(l *layer, view snapshot.Box) bool {
	for p := l.pos; p < f.end[l.pos]; p++ {
		n := &f.c.Nodes[p]
		if !rendered(n) {
			continue
		}
		switch n.Role {
		case "banner", "navigation", "contentinfo", "complementary", "search", "toolbar", "menubar", "main":
			return true
		}
		if p == l.pos {
			switch n.Tag {
			case "header", "nav", "footer", "aside", "main":
				return true
			}
		}
	}
	b := l.node.VisibleBox().Intersect(view)
	bar := b.W() >= 0.6*view.W() && b.H() <= 0.25*view.H() && (b.Y() <= 1 || b.Bottom() >= view.H()-1)
	rail := b.H() >= 0.5*view.H() && b.W() <= 0.3*view.W() && (b.X() <= 1 || b.Right() >= view.W()-20)
	return bar || rail
}

// shell: the page lives in it. It holds the main landmark, or far more than what it
// covers.
func (f *finder) shell(l *layer) bool {
	if f.elsewhere(l) == 0 {
		return true
	}
	for p := l.pos; p < f.end[l.pos]; p++ {
		if n := &f.c.Nodes[p]; n.Role == "main" && rendered(n) && l.share >= shareMost {
			return true
		}
	}
	return l.share >= shareMost && l.kept >= 8 && l.kept >= 4*max(1, len(l.covers))
}

// elsewhere counts kept elements in the viewport that lie outside of the layer and
// are not around it.
func (f *finder) elsewhere(l *layer) int {
	in := f.shown[f.end[l.pos]] - f.shown[l.pos]
	around := 0
	for p := f.parent[l.pos]; p >= 0; p = f.parent[p] {
		around += f.shown[p+1] - f.shown[p]
	}
	return f.shown[len(f.shown)-1] - in - around
}

// isSlide: it lies on siblings of the same place and size, as slides and tab panels do.
func (f *finder) isSlide(l *layer) bool {
	if len(l.covers) == 0 || l.node.Layer == nil || l.node.Layer.Position != "absolute" {
		return false
	}
	up := f.parent[l.pos]
	if up < 0 {
		return false
	}
	mine := l.node.Box
	for _, p := range l.covers {
		sibling := p
		for sibling >= 0 && f.parent[sibling] != up {
			sibling = f.parent[sibling]
		}
		if sibling < 0 {
			return false
		}
		other := f.c.Nodes[sibling].Box
		if other.Intersect(mine).Area() < 0.8*max(mine.Area(), other.Area()) {
			return false
		}
	}
	return true
}

// speaksOfConsent: cookies or consent in its words, a button that answers, and not
// a form about something else with a line of small print.
func (f *finder) speaksOfConsent(l *layer) bool {
	if l.dialog == nil && (len(l.text) >= maxLayerText || l.kept > 150) {
		return false // a whole page
	}
	title := strings.ToLower(f.title(l))
	cookies := hasWord(l.text, cookieWords())
	if l.fields > 0 && !hasWord(title, cookieWords()) && !hasWord(title, consentWords()) {
		return false
	}
	if !cookies && !hasWord(l.text, consentWords()) {
		return false
	}
	answers := false
	for _, n := range l.controls {
		s := f.label(n)
		answers = answers || len(s) < 80 && (hasWord(s, acceptWords()) || hasWord(s, rejectWords()) || cookies &&
			(hasWord(s, closeWords()) || isCross(s)))
	}
	return answers
}

func (f *finder) label(n *snapshot.Node) string {
	s := n.Name
	if s == "" {
		s = f.t.Text(n.I)
	}
	if s == "" {
		s = n.Attr("title")
	}
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// dismissible reports whether a control in the layer is labelled as closing it.
func (f *finder) dismissible(l *layer) bool {
	for _, n := range l.controls {
		s := f.label(n)
		if isCross(s) || len(s) < 40 && (hasWord(s, closeWords()) || hasWord(s, laterWords())) || dismissAttr(n) {
			return true
		}
	}
	return false
}

// dismissAttr: the markup itself marks it as closing.
func dismissAttr(n *snapshot.Node) bool {
	for _, a := range [...]string{"data-dismiss", "data-bs-dismiss", "data-micromodal-close"} {
		if n.HasAttr(a) {
			return true
		}
	}
	return n.Attr("popovertargetaction") == "hide" || strings.HasPrefix(n.Attr("command"), "close") ||
		strings.HasPrefix(n.Attr("command"), "hide-")
}

// pressOf is the control to press to get rid of the overlay: the one that gives away
// least. A consent is refused before it is closed and closed before it is given; any
// other overlay is closed before it is put off, and put off before it is agreed to.
// Buttons go before links, and settings are never pressed. nil if no control is clearly
// dismissing: a guess could buy something.
func (f *finder) pressOf(l *layer) *snapshot.Node {
	best, score := (*snapshot.Node)(nil), 0
	for _, n := range l.controls {
		s := 0
		if !n.States.Is("disabled") {
			s = f.dismissScore(l, n)
		}
		if s > score {
			best, score = n, s
		}
	}
	if best == nil && !l.consent {
		best = f.cornerButton(l)
	}
	return best
}

func (f *finder) dismissScore(l *layer, n *snapshot.Node) int {
	label := f.label(n)
	if len(label) > 80 {
		return 0
	}
	reject, accept := hasWord(label, rejectWords()), hasWord(label, acceptWords())
	settings := hasWord(label, settingsWords()) && !reject && !accept
	closes := isCross(label) || hasWord(label, closeWords()) || dismissAttr(n)
	later := hasWord(label, laterWords())
	ends := f.endsDialog(l, n)
	score := 0
	switch {
	case settings && !closes:
		return 0
	case l.consent && reject:
		score = 100
	case l.consent && closes:
		score = 90
	case l.consent && accept:
		score = 80
	case l.consent:
		return 0
	case closes:
		score = 100
	case later:
		score = 90
	case reject:
		score = 80
	case ends:
		score = 70
	case accept:
		score = 60
	default:
		return 0
	}
	score *= 4
	if n.Role != "link" {
		score += 2
	}
	if n.Occlusion == nil || n.Occlusion.State != snapshot.Covered {
		score++
	}
	return score
}

// endsDialog: a submit button of a form whose method is dialog closes its dialog.
func (f *finder) endsDialog(l *layer, n *snapshot.Node) bool {
	if n.Tag != "button" && n.Tag != "input" || n.Attr("type") == "button" || n.Attr("type") == "reset" {
		return false
	}
	if n.Attr("formmethod") == "dialog" {
		return true
	}
	for up := range f.t.Ancestors(n.I) {
		if up.Tag == "form" {
			return strings.EqualFold(up.Attr("method"), "dialog")
		}
		if up.I == l.node.I {
			break
		}
	}
	return false
}

// cornerButton is a small control without words in an upper corner of the overlay:
// a cross that is drawn.
func (f *finder) cornerButton(l *layer) *snapshot.Node {
	around := l.node.VisibleBox()
	if l.dialog != nil {
		around = l.dialog.VisibleBox()
	}
	for _, n := range l.controls {
		if n.Role == "link" || n.Tag == "a" || f.label(n) != "" || n.Box.W() > 64 || n.Box.H() > 64 {
			continue
		}
		x, y := n.Box.Center()
		if y-around.Y() < 80 && (around.Right()-x < 80 || x-around.X() < 80) {
			return n
		}
	}
	return nil
}

// Words by which page facts and overlays are recognised, lower case, in the languages that
// banners are most often written in. A star at the end matches any ending. Words
// alone never make an overlay: they only name what geometry or a role has found.

func cookieWords() []string {
	return []string{"cookie*", "galletas", "ciasteczk*", "куки", "кукі", "クッキー", "쿠키", "çerez*", "kakor", "evästee*",
		"informasjonskaps*",
		"informationskaps*", "süti*", "sušenk*", "piškotk*", "kolačić*", "slapuk*", "sīkdat*", "küpsis*", "עוגיות",
		"ملفات تعريف الارتباط", "คุกกี้"}
}

func consentWords() []string {
	return []string{"consent*", "gdpr", "ccpa", "dsgvo", "rgpd", "lgpd", "kvkk", "privacy",
		"personal data", "einwillig*",
		"zustimm*", "datenschutz*",
		"confidentialité", "consentimiento*", "privacidad*", "consenso", "consensi", "consentimento*", "privacidade",
		"toestemming*", "zgod*", "prywatno*",
		"согласи*", "конфиденциальн*", "同意", "プライバシー", "隐私", "隱私", "개인정보", "samtyck*", "samtykke*",
		"suostumu*", "souhlas*",
		"hozzájárul*",
		"consimțăm*", "συγκατάθεσ*", "rıza", "הסכמה", "موافقة"}
}

func acceptWords() []string {
	return []string{"accept*", "agree", "i agree", "allow", "allow all", "got it", "ok", "okay", "understood",
		"i understand", "akzeptier*", "zustimmen",
		"einverstanden", "verstanden", "alle zulassen", "j'accepte", "d'accord", "tout autoriser", "aceptar*", "acepto",
		"de acuerdo", "entendido", "accetta*",
		"accetto", "consenti", "ho capito", "aceitar*", "concordo", "accepteren", "akkoord", "toestaan", "akceptuj*",
		"zgadzam", "rozumiem", "принять", "принимаю",
		"согласен", "хорошо", "прийняти", "同意", "許可", "了解", "接受", "允许", "知道了", "동의", "수락", "허용",
		"확인", "kabul*", "tamam",
		"acceptera*", "godkänn*",
		"jag förstår", "godta*", "hyväksy*", "přijmout", "souhlasím", "rozumím", "elfogad*", "rendben", "αποδοχή",
		"αποδέχομαι", "موافق", "قبول", "אישור", "מסכים", "ยอมรับ"}
}

func rejectWords() []string {
	return []string{"reject*", "decline*", "refuse*", "deny", "disagree", "do not sell", "opt out", "only essential",
		"essential only", "only necessary",
		"necessary only", "strictly necessary", "necessary cookies", "essential cookies", "required only",
		"only required",
		"ablehn*", "nur notwendige*",
		"nur erforderliche*", "nur essenzielle*", "refuser", "sans accepter", "rechazar*", "solo necesarias", "rifiut*",
		"solo necessari", "senza accettare", "rejeitar*",
		"recusar*", "weiger*", "afwijzen", "alleen noodzakelijke", "odrzuć*", "tylko niezbędne",
		"отклонить", "отказаться",
		"только необходимые", "відхилити", "拒否",
		"必要なもののみ", "拒绝", "拒絕", "仅必要", "거부", "거절", "필수", "reddet*", "avvisa*", "neka", "endast nödvändiga",
		"avvis*", "afvis*",
		"kun nødvendige", "hylkää*",
		"vain välttämättömät", "odmítnout*", "pouze nezbytné", "elutasít*", "respinge*", "απόρριψη",
		"رفض", "דחה", "ปฏิเสธ"}
}

func settingsWords() []string {
	return []string{"settings", "preferences", "manage*", "customi*", "options", "configure",
		"learn more", "more info*",
		"read more", "policy", "details",
		"partners", "vendors", "purposes", "einstellungen", "verwalten", "mehr", "paramètr*", "personnaliser", "gérer",
		"configurar", "gestionar", "configuración",
		"impostazioni", "gestisci", "definições", "instellingen", "beheren", "ustawieni*", "настро*",
		"設定", "设置", "管理", "설정",
		"ayar*", "inställningar", "innstillinger",
		"indstillinger", "asetukset", "nastavení", "beállítás*", "setări", "ρυθμίσεις"}
}

func closeWords() []string {
	return []string{"close", "dismiss", "hide", "schließen", "schliessen", "fermer", "cerrar", "chiudi", "fechar",
		"sluiten", "zamknij", "закрыть", "закрити",
		"閉じる", "关闭", "關閉", "닫기", "kapat", "stäng", "lukk", "luk", "sulje", "zavřít", "bezár*", "închide",
		"κλείσιμο", "إغلاق",
		"סגור", "סגירה", "ปิด"}
}

func laterWords() []string {
	return []string{"no thanks", "no, thanks", "no thank you", "not now", "maybe later", "later", "remind me later",
		"cancel", "skip", "no", "nein danke",
		"nicht jetzt", "später", "abbrechen", "überspringen", "non merci", "plus tard", "annuler",
		"passer", "no gracias",
		"no, gracias", "ahora no", "más tarde",
		"cancelar", "omitir", "no grazie", "annulla", "non ora", "salta", "não, obrigado", "agora não", "pular",
		"nee bedankt", "annuleren", "niet nu", "overslaan",
		"nie teraz", "anuluj", "pomiń", "отмена", "не сейчас", "позже", "скасувати", "キャンセル", "あとで",
		"後で", "いいえ", "取消", "稍后",
		"以后", "취소", "나중에", "vazgeç",
		"iptal", "avbryt", "inte nu", "annuller", "peruuta", "zrušit", "mégse", "renunță", "ακύρωση", "إلغاء", "ביטול"}
}

// isCross reports whether a label is only a sign that means close.
func isCross(label string) bool {
	switch strings.TrimSpace(label) {
	case "×", "✕", "✖", "✗", "✘", "⨯", "╳", "❌", "x", "X", "⤫", "🗙":
		return true
	}
	return false
}

// hasWord reports whether the text, in lower case, has one of the words: whole words
// in scripts that set words apart, anywhere in others.
func hasWord(text string, words []string) bool {
	for _, w := range words {
		stem, open := strings.CutSuffix(w, "*")
		for at := 0; ; {
			k := strings.Index(text[at:], stem)
			if k < 0 {
				break
			}
			k += at
			before, _ := utf8.DecodeLastRuneInString(text[:k])
			after, _ := utf8.DecodeRuneInString(text[k+len(stem):])
			if !spaced(stem) || !unicode.IsLetter(before) && (open || !unicode.IsLetter(after)) {
				return true
			}
			at = k + len(stem)
		}
	}
	return false
}

// spaced reports whether the script of a word sets words apart.
func spaced(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}
