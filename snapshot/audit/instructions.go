package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Text that addresses an agent. Two lists of patterns: commands to a model, which are a
// finding anywhere, and words about models, which are one only where people cannot see
// them. No list can be complete; it holds what published attacks have in common, in the
// languages most often seen (OWASP LLM01:2025; Greshake et al., 2023, "Not what you've
// signed up for").
//
// Before it is compared, text is made plain: lower case, single spaces, without
// characters that cannot be seen; tag characters (U+E0020 to U+E007E), which smuggle
// ASCII past people, become the ASCII they encode.

// phrase is a pattern, and plain pieces without which it cannot match: one of any and,
// where there are some, one of also. Most texts have none, and regular expressions are
// slow.
type phrase struct {
	any, also []string
	pattern   *regexp.Regexp
}

func (p phrase) find(t string) []int {
	if !hasOne(t, p.any) || len(p.also) > 0 && !hasOne(t, p.also) {
		return nil
	}
	return p.pattern.FindStringIndex(t)
}

func hasOne(t string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(t, s) })
}

// The phrases, compiled when they are first looked for.
var (
	allCommands = sync.OnceValue(commands)
	allMentions = sync.OnceValue(mentions)
)

// findCommand is where a text commands a model, nil for nowhere.
func findCommand(text string) []int {
	for _, p := range allCommands() {
		if at := p.find(text); at != nil {
			return at
		}
	}
	return nil
}

// commands address a model and tell it what to do.
func commands() []phrase {
	return []phrase{
		// English
		{[]string{"ignor", "disregard", "forget", "override", "bypass"},
			[]string{"instruction", "prompt", "rule", "directive", "guideline", "command", "context"},
			regexp.MustCompile(`\b(?:ignore|disregard|forget|override|bypass)\b[^.;!?。；]{0,30}\b(?:previous|prior|` +
				`above|earlier|preceding|original|your|all|any|system|developer)\b[^.;!?。；]{0,25}\b(?:instructions?|` +
				`prompts?|rules|directives|guidelines|commands|context)\b`)},
		{[]string{"attention", "dear", "note to", "message ", "instruction", "hey"},
			[]string{"ai", "llm", "artificial", "language model", "gpt", "claude", "gemini", "copilot",
				"agent", "assistant",
				"model", "bot"}, regexp.MustCompile(
				`\b(?:attention|dear|note to|message (?:to|for)|instructions? (?:to|for)|` +
					`hey)\b[ :,]{1,3}(?:all |any |the |every )?(?:ai|llms?|artificial intelligence|language models?|` +
					`chatgpt|claude|gemini|gpt|copilot|(?:ai|browser|web|automated|autonomous) (?:agents?|` +
					`assistants?|models?|bots?))\b`)},
		{[]string{"if you"}, []string{"ai", "llm", "artificial", "language model", "gpt", "claude", "gemini", "copilot",
			"agent", "assistant", "model", "bot"},
			regexp.MustCompile(`\bif you(?:'re| are| re) (?:an? |the )?(?:ai\b|llm|language model|large language ` +
				`model|(?:ai|browser|web|automated|autonomous) (?:agent|assistant|bot)|artificial intelligence|` +
				`chatbot)`)},
		{[]string{"ai agent", "ai assistant", "ai model", "llm", "browser agent", "browser assistant", "browser model"},
			[]string{"must", "should", "shall", "need to", "have to", " are ", "please"},
			regexp.MustCompile(`\b(?:ai|llm|browser) (?:agents?|assistants?|models?)[,:]? (?:must|should|shall|need ` +
				`to|have to|are (?:required|instructed|requested) to|please)\b`)},
		{[]string{"you are"}, []string{" dan", "unrestricted", "jailbroken", "developer mode", "no longer bound"},
			regexp.MustCompile(`\byou are (?:now )?(?:an? )?` +
				`(?:dan\b|unrestricted|jailbroken|in developer mode|no longer bound)`)},
		{[]string{"instruction"}, []string{"new ", "updated", "important", "hidden", "secret"},
			regexp.MustCompile(`\b(?:new|updated|important|hidden|secret) (?:system )?instructions? (?:for|to) ` +
				`(?:the )?(?:ai|llm|assistant|agent|model)\b`)},
		{[]string{"do not ", "don't ", "never ", "without "}, []string{" user", " human", " operator"},
			regexp.MustCompile(`\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|alert|alerting|` +
				`notify|notifying|reveal|mention|mentioning|ask|asking)\b[^.;!?。；]{0,20}\b(?:the|your) (?:user|human|` +
				`operator)\b`)},
		{[]string{"system prompt", "initial prompt", "hidden prompt", "system message"}, nil,
			regexp.MustCompile(`\b(?:reveal|print|repeat|output|show|leak|send|exfiltrate)\b[^.;!?。；]{0,20}\b(?:your|` +
				`the) (?:system prompt|initial prompt|hidden prompt|system message)`)},
		// Markup of chat templates
		{[]string{"<|", "inst]", "<<sys>>", "system>", "system_prompt>", "system-prompt>", "system-reminder>",
			"begin system",
			"begin new", "##"}, nil,
			regexp.MustCompile(`<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|>|` +
				`\[/?inst\]|<<sys>>|</?system(?:_prompt|-prompt|-reminder)?>|\bbegin (?:system prompt|new ` +
				`instructions)\b|###? ?(?:system|instruction)s?:`)},
		// German, French, Spanish, Portuguese, Italian, Dutch
		{[]string{"ignorier", "missachte", "vergiss"}, nil,
			regexp.MustCompile(`(?:ignoriere?n?|missachte|vergiss)\b[^.;!?。；]{0,25}(?:vorherigen?|bisherigen?|` +
				`obigen?|früheren?|vorigen?|alle|deine)\b[^.;!?。；]{0,15}(?:anweisung|instruktion|befehl|regeln|` +
				`prompt|vorgaben)`)},
		{[]string{"ignore", "oublie", "néglige"}, []string{"instruction", "consigne", "directive", "règle", "ordre"},
			regexp.MustCompile(`(?:ignore[zr]?|oublie[zr]?|néglige[zr]?)\b[^.;!?。；]{0,30}(?:instructions?|consignes?|` +
				`directives?|règles|ordres)\b[^.;!?。；]{0,20}(?:précédente?s?|antérieure?s?|ci-dessus|système)`)},
		{[]string{"ignor", "olvid", "descart"}, []string{"instrucciones", "indicaciones", "órdenes", "reglas"},
			regexp.MustCompile(`(?:ignora|ignore|olvida|olvide|descarta)\b[^.;!?。；]{0,30}(?:instrucciones|` +
				`indicaciones|órdenes|reglas)\b[^.;!?。；]{0,20}(?:anteriores|previas|del sistema|de arriba)`)},
		{[]string{"ignor", "esqueça", "desconsidere"}, []string{"instruções", "orientações", "ordens", "regras"},
			regexp.MustCompile(`(?:ignore|ignora|esqueça|desconsidere)\b[^.;!?。；]{0,30}(?:instruções|orientações|` +
				`ordens|regras)\b[^.;!?。；]{0,20}(?:anteriores|prévias|acima|do sistema)`)},
		{[]string{"ignora", "dimentica", "trascura"}, []string{"istruzioni", "indicazioni", "comandi", "regole"},
			regexp.MustCompile(`(?:ignora|ignorate|dimentica|trascura)\b[^.;!?。；]{0,30}(?:istruzioni|indicazioni|` +
				`comandi|regole)\b[^.;!?。；]{0,20}(?:precedenti|di sistema|sopra)`)},
		{[]string{"negeer", "vergeet"}, nil,
			regexp.MustCompile(`(?:negeer|vergeet)\b[^.;!?。；]{0,25}(?:vorige|eerdere|voorgaande|bovenstaande|` +
				`alle)\b[^.;!?。；]{0,15}(?:instructies|opdrachten|regels|aanwijzingen)`)},
		// Polish, Czech, Russian and Ukrainian, Turkish
		{[]string{"ignoruj", "zapomnij"}, nil,
			regexp.MustCompile(`(?:zignoruj|ignoruj|zapomnij)\b[^.;!?。；]{0,25}(?:poprzednie|wcześniejsze|powyższe|` +
				`wszystkie)\b[^.;!?。；]{0,20}(?:instrukcje|polecenia|zasady)`)},
		{[]string{"ignoruj", "zapomeň"}, nil,
			regexp.MustCompile(`(?:ignoruj|zapomeň)\S*[^.;!?。；]{0,25}(?:předchozí|` +
				`všechny)\S*[^.;!?。；]{0,20}(?:instrukce|pokyny)`)},
		{[]string{"игнорируй", "забудь", "ігноруй"}, nil,
			regexp.MustCompile(`(?:игнорируй|проигнорируй|забудь|ігноруй)\S*[^.;!?。；]{0,30}(?:предыдущ|прежн|все|всі|` +
				`попередн)\S*[^.;!?。；]{0,25}(?:инструкци|указани|команд|правил|інструкці|вказівк)`)},
		{[]string{"talimat", "komut", "yönerge", "kural"}, nil,
			regexp.MustCompile(`(?:önceki|yukarıdaki|tüm)\b[^.;!?。；]{0,20}(?:talimat|komut|yönerge|` +
				`kural)\S*[^.;!?。；]{0,15}(?:yok say|görmezden gel|unut|dikkate alma)`)},
		// Chinese, Japanese, Korean, Arabic, Hindi
		{[]string{"忽略", "无视", "無視", "忘记", "忘記", "不要理会"}, nil,
			regexp.MustCompile(`(?:忽略|无视|無視|忘记|忘記|不要理会)[^.;!?。；]{0,12}(?:之前|以上|先前|前面|所有|上述|全部)[^.;!?。；]{0,8}(?:指令|指示|` +
				`提示|说明|規則|规则|命令)`)},
		{[]string{"無視", "忘れ", "従わ"}, nil,
			regexp.MustCompile(`(?:以前|これまで|上記|前|すべて|全て)の[^.;!?。；]{0,8}(?:指示|命令|プロンプト|ルール)[^.;!?。；]{0,6}(?:無視|忘れ|従わ)`)},
		{[]string{"무시", "잊"}, nil,
			regexp.MustCompile(`(?:이전|위의|앞의|모든)[^.;!?。；]{0,8}(?:지시|명령|프롬프트|지침)[^.;!?。；]{0,6}(?:무시|잊)`)},
		{[]string{"تجاهل", "انس"}, nil,
			regexp.MustCompile(`(?:تجاهل|انس|تجاهلوا)[^.;!?。；]{0,20}(?:التعليمات|الأوامر|` +
				`القواعد)[^.;!?。；]{0,12}(?:السابقة|أعلاه)`)},
		{[]string{"निर्देश", "आदेश"}, nil,
			regexp.MustCompile(`(?:पिछले|पूर्व|सभी)[^.;!?。；]{0,12}(?:निर्देश|आदेश)\S*[^.;!?。；]{0,12}(?:अनदेखा|` +
				`नज़रअंदाज|नजरअंदाज|भूल)`)},
	}
}

// mentions are words that people write about models too.
func mentions() phrase {
	return phrase{
		[]string{"prompt", "ai ", "ai", "language model", "llm", "browser agent", "chatgpt", "ki-",
			"ia", "ии", "人工智能助手",
			"에이전트에게"}, nil,
		regexp.MustCompile(`\bsystem prompt\b|\bai (?:agents?|assistants?|models?)\b|\bas an ai\b|` +
			`\b(?:large )?language models?\b|\bllms?\b|\bbrowser agents?\b|\bchatgpt\b|\bprompt injection\b|` +
			`\bki-(?:agent|assistent|modell)|\bagente? (?:de )?ia\b|\bassistant ia\b|\bии[- ](?:агент|ассистент)|` +
			`人工智能助手|ai助手|aiエージェント|aiアシスタント|에이전트에게`),
	}
}

// unitLimit bounds the text of one block, or attribute, that is looked at, in bytes. No
// format prints as much of one.
const unitLimit = 64 << 10

// instructions finds text that addresses an agent: in blocks of text, whatever hides
// them, and in names and other attributes that formats print.
func (a *auditor) instructions() {
	a.instruction(nil, -1, "title", a.c.Title, false)
	for _, tool := range a.c.Tools {
		a.toolInstruction(tool)
	}
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		if n.Verdict == snapshot.VerdictSkippedTag && (n.Tag == "script" || n.Tag == "style") {
			continue
		}
		unseen := a.unseenText(p)
		if a.heads(n, p) {
			text := a.tree.Gather(n, snapshot.Gather{All: true, Controls: true, NoAlt: true, MaxBytes: unitLimit,
				MaxNodes: 2_000, Skip: func(c *snapshot.Node) bool {
					return a.heads(c, a.tree.Position(c.I))
				}})
			a.instruction(n, p, "text", text, unseen)
		}
		for _, name := range [...]string{"aria-label", "alt", "title", "placeholder", "aria-description",
			"aria-roledescription", "label", "content"} {
			if v, ok := n.Attrs[name]; ok && len(v) >= 8 {
				a.instruction(n, p, "attr:"+name, v, unseen || name == "aria-label" || name == "aria-description" ||
					name == "alt" && a.sight[p].state == seen && !hasWord(n.Text))
			}
		}
		if n.Value != "" && len(n.Value) >= 8 {
			a.instruction(n, p, "value", n.Value, unseen)
		}
	}
}

// heads reports whether a block of text begins with the element: a block, or an element
// that is hidden otherwise than what is around it.
func (a *auditor) heads(n *snapshot.Node, p int) bool {
	q := a.tree.Position(n.Parent)
	if q < 0 || p < 0 {
		return true
	}
	if n.Verdict.Rendered() && n.Block {
		return true
	}
	return a.unseenText(p) != a.unseenText(q) || a.c.Nodes[q].Verdict.Rendered() != n.Verdict.Rendered()
}

// unseenText reports whether a person cannot read the element's text, wherever the page
// is scrolled.
func (a *auditor) unseenText(p int) bool {
	switch a.sight[p].state {
	case none, faint, beyond, hidden:
		return true
	}
	return false
}

func (a *auditor) instruction(n *snapshot.Node, p int, where, text string, unseen bool) {
	if len(text) < 6 {
		return
	}
	if len(text) > unitLimit {
		text = strings.ToValidUTF8(text[:unitLimit], "")
	}
	t, smuggled := plainText(a.hush(text))
	at := findCommand(t)
	command := at != nil
	if at == nil && (unseen || smuggled) {
		at = allMentions().find(t)
	}
	if at == nil && smuggled && len(t) > 0 {
		at, command = []int{0, min(len(t), 80)}, true // nobody writes words in such characters by chance
		for at[1] < len(t) && !utf8.RuneStart(t[at[1]]) {
			at[1]++
		}
	}
	if at == nil {
		return
	}
	var in []dump.Format
	if n != nil {
		in = a.formatsWith(n, text)
	} else {
		in = a.titled()
	}
	severity, how := Warning, "people can read it too"
	switch {
	case smuggled:
		severity, how = Error, "it is written in characters that cannot be seen"
	case unseen && len(in) == 0:
		severity, how = Note, "people cannot see it; no format that was asked for has it"
	case unseen && command:
		severity, how = Error, "people cannot see it"
	case unseen:
		how = "people cannot see it"
	}
	subject := "The title of the page"
	if n != nil {
		subject = fmt.Sprintf("The %s of %s", a.short(where), a.sayKind(n))
		if s := a.sight[p]; unseen && s.why != "" {
			how += ": " + s.why
		}
	}
	what := "addresses an agent"
	if !command {
		what = "is about agents"
	}
	a.add(Instructions, severity, n, Finding{Sentence: subject + " " + what + "; " + how + ".", Evidence: around(t, at),
		Formats: in}, where+"\x00"+a.short(t[at[0]:at[1]]))
}

// toolInstruction looks into a tool that the page offers to agents. People see nothing of it, and an agent that is
// given the tool reads all of it.
func (a *auditor) toolInstruction(tool snapshot.PageTool) {
	for _, said := range []string{tool.Name, tool.Description, tool.InputSchema} {
		t, smuggled := plainText(a.hush(said))
		at := findCommand(t)
		if at == nil && smuggled {
			at = []int{0, min(len(t), 80)}
		}
		if at != nil {
			a.add(Instructions, Error, nil, Finding{
				Sentence: fmt.Sprintf(
					"The tool %s that the page offers to agents addresses an agent; people cannot see it.",
					text.Quote(text.Start(tool.Name, 80))),
				Evidence: around(t, at),
			}, "tool\x00"+a.short(t[at[0]:at[1]]))
			return
		}
	}
}

// titled are the formats that print the page's title.
func (a *auditor) titled() []dump.Format {
	var in []dump.Format
	want := fold(a.c.Title)
	for _, r := range a.views {
		if want != "" && r.anywhere(want) {
			in = append(in, r.Format)
		}
	}
	return in
}

// around is the match with some words before and after it.
func around(t string, at []int) string {
	from, to := at[0], at[1]
	for k := 0; from > 0 && k < 40; k++ {
		from--
	}
	for k := 0; to < len(t) && k < 80; k++ {
		to++
	}
	return strings.ToValidUTF8(t[from:to], "")
}

// plainText makes text plain for the patterns, and reports whether tag characters
// smuggled some of it.
func plainText(s string) (plain string, smuggled bool) {
	var b strings.Builder
	b.Grow(len(s))
	space, flag := true, false
	for _, r := range s {
		switch {
		case r == 0x1F3F4:
			flag = true // the flags of Scotland and others are spelled in tag characters
		case r < 0xE0020 || r > 0xE007F:
			flag = false
		case !flag && r != 0xE007F:
			smuggled = true
			r -= 0xE0000
		}
		switch {
		case r == ' ' || r == '\n' || r == '\t' || r >= 0x80 && unicode.IsSpace(r):
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		case r < 0x80:
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			b.WriteByte(byte(r))
		case r == '’':
			b.WriteByte('\'')
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector), r == 0x115F, r == 0x1160, r == 0x3164:
			continue
		case r >= 0xFF01 && r <= 0xFF5E: // full width ASCII
			b.WriteRune(unicode.ToLower(r - 0xFEE0))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		space = false
	}
	return b.String(), smuggled
}

// AgentText are the findings of the rule [Instructions] alone, as those of a whole audit.
func AgentText(c *snapshot.Capture) []Finding {
	a := newAuditor(c, Options{PerRule: PerRule})
	a.measureSight()
	a.instructions()
	return a.found
}
