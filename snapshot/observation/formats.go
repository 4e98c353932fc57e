package observation

import (
	"html"
	"regexp"
	"strings"
)

// The formats. Names of agents are those of the programs that print them.
const (
	Aria         Format = "aria snapshot" // Playwright's, and ours
	AgentBrowser Format = "agent-browser"
	DevTools     Format = "chrome-devtools-mcp"
	Stagehand    Format = "stagehand"
	HyperAgent   Format = "hyperagent" // Stagehand's lines, below a head for each frame
	BrowserUse   Format = "browser-use"
	AgentTARS    Format = "agent-tars"
	BrowserGym   Format = "browsergym"
	AgentE       Format = "agent-e"
	Skyvern      Format = "skyvern"
	Playwriter   Format = "playwriter"
	DDDK         Format = "dddk"
	Wraith       Format = "wraith"
	WraithJSON   Format = "wraith-json"
	Semantic     Format = "semantic"
	DomTool      Format = "domtool"
	HTML         Format = "html"
	Numbered     Format = "numbered lines"
)

// format is a row of the table.
type format struct {
	name  Format
	sign  *regexp.Regexp // what no other text has
	with  *regexp.Regexp // what it has too, nil for nothing
	not   *regexp.Regexp // what rules it out, nil for nothing
	read  func(s string) []Line
	guess bool
	// broken reports whether a line was begun in this format and not ended; nil where that cannot be told.
	broken func(line string) bool
}

func (f format) is(s string) bool {
	return f.sign.MatchString(s) && (f.with == nil || f.with.MatchString(s)) && (f.not == nil || !f.not.MatchString(s))
}

// What numbered tags begin with, and what is above ours.
var (
	bracketed = regexp.MustCompile(`(?m)^[\t ]*(?:\*|[↑↓←→]|\|[^|\n]*\||\|SCROLL)*\[\d+\](?:__|\*?:?\s?)<[A-Za-z]`)
	dddkHead  = regexp.MustCompile(`VIEWPORT:|\nTITLE:`)
)

// agentBrowserRef is what every text of agent-browser has that lists a heading, or an element in some state: all marks
// of an element in one pair of brackets.
const agentBrowserRef = `\[(?:[a-z]+(?:=[\w.-]+)?, )+ref=e\d+\]`

// OfTree finds a text that lists Chrome's accessibility tree by numbers which nothing in the page holds: what it lists
// is found by a tree that is read at the same moment.
var OfTree = regexp.MustCompile(`uid=` + devtoolsUID + ` |` + agentBrowserRef + `|"treeChange\\*"`)

// markupSign is what HTML that lists a page has: controls and headings, or elements with our numbers.
var markupSign = regexp.MustCompile(`(?im)<(?:a|button|input|select|textarea|summary|option|h[1-6]|img)\b|` +
	`<[a-z][^<>]* data-interactive="|^\s*<[a-z][\w-]* id="\d+"`)

// errorSign is what Playwright's errors have that name elements by their markup: several that a selector matches, the
// one that it waited for, or what takes its clicks.
const errorSign = `strict mode violation: | resolved to <|> intercepts pointer events`

// formats is the table: the most particular signature first, guesses last.
var formats = []format{
	{name: DevTools, sign: regexp.MustCompile(`(?m)^\s*uid=` + devtoolsUID + `(?: |$)`), read: readDevTools,
		broken: oddQuotes},
	{name: HyperAgent, sign: regexp.MustCompile(`(?m)^=== Frame \d+ .*===\n\s*\[\d+-\d+\] \S`), read: readStagehand},
	{name: Stagehand, sign: regexp.MustCompile(`(?m)^\s*\[\d+-\d+\] \S`), read: readStagehand},
	{name: Wraith, sign: regexp.MustCompile(`(?m)^\s*@e\d+\s+\[`), read: readWraith, broken: oddQuotes},
	{name: AgentBrowser, sign: regexp.MustCompile(agentBrowserRef), read: readAria, broken: brokenAria},
	{name: AgentBrowser, sign: deltaSign, read: readDelta},
	{name: Aria, sign: regexp.MustCompile(`\[(?:[a-z]+(?:=\w+)?, )*ref=@?[A-Za-z0-9]+\]`), read: readAria,
		broken: brokenAria},
	{name: Playwriter, sign: regexp.MustCompile(`(?m)^\s*- role=[a-z]+\[name="`), not: playwriterDiff,
		read: readPlaywriter, broken: oddQuotes},
	{name: Playwriter, sign: playwriterDiff, read: readPlaywriterDiff},
	{name: DDDK, sign: bracketed, with: dddkHead, read: readDDDK, broken: brokenDDDK},
	{name: BrowserUse, sign: bracketed, not: dddkHead, read: readBrowserUse, broken: brokenTag},
	{name: AgentTARS, sign: regexp.MustCompile(`(?m)` + tarsSign), read: readAgentTARS,
		broken: brokenTag},
	{name: BrowserGym, sign: regexp.MustCompile(`(?m)^\s*\[[a-zA-Z]*\d+\] [A-Za-z]+ '`), read: readBrowserGym,
		broken: brokenBrowserGym},
	{name: AgentE, sign: regexp.MustCompile(`"mmid"\s*:`), read: readAgentE},
	{name: Aria, sign: regexp.MustCompile(`"ref"\s*:\s*"(?:f\d+)?e\d+"`), read: readAriaJSON},
	{name: WraithJSON, sign: regexp.MustCompile(`"ref_id"\s*:`), read: readWraithJSON},
	{name: DomTool, sign: regexp.MustCompile(`"node_id"\s*:`), read: readDomTool},
	{name: Semantic, sign: regexp.MustCompile(`"i":\s*"?\w+"?,\s*"r":\s*"`), read: readSemantic, broken: brokenObject},
	{name: BrowserGym, sign: regexp.MustCompile(`<[a-z][^<>]* bid="`), read: attributeReader("bid")},
	{name: Skyvern, read: readSkyvern,
		sign: regexp.MustCompile(`<[a-z][^<>]* (?:unique_id|id)="[A-Z][A-Z0-9]{3}"|"id"\s*:\s*"[A-Z][A-Z0-9]{3}"`)},
	{name: HTML, sign: markupSign,
		not:    regexp.MustCompile(`(?m)^[\t ]*\S{0,3}\[\d+\](?:__)?<|` + tarsSign + `|` + errorSign),
		broken: brokenTag, read: attributeReader("data-llm-id", "data-id", "id")},
	{name: Numbered, sign: numberedLine, read: readNumbered, guess: true},
}

// eachLine calls read with each line, from 1, and where it lies in s; its line feed is not part of it.
func eachLine(s string, read func(i, from, to int, line string)) {
	from := 0
	for i := 1; from <= len(s); i++ {
		to := len(s)
		if at := strings.IndexByte(s[from:], '\n'); at >= 0 {
			to = from + at
		}
		read(i, from, to, strings.TrimRight(s[from:to], "\r"))
		from = to + 1
	}
}

// indent is how many characters of white space a line begins with.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, "\t ")) }

// lineCounter gives the number of the line in which a byte lies; bytes are asked for in their order.
type lineCounter struct {
	s        string
	at, line int
}

func (c *lineCounter) of(at int) int {
	if c.line == 0 {
		c.line = 1
	}
	c.line += strings.Count(c.s[c.at:at], "\n")
	c.at = at
	return c.line
}

// unescape is text of HTML as a person reads it.
func unescape(s string) string { return html.UnescapeString(strings.TrimSpace(s)) }

// unquote is a text in quotes without its backslashes.
func unquote(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(s)
}
