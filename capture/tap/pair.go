package tap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

const (
	// enough is the score from which a page is paired with a request: two thirds of the page's
	// texts, or of its picture, where there is nothing else.
	enough = 0.6
	// clear is how far the best page must be before the next one.
	clear = 0.1
	// leastOfCrop is how alike a crop must be to be evidence: a small picture is like many places.
	leastOfCrop = 0.8
)

// Pair finds the page that a request is about: one with enough evidence, and clearly more than any other. A hidden one
// counts where none in view is meant; one that is as it was before where it has clearly more than those that were
// there.
func Pair(r *wire.Request, pages []Page) (*Page, exchange.Pairing) {
	var there, hidden, gone []Page
	for _, p := range pages {
		switch {
		case p.Gone:
			gone = append(gone, p)
		case p.Hidden:
			hidden = append(hidden, p)
		default:
			there = append(there, p)
		}
	}
	page, found := pairAmong(r, there)
	if page == nil && len(hidden) > 0 {
		if behind, of := pairAmong(r, hidden); behind != nil {
			page, found = behind, of
		}
	}
	if len(gone) == 0 {
		return page, found
	}
	if left, of := pairAmong(r, gone); left != nil && (page == nil || of.Score-found.Score >= clear) {
		of.Moment = turn.BeforeRequest
		return left, of
	}
	return page, found
}

// pairAsked is [Pair] of a request that comes from a page in a tab, "" for any other: an agent that works in its own
// page means that one where its evidence fits others as well.
func pairAsked(r *wire.Request, pages []Page, tab string) (*Page, exchange.Pairing) {
	own := slices.DeleteFunc(slices.Clone(pages), func(p Page) bool { return p.Tab != tab })
	rest := slices.DeleteFunc(slices.Clone(pages), func(p Page) bool { return p.Tab == tab })
	page, found := Pair(r, append(own, rest...)) // of equal ones the first counts
	if page == nil && len(own) > 0 && len(rest) > 0 {
		if page, asked := Pair(r, own); page != nil && asked.Score >= found.Score {
			asked.Evidence = append(asked.Evidence,
				exchange.Evidence{Kind: "browser", Score: 1, What: "the request comes from this page"})
			return page, asked
		}
	}
	return page, found
}

// pairAmong is [Pair] of pages of one moment.
func pairAmong(r *wire.Request, pages []Page) (*Page, exchange.Pairing) {
	if len(pages) == 0 {
		return nil, exchange.Pairing{Why: "no browser is watched, or it shows no page"}
	}
	words, picture, err := newest(r)
	var best, second, other exchange.Pairing
	var page *Page
	var failed error
	for i := range pages {
		p := &pages[i]
		if p.Capture == nil {
			failed = p.Err
			continue
		}
		if slices.ContainsFunc(pages[:i], func(other Page) bool { return same(&other, p) }) {
			continue // no evidence tells them apart, and the page is the same
		}
		got := weigh(p, words, picture)
		if got.Why != "" {
			other = got
			continue
		}
		switch {
		case page == nil || got.Score > best.Score:
			best, second, page = got, best, p
		case got.Score > second.Score:
			second = got
		}
	}
	switch {
	case page == nil && other.Why != "":
		return nil, other
	case page == nil:
		return nil, exchange.Pairing{Why: "the page could not be captured: " + text.Line(failed.Error())}
	case best.Score < enough:
		best.Why = "neither its texts nor its picture are those of a page that was open"
		if failed != nil { // it may be the one
			best.Why = "neither its texts nor its picture are those of the pages that were captured, and one could " +
				"not be: " +
				text.Line(failed.Error())
		}
		if err != nil {
			best.Why += "; " + err.Error()
		}
		return nil, best
	case best.Score-second.Score < clear && !(byIDs(best) >= listedHere && byIDs(second) <= 1-listedHere):
		best.Why = "two pages that were open fit equally well"
		return nil, best
	case slices.ContainsFunc(pages, func(p Page) bool { return p.Capture == nil && p.URL == page.Capture.URL }):
		best.Why = "a second tab with the same address could not be captured, and may be the one: " +
			text.Line(failed.Error())
		return nil, best
	}
	best.Paired = true
	return page, best
}

// byIDs is the share of what a request lists that is on a page by the agent's own ids: of two tabs with the same
// texts, and one address, one is the tab where they are.
func byIDs(p exchange.Pairing) float64 {
	for _, e := range p.Evidence {
		if e.Kind == "ids" {
			return e.Score
		}
	}
	return 0
}

// pairActed is [pairAsked] of a request with its answer, nil for none. Where a tool that acts on elements, or on the
// page that the model has opened, has said next to nothing, as in “Clicked #go”, or an element is acted on next,
// the page is the one that the browser shows: what the agent has not looked at is no evidence, and neither against it.
func pairActed(r *wire.Request, a *wire.Answer, pages []Page, tab string) (*Page, exchange.Pairing) {
	page, found := pairAsked(r, pages, tab)
	if page != nil || !acts(r, a, pages) || slices.ContainsFunc(pages, func(p Page) bool { return p.Err != nil }) {
		return page, found
	}
	now := &wire.Request{Dialect: r.Dialect, Messages: r.Messages[lastAnswer(r)+1:]}
	if shown, by := PairShown(now, pages, tab); shown != nil {
		return shown, by
	}
	return page, found
}

// lastAnswer is the index of the model's last answer that something came after, -1 for none.
func lastAnswer(r *wire.Request) int {
	last := -1
	for i, m := range r.Messages[:max(0, len(r.Messages)-1)] {
		if m.Role == "assistant" {
			last = i
		}
	}
	return last
}

// acts reports whether what came after the model's last answer shows no page, while that answer or the next one acts on
// an element, or one of the pages is the one that the model opened last.
func acts(r *wire.Request, next *wire.Answer, pages []Page) bool {
	last := lastAnswer(r)
	if last < 0 || r.Newest() > last || len(observation.InMessages(&wire.Request{Messages: r.Messages[last+1:]})) > 0 {
		return false
	}
	before := &wire.Answer{Dialect: r.Dialect, Model: r.Model, Calls: r.Messages[last].Calls()}
	address := text.Letters(opened(r))
	return len(before.Actions(r)) > 0 || next != nil && len(next.Actions(r)) > 0 ||
		address != "" && slices.ContainsFunc(pages, func(p Page) bool {
			return !p.Gone && p.Capture != nil && text.Letters(p.Capture.URL) == address
		})
}

// opened is the address with which the model called a tool last, "" for none.
func opened(r *wire.Request) string {
	for _, m := range slices.Backward(r.Messages) {
		for _, c := range slices.Backward(m.Calls()) {
			var to struct {
				URL string `json:"url"`
			}
			if json.Unmarshal(c.Arguments, &to) == nil && to.URL != "" {
				return to.URL
			}
		}
	}
	return ""
}

// ShownScore is how sure it is that an agent acts on the page that its browser shows, where nothing else speaks for it.
const ShownScore = 0.8

// PairShown finds the page on which a call acts that says nothing of a page: of those that the browser which the agent
// drives shows, the only one, the one whose address words name, or the one of the tab before. A hidden one counts where
// it is one of the latter two.
func PairShown(r *wire.Request, pages []Page, tab string) (*Page, exchange.Pairing) {
	if len(pages) == 0 {
		return nil, exchange.Pairing{Why: "no browser is watched, or it shows no page"}
	}
	words, _, _ := newest(r)
	var shown []*Page
	var failed error
	for i := range pages {
		switch p := &pages[i]; {
		case p.Gone, p.Hidden && p.Tab != tab && !slices.Contains(words.addresses, text.Letters(p.Capture.URL)):
		case p.Capture != nil && len(p.Capture.Nodes) > 0:
			shown = append(shown, p)
		case p.Err != nil:
			failed = p.Err
		}
	}
	if pages := slices.DeleteFunc(slices.Clone(shown),
		func(p *Page) bool { return p.Capture.URL == "about:blank" }); len(pages) > 0 {
		shown = pages
	}
	if len(shown) > 0 && !slices.ContainsFunc(shown, showsSomething) {
		return nil, exchange.Pairing{
			Why: "the browser that is watched shows an empty page: the agent has opened none in it"}
	}
	by := func(what string, is func(p *Page) bool) (*Page, exchange.Pairing) {
		list := slices.DeleteFunc(slices.Clone(shown), func(p *Page) bool { return !is(p) })
		if len(list) != 1 {
			return nil, exchange.Pairing{}
		}
		return list[0], exchange.Pairing{Paired: true, Score: ShownScore,
			Evidence: []exchange.Evidence{{Kind: "browser", Score: ShownScore, What: what}}}
	}
	if len(words.addresses) > 0 {
		p, found := by("the browser shows the page with the address that the answer names", func(p *Page) bool {
			return slices.Contains(words.addresses, text.Letters(p.Capture.URL))
		})
		if p == nil {
			found = exchange.Pairing{Why: "the answer names the address of another page"}
		}
		return p, found
	}
	// One that could not be captured may be the one.
	only := func(p *Page) bool { return failed == nil || p.Tab == tab }
	if p, found := by("it is the only page that the browser shows", only); p != nil {
		return p, found
	}
	if p, found := by("it is the page of the call before", func(p *Page) bool { return p.Tab == tab }); p != nil {
		return p, found
	}
	switch {
	case len(shown) > 1:
		return nil, exchange.Pairing{Why: "the browser shows several pages"}
	case failed != nil:
		return nil, exchange.Pairing{Why: "the page could not be captured: " + text.Line(failed.Error())}
	case slices.ContainsFunc(pages, func(p Page) bool { return p.Gone }):
		return nil, exchange.Pairing{Why: "the browser had left the page before the next one was captured"}
	}
	return nil, exchange.Pairing{Why: "no browser is watched, or it shows no page"}
}

// showsSomething reports whether a page is more than the empty one with which a tab begins.
func showsSomething(p *Page) bool {
	return p.Capture.URL != "about:blank" ||
		slices.ContainsFunc(p.Capture.Nodes, func(n snapshot.Node) bool { return n.Verdict.Kept() })
}

// same reports whether two tabs show the same page in the same state.
func same(a, b *Page) bool {
	return a.Capture != nil && b.Capture != nil && a.Capture.URL == b.Capture.URL &&
		a.Capture.Viewport == b.Capture.Viewport &&
		a.Capture.Scroll == b.Capture.Scroll && snapshot.StateHash(a.Capture) == snapshot.StateHash(b.Capture)
}

// newest is what the request shows of the present: its words, and its last picture.
func newest(r *wire.Request) (words said, picture image.Image, err error) {
	now := &wire.Request{Messages: r.Messages[r.Newest():]}
	var all []string
	for _, m := range now.Messages {
		told := m.Role == "system" || m.Role == "developer"
		for _, p := range m.Parts {
			if p.Text == "" {
				continue
			}
			spelled := asRead(p.Text)
			all = append(all, text.Letters(spelled))
			for _, of := range []*regexp.Regexp{pageAddress, selectedPage, currentPage} {
				for _, found := range of.FindAllStringSubmatch(spelled, 32) {
					words.addresses = append(words.addresses, text.Letters(found[1]))
					words.named = words.named || !told
				}
			}
		}
	}
	texts := observation.InMessages(now)
	if words.old = len(texts) == 0; words.old || slices.ContainsFunc(texts, (*observation.Text).Changes) {
		texts = observation.InMessages(r)
	}
	if known := observation.Known(texts); known != nil && !known.Guessed {
		words.listed, words.roots = known, rootAddresses(known)
	}
	images := now.Images()
	if len(images) > 0 && !slices.ContainsFunc(images, func(p wire.Part) bool { return !r.Zooms(p) }) {
		images = r.Images() // a part of the screen is like many places
	}
	for _, p := range slices.Backward(images) {
		if len(p.Data) == 0 || r.Zooms(p) {
			continue
		}
		picture, err = likeness.Decode(p.Data)
		break
	}
	words.all = strings.Join(all, " ")
	return words, picture, err
}

// said is what a request says of the present.
type said struct {
	all       string   // its letters
	addresses []string // letters of what it calls the page's address
	// named: one of the addresses is none of the instructions, which show samples too.
	named bool
	roots []string // the addresses that the lists' own roots have
	// listed is what the texts of the request say of the page, nil for nothing; old: none of them is of the newest
	// messages, so that the page may have changed since. It speaks for a page then, and not against one.
	listed *observation.Text
	old    bool
}

// rootAddresses are the addresses that the roots of a list have, as in chrome-devtools-mcp's.
func rootAddresses(list *observation.Text) []string {
	var found []string
	for i := range list.Lines {
		l := &list.Lines[i]
		if l.Depth > 0 || l.Role != "RootWebArea" {
			continue
		}
		for _, s := range l.States {
			if url, ok := strings.CutPrefix(s, "url="); ok {
				found = append(found, url)
			}
		}
	}
	return found
}

// asRead is a text as a model reads it: where it is JSON, as the results of tools are, its texts without their escapes.
func asRead(s string) string {
	raw := []byte(strings.TrimSpace(s))
	if len(raw) == 0 || !bytes.ContainsRune([]byte(`{["`), rune(raw[0])) || !json.Valid(raw) {
		return s
	}
	var out strings.Builder
	at := 0
	for _, leaf := range redact.Leaves(raw) {
		if raw[leaf.Start] == '"' {
			out.Write(raw[at : leaf.Start+1])
			out.WriteString(asRead(leaf.Text))
			at = leaf.End - 1
		}
	}
	out.Write(raw[at:])
	return out.String()
}

// pageAddress is the line with which formats name the page: "Page URL: http://…", "url": "http://…". In words
// around JSON it may end with an escaped line break.
var pageAddress = regexp.MustCompile(
	`(?i)(?:^|[\s"{,])(?:page |current )?url"?: ?"?(https?://(?:[^\s"<>\\]|\\[^nrt"])+)`)

// selectedPage is the line with which chrome-devtools-mcp lists the page that it acts on, currentPage Playwright MCP's.
var (
	selectedPage = regexp.MustCompile(`(?m)^\d+: (?:.*\()?(https?://\S+?)\)? \[selected\]`)
	currentPage  = regexp.MustCompile(`(?m)^- \d+: \(current\) \[.*\] ?\((https?://\S+)\)`)
)

// What a list of elements must have to speak for or against a page: that many lines, and that share of them on the
// page.
const (
	leastListed = 5
	listedHere  = 0.8
	// listedAddress is what it shows that a text which lists elements says whose they are, and the page has them, each
	// of a short list: enough by itself, since a list of few elements has few words of the page, and one of many may
	// have few of what is in view.
	listedAddress = 0.7
	// saidAddress is what it shows that a message says what the page's address is, and lists nothing of it, as an
	// answer of browser_navigate does: enough with the page's title.
	saidAddress = 0.55
	// wholeList is what it shows that each element that a text lists is one of the page, where there are many, or where
	// these are all that the page has to operate: enough by itself, for lists without ids and addresses. A page that
	// shares its head and foot with the one that is meant lacks some, or has others.
	wholeList, leastWhole, leastOfAll = 0.65, 20, 3
	// listedTied is the least share of a long list whose lines have an element each; the others are of elements that
	// are alike.
	listedTied = 0.9
)

// isPage reports whether an address is a page's, of which a place in the page is no part: it changes with scrolling.
// What follows a value that is withheld from the page's is not compared.
func isPage(page string) func(string) bool {
	page, _, _ = strings.Cut(page, "#")
	marks := redact.Marks([]byte(page))
	if len(marks) > 0 {
		page = page[:marks[0].Start]
	}
	return func(url string) bool {
		url, _, _ = strings.Cut(url, "#")
		if len(marks) > 0 {
			return strings.HasPrefix(url, page)
		}
		return text.Letters(url) == text.Letters(page)
	}
}

// foreign is why a request is about another page, "" where nothing says so. The page's own texts in it are no
// evidence then: pages of one site have much in common.
func (w said) foreign(c *snapshot.Capture, here, of int) string {
	if w.named && !slices.Contains(w.addresses, text.Letters(c.URL)) {
		return "the request names the address of another page"
	}
	if len(w.roots) > 0 && !w.old && !slices.ContainsFunc(w.roots, isPage(c.URL)) {
		return "the list in the request is of a page with another address"
	}
	if of >= leastListed && !w.old && float64(here) < listedHere*float64(of) {
		return fmt.Sprintf("neither its texts nor its picture are those of a page that was open: %d of the %d "+
			"elements that it lists are of another", of-here, of)
	}
	return ""
}

// presence is how much of what a request lists is on a page.
type presence struct {
	ids, here, of int // lines by their ids; by these, their place or their words; all
	// whole: each line is of an element of the page, by no number, and there are many, or these are all its controls.
	whole bool
}

// here counts the elements that the request lists, and those of them that the page has. Most of a list, by what they
// are called, is no evidence for a page, since pages of one site are called alike.
func (w said) here(c *snapshot.Capture) (p presence) {
	if w.listed == nil {
		return p
	}
	own := w.listed.Again()
	page, tied := tie.New(c), 0 // tied: lines whose element is known, and not by a number of ours
	page.Tie(own)
	for i := range own.Lines {
		l := &own.Lines[i]
		switch {
		case w.old && len(text.Letters(l.Name)) < 3:
			continue
		case w.old && l.Node >= 0 && !slices.Contains(page.Named(l.Name), page.Tree().Position(l.Node)):
			// The numbers of another page's text are here too, at elements of other names.
		case l.Node >= 0:
			p.here++
			if l.Score == tie.ScoreOwn {
				p.ids++
			}
			if l.Score != tie.ScoreOurs {
				tied++
			}
		case len(text.Letters(l.Name)) < 3:
			continue
		case page.Has(l.Name):
			p.here++
		}
		p.of++
	}
	switch {
	case w.old || p.ids > 0:
	case p.of >= leastWhole: // of some that are alike it may not be known which is which
		p.whole = p.here == p.of && float64(tied) >= listedTied*float64(p.of)
	case p.of >= leastOfAll:
		p.whole = tied == p.of && page.ListsAllControls(own)
	}
	return p
}

// weigh is the evidence that a request is about a page. Picture and text can each pair it;
// address and title support them. The score is the chance that not all of it misleads: one
// less the product of what each piece leaves open.
func weigh(p *Page, words said, picture image.Image) exchange.Pairing {
	list := words.here(p.Capture)
	out := exchange.Pairing{Why: words.foreign(p.Capture, list.here, list.of)}
	open := 1.0
	add := func(kind string, weight, score float64, format string, args ...any) {
		if score > 0 {
			score = math.Round(score*1000) / 1000
			out.Evidence = append(out.Evidence,
				exchange.Evidence{Kind: kind, Score: score, What: fmt.Sprintf(format, args...)})
			open *= 1 - weight*score
		}
	}
	if share, n := textShare(p.Capture, words.all); n > 0 {
		add("text", 0.9, share, "%d %% of %s of the page's view are in the request", int(share*100+0.5),
			text.Count(n, "text", "texts"))
	}
	if list.of >= leastListed {
		add("ids", 0.9, float64(list.ids)/float64(list.of),
			"%d of the %d elements that the request lists are on the page, by their ids",
			list.ids, list.of)
	}
	if list.whole {
		add("list", wholeList, 1, "each of the %d elements that the request lists is on the page", list.of)
	}
	if own, err := likeness.Decode(p.Picture); picture != nil && err == nil {
		at := likeness.Locate(own, picture, p.Capture.Viewport.Scale, likeness.MarkedIn(p.Capture))
		a, b := own.Bounds().Size(), picture.Bounds().Size()
		switch {
		case at.Scrolled:
			add("picture", 0.85, at.Score,
				"%d %% of the picture, %d x %d px there and %d x %d here, is alike once the page is "+
					"scrolled by %.0f px", int(at.Score*100+0.5), b.X, b.Y, a.X, a.Y, at.Y)
		case !at.Cropped:
			add("picture", 0.9, at.Score, "%d %% of the picture, %d x %d px there and %d x %d here, is alike",
				int(at.Score*100+0.5), b.X, b.Y, a.X, a.Y)
		case at.Score >= leastOfCrop:
			add("picture", 0.8, at.Score,
				"%d %% of the picture, %d x %d px, is alike %.0f x %.0f px at %.0f, %.0f here",
				int(at.Score*100+0.5), b.X, b.Y, at.Width, at.Height, at.X, at.Y)
		}
		if at.Score >= enough {
			out.Place = &at
		}
	}
	listed := 1.0 // the share of the list that is on the page; all of a short one
	if list.of >= leastListed {
		listed = float64(list.here) / float64(list.of)
	} else if list.here < list.of {
		listed = 0
	}
	switch address := text.Letters(p.Capture.URL); {
	case words.listed != nil && !words.old && listed >= listedHere &&
		(slices.Contains(words.addresses, address) || slices.ContainsFunc(words.roots, isPage(p.Capture.URL))):
		add("address", listedAddress, listed, "the request lists elements of the page with this address")
	case slices.Contains(words.addresses, address):
		add("address", saidAddress, 1, "the request says that the page has this address")
	case len(address) > 8 && strings.Contains(words.all, address):
		add("address", 0.4, 1, "the request names the page's address")
	}
	if title := text.Letters(p.Capture.Title); len(title) > 3 && strings.Contains(words.all, title) {
		add("title", 0.2, 1, "the request names the page's title")
	}
	out.Score = math.Round((1-open)*1000) / 1000
	return out
}

// textShare is the share of the page's texts in view that stand in the words of a request,
// and how many texts there are. A longer text counts more, up to 40 letters.
func textShare(c *snapshot.Capture, words string) (share float64, n int) {
	if words == "" {
		return 0, 0
	}
	seen := map[string]bool{}
	var found, all float64
	made := madeOfParts(c)
	for i := range c.Nodes {
		node := &c.Nodes[i]
		if !node.Verdict.Kept() || !node.InViewport {
			continue
		}
		for _, s := range ownTexts(node, made[i]) {
			if s = text.Letters(s); len(s) < 3 || seen[s] {
				continue
			}
			seen[s] = true
			weight := min(float64(len(s)), 40)
			all += weight
			if strings.Contains(words, s) {
				found += weight
			}
		}
	}
	if all == 0 {
		return 0, 0
	}
	return found / all, len(seen)
}

// ownTexts are the texts of a node that no other node has. A name that is made of the texts inside, as that of a row,
// is none: an agent lists the cells one by one. Nor is a text with elements in it one text.
func ownTexts(n *snapshot.Node, made bool) []string {
	var own []string
	for _, run := range n.Runs {
		own = append(own, run.Text)
	}
	if len(own) == 0 {
		own = append(own, n.Text)
	}
	if !made {
		own = append(own, n.Name)
	}
	return own
}

// madeOfParts tells, by position, whose name is that of its content where elements in it have texts of their own.
func madeOfParts(c *snapshot.Capture) []bool {
	tree := snapshot.NewTree(c)
	says, made := make([]bool, len(c.Nodes)), make([]bool, len(c.Nodes))
	for i := len(c.Nodes) - 1; i >= 0; i-- {
		n := &c.Nodes[i]
		made[i] = n.NameFrom == "content" && says[i]
		if parent := tree.Position(n.Parent); parent >= 0 && (says[i] || n.Text != "" || n.Name != "") {
			says[parent] = true
		}
	}
	return made
}
