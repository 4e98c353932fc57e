package collect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words that page facts and overlays are told by, lower case, in the languages that
// banners are most often written in. A star at the end stands for any ending. Words
// alone never make an overlay: they only name what geometry or a role has found.

func cookieWords() []string {
	return []string{"cookie*", "galletas", "ciasteczk*", "куки", "кукі", "クッキー", "쿠키", "çerez*", "kakor", "evästee*", "informasjonskaps*",
		"informationskaps*", "süti*", "sušenk*", "piškotk*", "kolačić*", "slapuk*", "sīkdat*", "küpsis*", "עוגיות", "ملفات تعريف الارتباط", "คุกกี้"}
}

func consentWords() []string {
	return []string{"consent*", "gdpr", "ccpa", "dsgvo", "rgpd", "lgpd", "kvkk", "privacy", "personal data", "einwillig*", "zustimm*", "datenschutz*",
		"confidentialité", "consentimiento*", "privacidad*", "consenso", "consensi", "consentimento*", "privacidade", "toestemming*", "zgod*", "prywatno*",
		"согласи*", "конфиденциальн*", "同意", "プライバシー", "隐私", "隱私", "개인정보", "samtyck*", "samtykke*", "suostumu*", "souhlas*", "hozzájárul*",
		"consimțăm*", "συγκατάθεσ*", "rıza", "הסכמה", "موافقة"}
}

func acceptWords() []string {
	return []string{"accept*", "agree", "i agree", "allow", "allow all", "got it", "ok", "okay", "understood", "i understand", "akzeptier*", "zustimmen",
		"einverstanden", "verstanden", "alle zulassen", "j'accepte", "d'accord", "tout autoriser", "aceptar*", "acepto", "de acuerdo", "entendido", "accetta*",
		"accetto", "consenti", "ho capito", "aceitar*", "concordo", "accepteren", "akkoord", "toestaan", "akceptuj*", "zgadzam", "rozumiem", "принять", "принимаю",
		"согласен", "хорошо", "прийняти", "同意", "許可", "了解", "接受", "允许", "知道了", "동의", "수락", "허용", "확인", "kabul*", "tamam", "acceptera*", "godkänn*",
		"jag förstår", "godta*", "hyväksy*", "přijmout", "souhlasím", "rozumím", "elfogad*", "rendben", "αποδοχή", "αποδέχομαι", "موافق", "قبول", "אישור", "מסכים", "ยอมรับ"}
}

func rejectWords() []string {
	return []string{"reject*", "decline*", "refuse*", "deny", "disagree", "do not sell", "opt out", "only essential", "essential only", "only necessary",
		"necessary only", "strictly necessary", "necessary cookies", "essential cookies", "required only", "only required", "ablehn*", "nur notwendige*",
		"nur erforderliche*", "nur essenzielle*", "refuser", "sans accepter", "rechazar*", "solo necesarias", "rifiut*", "solo necessari", "senza accettare", "rejeitar*",
		"recusar*", "weiger*", "afwijzen", "alleen noodzakelijke", "odrzuć*", "tylko niezbędne", "отклонить", "отказаться", "только необходимые", "відхилити", "拒否",
		"必要なもののみ", "拒绝", "拒絕", "仅必要", "거부", "거절", "필수", "reddet*", "avvisa*", "neka", "endast nödvändiga", "avvis*", "afvis*", "kun nødvendige", "hylkää*",
		"vain välttämättömät", "odmítnout*", "pouze nezbytné", "elutasít*", "respinge*", "απόρριψη", "رفض", "דחה", "ปฏิเสธ"}
}

func settingsWords() []string {
	return []string{"settings", "preferences", "manage*", "customi*", "options", "configure", "learn more", "more info*", "read more", "policy", "details",
		"partners", "vendors", "purposes", "einstellungen", "verwalten", "mehr", "paramètr*", "personnaliser", "gérer", "configurar", "gestionar", "configuración",
		"impostazioni", "gestisci", "definições", "instellingen", "beheren", "ustawieni*", "настро*", "設定", "设置", "管理", "설정", "ayar*", "inställningar", "innstillinger",
		"indstillinger", "asetukset", "nastavení", "beállítás*", "setări", "ρυθμίσεις"}
}

func closeWords() []string {
	return []string{"close", "dismiss", "hide", "schließen", "schliessen", "fermer", "cerrar", "chiudi", "fechar", "sluiten", "zamknij", "закрыть", "закрити",
		"閉じる", "关闭", "關閉", "닫기", "kapat", "stäng", "lukk", "luk", "sulje", "zavřít", "bezár*", "închide", "κλείσιμο", "إغلاق", "סגור", "סגירה", "ปิด"}
}

func laterWords() []string {
	return []string{"no thanks", "no, thanks", "no thank you", "not now", "maybe later", "later", "remind me later", "cancel", "skip", "no", "nein danke",
		"nicht jetzt", "später", "abbrechen", "überspringen", "non merci", "plus tard", "annuler", "passer", "no gracias", "no, gracias", "ahora no", "más tarde",
		"cancelar", "omitir", "no grazie", "annulla", "non ora", "salta", "não, obrigado", "agora não", "pular", "nee bedankt", "annuleren", "niet nu", "overslaan",
		"nie teraz", "anuluj", "pomiń", "отмена", "не сейчас", "позже", "скасувати", "キャンセル", "あとで", "後で", "いいえ", "取消", "稍后", "以后", "취소", "나중에", "vazgeç",
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
