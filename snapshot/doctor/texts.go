package doctor

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// findCut finds where the newest text of the page ends before the page does: it says so, its last
// line is broken off, or the elements in view that come after it are not in it.
func (e *examination) findCut() {
	t := e.text()
	if t == nil || t.Message < e.newest {
		return
	}
	tail := strings.TrimSpace(t.Body())
	mark := regexp.MustCompile(`(?i)(?:\[?(?:\.\.\.|…)\s*(?:\w+ ){0,4}truncated[^\n]{0,80}|` +
		`[\[(<][^\n\[(<]{0,60}truncated[^\n]{0,60}[\])>]|\btruncated (?:at|to|after) \d[^\n]{0,60})$`)
	end := tail[max(0, len(tail)-300):]
	if at := mark.FindStringIndex(end); at != nil {
		e.add(TextCut, audit.Warning, nil, t.Section, "The text of the page says that it is cut off."+e.lost(t),
			end[at[0]:])
		return
	}
	if last := t.BrokenLine(); last != "" {
		e.add(TextCut, audit.Warning, nil, t.Section, "The text of the page ends in the middle of a line."+e.lost(t),
			last[max(0, len(last)-100):])
		return
	}
	if t.Changes() || t.Part { // it is of some elements only
		return
	}
	if missing, all := e.after(t); len(missing) >= 5 && 5*len(missing) >= all {
		e.add(TextCut, audit.Warning, missing[0], t.Section,
			fmt.Sprintf("The text of the page ends before the page: %d elements in view that come after its last "+
				"line are not in it.",
				len(missing)), "the first one is "+name(missing[0]))
	}
}

// lost is how many elements in view come after the end of a text, as a sentence.
func (e *examination) lost(t *observation.Text) string {
	if missing, _ := e.after(t); len(missing) > 0 {
		return fmt.Sprintf(" %s in view are missing.", text.Count(len(missing), "element", "elements"))
	}
	return ""
}

// after are the numbered elements in view that come after the last line of a text and are not in
// it, and the number of all that it could list: those of frames of which it lists nothing are none, as in the HTML of a
// document. Nothing where the text misses many before its end too: then it is of another kind, and not cut.
func (e *examination) after(t *observation.Text) (missing []*snapshot.Node, all int) {
	if e.page == nil {
		return nil, 0
	}
	words := text.Letters(t.Body())
	last := -1
	frames := map[int]bool{}
	for _, l := range t.Lines {
		if at := e.page.Tree().Position(l.Node); at >= 0 {
			last = max(last, at)
			frames[e.page.Capture().Nodes[at].Frame] = true
		}
	}
	has, lacks := 0, 0
	for i := range e.page.Capture().Nodes {
		n := &e.page.Capture().Nodes[i]
		key := text.Letters(n.Name)
		if n.Verdict != snapshot.VerdictRef || !n.InViewport || len(key) < 3 || !frames[n.Frame] || !n.Control() &&
			!snapshot.IsHeading(n.Tag) {
			continue
		}
		all++
		switch in := strings.Contains(words, key); {
		case in:
			has++
		case i > last:
			missing = append(missing, n)
		default:
			lacks++
		}
	}
	if last < 0 || 5*lacks > has {
		return nil, all
	}
	return missing, all
}

// findSecrets finds what was withheld when the request was recorded, and what else looks like a
// secret.
func (e *examination) findSecrets() {
	at := func(start, end int) *wire.Section {
		for i := range e.sections {
			if e.sections[i].Start <= start && end <= e.sections[i].End {
				return &e.sections[i]
			}
		}
		return nil
	}
	noted := map[string]bool{} // by section and kind
	note := func(section, kind, evidence string) {
		if noted[section+kind] {
			return
		}
		noted[section+kind] = true
		e.add(Secret, audit.Error, nil, section, "A secret was in the request: "+short(kind)+".", evidence)
	}
	for _, r := range e.payload.Redacted {
		s := at(r.Start, r.End)
		switch {
		case s == nil || !e.payload.Wire:
		case s.Role == "tools" && r.Why == "field" && e.quotedInText(r.Start): // an example in a tool's description
		case r.Why == "withheld" && (e.shownToAll(s, r.Start) || asksToAuthorize(e.payload.Bytes, r)):
		case r.Why == "withheld" && e.page == nil && e.listedAddress(s, r.Start):
			e.ofPage(s.Name, audit.Note, "An address of the page has a value that is withheld here for its name.",
				"in an address that the text of the page lists; the page itself is not known")
		case r.Why == "withheld" && e.inAddress(r.Start):
			e.ofPage(s.Name, audit.Note, "An address of the page has a value that is withheld here for its name.",
				"in a link of the page")
		case r.Why == "token" && e.shownToAll(s, r.Start):
			e.ofPage(s.Name, audit.Warning, "The page shows what has the shape of a key, and the request has it.",
				"in text that the page shows")
		default:
			note(s.Name, r.Why, "withheld here, and sent to the model")
		}
	}
	rules := redact.ForAudit(false)
	for _, s := range e.sections {
		for _, p := range s.Parts {
			for _, m := range rules.Find(p.Text) {
				if secret := p.Text[m.Start:m.End]; m.Use != redact.Personal && len(secret) >= 4 &&
					!strings.Contains(secret, "redacted") {
					note(s.Name, m.Rule, text.Count(len(secret), "character", "characters"))
				}
			}
		}
	}
}

// What stands before a value must be that long, in bytes of the body and in letters, to be found again on the page.
const (
	beforeBytes   = 48
	beforeLetters = 12
)

// quotedInText reports whether a value stands in quotes inside of a text, as JSON escapes them: {\"key\": \"value\"}. A
// value of the body's own, such as a default in a schema, does not.
func (e *examination) quotedInText(start int) bool {
	return start >= 2 && string(e.payload.Bytes[start-2:start]) == `\"`
}

// shownToAll reports whether what stands before a value that was withheld is text that the page itself draws, as an
// article's line of code is: one that was withheld for its name alone, as in password=…, is nobody's secret then. What
// a field holds has the words of a format before it.
func (e *examination) shownToAll(s *wire.Section, start int) bool {
	if e.page == nil {
		return false
	}
	before := string(e.payload.Bytes[max(s.Start, start-beforeBytes):start])
	if i := strings.LastIndex(before, `\n`); i >= 0 { // a line feed, as JSON writes it
		before = before[i+2:]
	}
	words := strings.Fields(text.Letters(strings.NewReplacer(`\\`, " ", `\"`, " ", `\`, " ").Replace(before)))
	if at := slices.Index(words, "statictext"); at >= 0 {
		words = words[at+1:] // a piece of text, which no field holds
	} else if len(words) > 2 {
		words = words[1:] // the first may be cut
	}
	key := strings.Join(words, " ")
	return len(words) > 1 && len(key) >= beforeLetters && e.shows(key)
}

// shows reports whether the page draws these letters, be it in several elements, as a line of code in colours is.
func (e *examination) shows(letters string) bool {
	if e.drawn == "" {
		var drawn strings.Builder
		for i := range e.rec.Capture.Nodes {
			n := &e.rec.Capture.Nodes[i]
			if !n.Verdict.Rendered() {
				continue
			}
			// A name that comes from what is in an element has the texts in their order; a text with elements in it has
			// not.
			for _, s := range [...]string{n.Text, n.Name} {
				if s != "" {
					drawn.WriteString(text.Letters(s))
					drawn.WriteByte(' ')
				}
			}
		}
		e.drawn = drawn.String()
	}
	return strings.Contains(e.drawn, letters)
}

// ofPage adds a finding about what the page itself shows to whoever opens it.
func (e *examination) ofPage(section string, severity audit.Severity, sentence, evidence string) {
	if !slices.ContainsFunc(e.r.Findings, func(f audit.Finding) bool {
		return f.Rule == PageSecret && f.Section == section && f.Sentence == sentence
	}) {
		e.add(PageSecret, severity, nil, section, sentence, evidence)
	}
}

// addressPrinted is how texts of agents print where a link leads to, up to a value in it: url="…", /url: …, href=….
var addressPrinted = regexp.MustCompile(`(?:/url: |\b(?:url|href|src|` +
	`action)=)(?:\\*["'])?[^\s"'<>\\]*://[^\s"'<>\\]*` + equalsSign)

// equalsSign is what stands before a value in an address, as it is and in an address that is a value of another one,
// at any depth.
const equalsSign = `(?:=|%(?:25)*3[Dd])$`

var beforeValue = regexp.MustCompile(equalsSign)

// mostAddress is how much of the body before a value is looked at for the address in which it stands, bytes.
const mostAddress = 4096

// listedAddress reports whether a value that was withheld stands in the address of a link, as a text that lists a page
// prints it. What a field holds, or the model wrote, is none.
func (e *examination) listedAddress(s *wire.Section, start int) bool {
	return addressPrinted.Match(e.payload.Bytes[max(s.Start, start-mostAddress):start]) &&
		slices.ContainsFunc(e.texts, func(t *observation.Text) bool { return t.Section == s.Name && !t.Guessed })
}

// inAddress reports whether a value that was withheld stands in an address that the page links to: what stands before
// it, from the path on, is in an attribute of an element.
func (e *examination) inAddress(start int) bool {
	if e.page == nil {
		return false
	}
	before := string(e.payload.Bytes[:start])
	before = before[strings.LastIndexAny(before, " \t\n\"'<>()\\")+1:]
	if _, rest, is := strings.Cut(before, "://"); is {
		at := strings.IndexByte(rest, '/')
		if at < 0 {
			return false
		}
		before = rest[at:]
	}
	relative := !strings.HasPrefix(before, "/") // as the page wrote it
	if !beforeValue.MatchString(before) || relative && !strings.Contains(before, "?") {
		return false
	}
	last := before[strings.LastIndexAny(before, "?&;/")+1:] // the value's own name
	for i := range e.rec.Capture.Nodes {
		n := &e.rec.Capture.Nodes[i]
		for _, name := range [...]string{"href", "src", "action", "formaction"} {
			switch address := n.Attr(name); {
			case relative:
				if strings.HasPrefix(address, before) {
					return true
				}
			case strings.Contains(address, before),
				strings.Contains(address, last) && strings.Contains(e.rec.Capture.Resolve(n, address), before):
				return true
			}
		}
	}
	return false
}

// asksToAuthorize reports whether a value that was withheld is the nonce of an authorization request, the address
// behind a “Sign in with …” link (RFC 6749, 4.1.1; OpenID Connect Core, 3.1.2.1): it binds an answer that is still to
// come, and lets nobody in. The request may be a value in another address.
func asksToAuthorize(body []byte, r redact.Span) bool {
	from := bytes.LastIndexAny(body[:r.Start], " \t\n\"\\") + 1
	to := len(body)
	if i := bytes.IndexAny(body[r.End:], " \t\n\"\\"); i >= 0 {
		to = r.End + i
	}
	before, address := decoded(string(body[from:r.Start])), decoded(string(body[from:to]))
	return strings.HasSuffix(before, "nonce=") && strings.Contains(before, "://") &&
		strings.Contains(address, "client_id=") && strings.Contains(address, "response_type=")
}

// decoded is an address with the letters that it holds encoded, five addresses deep; as it is from where it is not
// well-formed.
func decoded(address string) string {
	for range 5 {
		plain, err := url.PathUnescape(address)
		if err != nil || plain == address {
			break
		}
		address = plain
	}
	return address
}

// findInstructions finds text of the page that addresses a model and that the newest messages hold.
func (e *examination) findInstructions() {
	if e.page == nil {
		return
	}
	var words strings.Builder
	for _, s := range e.sections {
		if s.Message >= e.newest && s.Role != "assistant" && s.Role != "system" && s.Role != "developer" {
			words.WriteString(text.Letters(s.Text()))
			words.WriteByte(' ')
		}
	}
	for _, f := range audit.AgentText(e.rec.Capture) {
		evidence := text.Letters(f.Evidence)
		if evidence == "" {
			continue
		}
		// The evidence begins and ends within words.
		if list := strings.Fields(evidence); len(list) > 4 {
			evidence = strings.Join(list[1:len(list)-1], " ")
		}
		if strings.Contains(words.String(), evidence) {
			severity, who := audit.Error, "the page's title"
			if f.Severity == audit.Warning { // people can read it too
				severity = audit.Warning
			}
			n := e.node(f.Node)
			if n != nil {
				who = name(n)
			}
			e.add(Instructions, severity, n, e.sectionOf(evidence),
				"The request holds text of "+who+" that addresses an agent.",
				f.Evidence)
		}
	}
}

// sectionOf is the newest section with these letters.
func (e *examination) sectionOf(letters string) string {
	for _, s := range slices.Backward(e.sections) {
		if s.Message >= e.newest && strings.Contains(text.Letters(s.Text()), letters) {
			return s.Name
		}
	}
	return ""
}

// The least that old pictures cost before it is worth a word, tokens, and their share.
const (
	leastHistory = 1500
	historyShare = 0.5
)

func (e *examination) findHistory() {
	var past []shown
	cost := 0
	for _, s := range e.shown {
		if s.section.Message < e.newest {
			past = append(past, s)
			cost += s.Tokens
		}
	}
	if len(past) < 2 || cost < leastHistory || float64(cost) < historyShare*float64(e.r.Tokens) {
		return
	}
	slices.SortStableFunc(past, func(a, b shown) int { return b.Tokens - a.Tokens })
	var list []string
	for _, s := range past[:min(3, len(past))] {
		list = append(list, fmt.Sprintf("%s %d", s.section.Name, s.Tokens))
	}
	e.add(HistoryCost, audit.Note, nil, past[0].section.Name,
		fmt.Sprintf("%d old pictures cost %d of %d tokens.", len(past), cost, e.r.Tokens),
		"most: "+strings.Join(list, ", "))
}

// leastCached is how many tokens a prompt has at least before vendors cache it (OpenAI and
// Anthropic: 1,024).
const leastCached = 1024

// findBreak finds where the prompt stops being that of the request before. Its last message may
// change: agents that send the page's state afresh put it there.
func (e *examination) findBreak() {
	b := e.earlier
	if b == nil || e.asked.Continues() {
		return
	}
	br := wire.FirstBreak(b.body, b.sections, e.payload.Bytes, e.sections)
	p := &Prefix{Turn: b.turn}
	e.r.Prefix = p
	for i, s := range e.r.Sections {
		if i < br.Section {
			p.Bytes += s.Bytes[1] - s.Bytes[0]
			p.Tokens += s.Tokens
		}
	}
	if br.Section >= len(b.sections) {
		return
	}
	lastMessage := b.sections[len(b.sections)-1].Message
	section := ""
	if br.Section < len(e.sections) {
		section = e.sections[br.Section].Name
		p.Bytes += max(0, br.Now-e.sections[br.Section].Start)
	}
	p.Broken, p.At = section, br.Now
	for i := br.Section; i < len(b.sections); i++ {
		if b.sections[i].Message != lastMessage || lastMessage < 0 {
			p.Lost += b.tokens[i]
		}
	}
	was := b.sections[br.Section]
	if was.Message == lastMessage || p.Tokens+p.Lost < leastCached || begins(e.asked) && !begins(b.asked) {
		return
	}
	if section == "" {
		section = was.Name
	}
	from := max(was.Start, br.Before-20)
	e.add(CacheBroken, audit.Warning, nil, section,
		fmt.Sprintf("The prompt differs from that of turn %d from byte %d on, in %s: %d tokens of it were the same, "+
			"%d behind are read again.", b.turn, br.Now, section, p.Tokens, p.Lost),
		"before: "+string(b.body[from:min(br.Before+40, was.End)])+" · now: "+e.excerpt(br.Now))
}

// begins reports whether a request begins a conversation: the model has said nothing in it.
func begins(asked *wire.Request) bool {
	return !slices.ContainsFunc(asked.Messages, func(m wire.Message) bool { return m.Role == "assistant" })
}

func (e *examination) excerpt(at int) string {
	return strings.ToValidUTF8(string(e.payload.Bytes[max(0, at-20):min(len(e.payload.Bytes), at+40)]), "")
}
