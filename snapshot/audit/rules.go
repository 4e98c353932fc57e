package audit

// Rule is one kind of finding.
type Rule struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Why    string   `json:"why"`    // why it matters
	Action string   `json:"action"` // what to do
	Worst  Severity `json:"worst"`  // the highest severity that a finding of it has
	// Source is where the rule is published, "" for one of ours.
	Source string `json:"source,omitempty"`
}

// Ids of the rules.
const (
	TextMissing     = "text-missing"
	ControlMissing  = "control-missing"
	PictureMissing  = "picture-missing"
	CanvasPage      = "canvas-page"
	HiddenText      = "hidden-text"
	FaintText       = "faint-text"
	OffscreenText   = "offscreen-text"
	CoveredElement  = "covered-element"
	LabelUnlikeText = "label-unlike-text"
	Instructions    = "agent-instructions"
	ForgedLine      = "forged-line"
	Breakout        = "markup-breakout"
	HiddenChars     = "hidden-characters"
	DuplicateName   = "duplicate-name"
	UnnamedControl  = "unnamed-control"
	SmallTarget     = "small-target"
	NoKeyboard      = "no-keyboard"
	Secret          = "secret"
	PersonalData    = "personal-data"
	RedactedValue   = "redacted"
	UnreadableFrame = "unreadable-frame"
	FailedLayer     = "failed-layer"
	PageLimit       = "page-limit"
	TornMoment      = "torn-moment"
	Unsettled       = "unsettled"
	StaleProfile    = "stale-profile"
	FailedRequest   = "failed-request"
	PendingRequest  = "pending-request"
)

// Rules lists all rules in the order in which findings of one severity are printed.
func Rules() []Rule {
	return []Rule{
		{Secret, "A secret is readable",
			"What is in a dump, a payload, an address or the console goes to the model's vendor, into logs and " +
				"recordings.",
			"Take it off the page, or withhold it with a redact rule of the site's profile; then change the secret.",
			Error, ""},
		{Instructions, "Text that addresses an agent",
			"A model cannot tell a page's text from its user's wishes for sure; text that people cannot see is there " +
				"for the model alone.",
			"Remove it, or filter the element in the site's profile. Where it is content, such as an article about " +
				"prompts, accept it.", Error, "OWASP Top 10 for LLM applications 2025, LLM01"},
		{HiddenText, "An agent reads what people cannot see",
			"The agent acts on words that nobody who watches it can check.",
			"Hide it from agents too (display: none or hidden), or show it.", Warning, ""},
		{FaintText, "Text that people can hardly see",
			"Tiny text, or text of the colour of its background, is read by agents as any other.",
			"Give it a size and a contrast that people can read, or remove it.", Warning,
			"WCAG 2.2, 1.4.3, for contrast"},
		{OffscreenText, "Text beyond the edge of the page", "No scrolling brings it into view, yet agents read it.",
			"Where it is for screen readers, accept it; else remove it.", Note, ""},
		{LabelUnlikeText, "A name unlike the visible text",
			"People and agents call the control by different words; a picture and a text of it disagree.",
			"Begin the accessible name with the visible text, or drop the aria-label.", Warning,
			"WCAG 2.2, 2.5.3 Label in Name"},
		{TextMissing, "A person sees text that the format lacks", "The agent decides without it.",
			"See the reason; choose another format or limit, or fix the page.", Warning, ""},
		{ControlMissing, "A person sees a control that the format lacks", "The agent cannot use it.",
			"See the reason; choose another format or limit, or fix the page.", Warning, ""},
		{PictureMissing, "A picture without a text", "Text formats do not describe it.",
			"Give it an alternative text, or send the picture along.", Warning, "WCAG 2.2, 1.1.1 Non-text Content"},
		{CanvasPage, "Most of the page is a canvas, a video or an object",
			"Nearly all that a person sees is in a canvas, a video or an embedded object, which no text format can " +
				"read.",
			"Use the marked picture, and tell the agent to click by coordinates.", Error, ""},
		{CoveredElement, "An element that something hides",
			"It is in the text and not in the picture; a click lands on what lies over it.",
			"Close what covers it first, or have the format mark it (--mark-covered).", Note, ""},
		{ForgedLine, "Text that looks like a line of a dump",
			"A dump that does not escape it would show an element that is not there.",
			"Make sure that what reads the page escapes its text, as Refscope's formats do.", Warning, ""},
		{Breakout, "Text that would end the markup around it",
			"Put into a prompt as it is, it ends the section that should hold it.",
			"Make sure that what reads the page escapes its text, as Refscope's formats do.", Warning, ""},
		{HiddenChars, "Characters that cannot be seen", "They hide words from people, or show them in another order.",
			"Remove them; Refscope's formats write them as \\u{…}.", Warning,
			"Unicode Technical Report 36, bidirectional text spoofing"},
		{DuplicateName, "The same role and name twice",
			"An agent that names its target by role and name may take the wrong one.",
			"Give each a name of its own, or let the agent use numbers.", Note, ""},
		{UnnamedControl, "A control without a name",
			"The agent sees that something can be operated, but not what it does.",
			"Give it a label, a text or an aria-label.", Warning, "WCAG 2.2, 4.1.2 Name, Role, Value"},
		{SmallTarget, "A target under 24 px", "Clicks by coordinates miss it or hit its neighbour.",
			"Make it 24 by 24 CSS px, or keep its neighbours away.", Note, "WCAG 2.2, 2.5.8 Target Size (Minimum)"},
		{NoKeyboard, "A control that the keyboard does not reach",
			"Agents and people who use the keyboard cannot get to it.",
			"Use a native control, or give it a role and tabindex=\"0\".", Warning, "WCAG 2.2, 2.1.1 Keyboard"},
		{UnreadableFrame, "A frame that could not be read", "What is in it is missing from every format.",
			"See the reason; a person still sees the frame.", Warning, ""},
		{FailedLayer, "A part of the capture failed", "Findings about it may be missing or wrong.",
			"Take the turn again; where it stays, report it with the reason.", Warning, ""},
		{FailedRequest, "A request of the page failed",
			"The page lacks what the answer would have brought: an agent sees an empty list where items should be.",
			"Fix the server, or take the turn again; refscopectl network lists the requests.", Warning, ""},
		{PendingRequest, "A request was under way when the page was read", "What it brings is not in the capture.",
			"Wait longer (--settle-max), or for an element (the profile's wait).", Note, ""},
		{PageLimit, "The page is larger than what was read", "Elements after the limit are in no format.",
			"Audit a part of the page, or raise the limit.", Warning, ""},
		{TornMoment, "Picture and text are not of one moment", "The page changed while it was read.",
			"Take the turn again, or wait longer for the page to settle.", Warning, ""},
		{Unsettled, "The page was still changing", "What the agent saw may be gone a moment later.",
			"Wait longer (--settle-max), or for an element (the profile's wait).", Note, ""},
		{StaleProfile, "A profile's rule that matches nothing",
			"The page has changed since the profile was written; a filter or redaction may fail silently.",
			"Check the rule and rewrite it: refscopectl profile try.", Note, ""},
		{PersonalData, "Personal data is readable", "It goes to the model's vendor, into logs and recordings.",
			"Withhold it with a redact rule of the site's profile, where it must not leave.", Note, ""},
		{RedactedValue, "Withheld by redaction", "A secret was on the page and was kept out of the capture.",
			"Nothing to do: this finding shows that redaction works.", Note, ""},
	}
}

// RuleByID is the rule with that id, false where there is none.
func RuleByID(id string) (Rule, bool) {
	for _, r := range Rules() {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}
