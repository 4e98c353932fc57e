package messages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// fewLines is how many lines of a part are shown before it is opened, fewChars how many characters of them.
const (
	fewLines = 6
	fewChars = 700
)

// rows are the list of what is in view.
func rows(m *model) []core.Row {
	switch m.Show {
	case showTools:
		return toolRows(m)
	case showParameters:
		return parameterRows(m.Talk)
	}
	l := lister{m: m}
	return l.talk()
}

// lister writes the rows of a conversation.
type lister struct {
	m   *model
	out []core.Row
}

func (l *lister) talk() []core.Row {
	c := l.m.Talk
	l.out = append(l.out, l.whole())
	folded, from := 0, -1
	for i := range c.Messages {
		msg := &c.Messages[i]
		if c.Repeats(i) && !l.m.Unfolded {
			if folded++; from < 0 {
				from = len(l.out)
				l.out = append(l.out, core.Row{})
			}
			continue
		}
		l.message(i, msg)
		if i == 0 && len(c.Tools) > 0 && msg.Role == "system" {
			l.tools()
		}
	}
	if len(c.Tools) > 0 && (len(c.Messages) == 0 || c.Messages[0].Role != "system") {
		rest := l.out[1:]
		l.out = l.out[:1:1]
		l.tools()
		if from >= 0 {
			from += len(l.out) - 1
		}
		l.out = append(l.out, rest...)
	}
	if from >= 0 {
		l.out[from] = l.same(folded)
	}
	return l.out
}

// whole is the line about the request as a whole.
func (l *lister) whole() core.Row {
	asked := len(l.m.Talk.Messages)
	if asked > 0 && l.m.Talk.Messages[asked-1].Answer {
		asked--
	}
	chips := []core.RowChip{{Text: "Copy as curl", Msg: curlAsked{}}, {Text: "Raw bytes", Msg: bytesAsked{}},
		{Text: "Ask again…", Msg: core.CommandChosen{ID: core.CmdAsk}}}
	if !sentrequest.ToModel(l.m.Turn) {
		chips = chips[1:2]
	}
	return core.Row{Kind: core.RowPart, Title: "Request · " + text.Count(asked, "message", "messages"), Chips: chips}
}

// same is the line in the place of what repeats.
func (l *lister) same(n int) core.Row {
	c, tokens, cached := l.m.Talk, 0, true
	for i := range c.Messages {
		if c.Repeats(i) {
			tokens += c.Messages[i].Tokens
			cached = cached && c.Messages[i].Cached
		}
	}
	words := text.Count(n, "message", "messages") + fmt.Sprintf(" as in turn %d · ", c.Before) +
		text.Count(tokens, "token", "tokens")
	if cached {
		words += " · cached"
	}
	return core.Row{Kind: core.RowCard, Tone: core.ToneMuted, Title: words, Action: "Show", Do: unfolded(),
		Pick: unfolded()}
}

// message writes one message: who speaks over its parts.
func (l *lister) message(i int, msg *conversation.Message) {
	first := len(l.out)
	for k := range msg.Parts {
		l.part(place{i, k}, &msg.Parts[k])
	}
	if len(l.out) == first {
		l.out = append(l.out, core.Row{Kind: core.RowPart, Tone: core.ToneMuted, Body: "(nothing)"})
	}
	head := &l.out[first]
	head.Title, head.Chips = msg.Speaker(), []core.RowChip{{Text: "Copy", Msg: copied{i}}}
	cost := text.Count(msg.Tokens, "token", "tokens")
	switch {
	case msg.Answer && msg.Tokens > 0:
		cost += " out"
	case msg.Answer:
		cost = "answer"
	case msg.Cached:
		cost += " · cached"
	case msg.New:
		cost += " · new"
	}
	head.Cells = []string{cost}
	for r := first; r < len(l.out); r++ {
		l.out[r].On = msg.New
		if l.out[r].Pick == nil {
			l.out[r].Pick = bytesAsked{Answer: msg.Answer, At: msg.Bytes[0]}
		}
	}
}

func (l *lister) part(at place, p *conversation.Part) {
	row := core.Row{Kind: core.RowPart}
	switch {
	case p.Kind == wire.Image:
		row.Picture, row.Body = pictureName(at), p.PictureWords()
		if im, _ := l.m.Pictures.Of(row.Picture); im != nil {
			row.Pick, row.Action, row.Do = pictureOpened(row.Picture), "Show whole", pictureOpened(row.Picture)
		}
		l.out = append(l.out, row)
	case p.Kind == wire.Call:
		l.text(at, row, call(p, l.m.Open[at]), true)
	case p.Page != nil:
		row.Code, row.Body = true, text.Cut(text.Line(string(p.Page.Format)), 32)+" · "+p.PageWords()
		if texts := l.texts(); len(texts) > 0 && p.Page == texts[len(texts)-1] {
			row.Action, row.Do, row.Pick = "As sent", pageAsked{}, pageAsked{}
			l.out = append(l.out, row)
			return
		}
		row.Tone = core.ToneMuted
		if l.m.Open[at] {
			l.text(at, core.Row{Kind: core.RowPart}, p.Text, true)
			return
		}
		row.Action, row.Do = "Show the text", opened{at}
		l.out = append(l.out, row)
	case p.Kind == wire.Reasoning:
		row.Tone = core.ToneMuted
		l.text(at, row, p.Text, false)
	default:
		shown, code := readable(text.Unstyled(p.Text))
		row.JSON = code
		l.text(at, row, shown, code || p.Kind == wire.Result && !markedDown(shown))
	}
}

func (l *lister) texts() []*observation.Text {
	if l.m.Report == nil {
		return nil
	}
	return l.m.Report.Texts
}

// text writes a text: its first lines, or all of them, each a row of its own so that thousands scroll.
func (l *lister) text(at place, row core.Row, s string, code bool) {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if !code {
		l.markdown(at, row, lines)
		return
	}
	row.Code = code
	few := lines[:min(fewLines, len(lines))]
	short := strings.Join(few, "\n")
	cut := len(lines) > len(few) || len(short) > fewChars
	if !cut || !l.m.Open[at] {
		row.Body = text.Cut(short, fewChars)
		if cut {
			row.Action, row.Do = "Show all", opened{at}
			if more := len(lines) - len(few); more > 0 {
				row.Action = text.Count(more, "more line", "more lines")
			}
		}
		l.out = append(l.out, row)
		return
	}
	row.Code = false // a box around each line says nothing
	for i, line := range lines {
		one := row
		if one.Body = line; i == len(lines)-1 {
			one.Action, one.Do = "Show less", opened{at}
		}
		l.out = append(l.out, one)
	}
}

// markdown writes a text as Markdown means it: headings are bold, points set in, code stands in a box, and the marks of
// emphasis are left out. Each block is a row of its own, so that thousands scroll.
func (l *lister) markdown(at place, row core.Row, lines []string) {
	from := len(l.out)
	shown, cut := lines, false
	if !l.m.Open[at] {
		shown, cut = lines[:min(fewLines, len(lines))], len(lines) > fewLines
		if short := strings.Join(shown, "\n"); len(short) > fewChars {
			shown, cut = strings.Split(text.Cut(short, fewChars), "\n"), true
		}
	}
	add := func(one core.Row) {
		one.Tone = row.Tone
		l.out = append(l.out, one)
	}
	var code []string
	fenced := false
	for _, line := range shown {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			if fenced = !fenced; !fenced && len(code) > 0 {
				add(fence(code))
				code = nil
			}
			continue
		case fenced:
			if code = append(code, line); l.m.Open[at] && len(code) == fewLines*4 { // a row is drawn whole
				add(fence(code))
				code = nil
			}
			continue
		case trimmed == "":
			continue
		}
		one := core.Row{Kind: core.RowPart}
		head := strings.TrimLeft(trimmed, "#")
		point := strings.TrimLeft(trimmed, "-*+•")
		number, rest, dotted := strings.Cut(trimmed, ". ")
		switch deep := (len(line) - len(strings.TrimLeft(line, " \t"))) / 2; {
		case head != trimmed && strings.HasPrefix(head, " "):
			one.Strong = true
			inline(&one, "", head)
		case len(trimmed)-len(point) == 1 && strings.HasPrefix(point, " "):
			one.Level = 1 + min(deep, 4)
			inline(&one, "•  ", point)
		case dotted && len(number) < 4 && strings.Trim(number, "0123456789") == "" && number != "":
			one.Level = 1 + min(deep, 4)
			inline(&one, number+".  ", rest)
		case strings.HasPrefix(trimmed, ">"):
			one.Level = 1
			inline(&one, "", trimmed)
		default:
			inline(&one, "", trimmed)
		}
		add(one)
	}
	if len(code) > 0 {
		add(fence(code))
	}
	if len(l.out) == from {
		add(core.Row{Kind: core.RowPart})
	}
	last := &l.out[len(l.out)-1]
	switch {
	case cut:
		last.Action, last.Do = "Show all", opened{at}
		if more := len(lines) - len(shown); more > 0 {
			last.Action = text.Count(more, "more line", "more lines")
		}
	case l.m.Open[at] && len(lines) > fewLines:
		last.Action, last.Do = "Show less", opened{at}
	}
}

// markedDown reports whether what a tool returned is Markdown: it begins with a heading.
func markedDown(s string) bool {
	head := strings.TrimLeft(strings.TrimSpace(s), "#")
	return len(head) < len(strings.TrimSpace(s)) && strings.HasPrefix(head, " ")
}

// inline gives a row a line of Markdown, with its emphasis, behind a lead such as a point.
func inline(row *core.Row, lead, line string) {
	row.Inline = conversation.Inline(line)
	if lead != "" {
		row.Inline = append([]conversation.Stretch{{Text: lead}}, row.Inline...)
	}
	row.Body = lead + conversation.Plain(line)
}

// fence is a block of code, JSON in the colours of its types.
func fence(lines []string) core.Row {
	shown, typed := readable(strings.Join(lines, "\n"))
	return core.Row{Kind: core.RowPart, Code: true, JSON: typed, Body: shown}
}

// readable is a text as it is read: JSON in lines, which are code.
func readable(s string) (shown string, code bool) {
	t := strings.TrimSpace(s)
	if len(t) < 2 || t[0] != '{' && t[0] != '[' || !json.Valid([]byte(t)) {
		return s, false
	}
	return indented([]byte(t)), true
}

func indented(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// call is a call of a tool: in one line, or with its arguments in lines.
func call(p *conversation.Part, open bool) string {
	args := bytes.TrimSpace(p.Arguments)
	if len(args) == 0 {
		return p.Name + " {}"
	}
	if open || len(args) > 240 {
		return p.Name + " " + indented(args)
	}
	var b bytes.Buffer
	if json.Compact(&b, args) != nil {
		return p.Name + " " + string(args)
	}
	return p.Name + " " + b.String()
}

// tools is the line of what the model may call.
func (l *lister) tools() {
	c := l.m.Talk
	var names []string
	for _, t := range c.Tools {
		names = append(names, text.Cut(text.Line(t.Name), 32))
	}
	cost := text.Count(c.ToolTokens, "token", "tokens")
	if c.ToolsNew {
		cost += " · new"
	}
	l.out = append(l.out, core.Row{Kind: core.RowPart, Title: "Tools", Cells: []string{cost}, On: c.ToolsNew,
		Body:   text.Cut(strings.Join(names, " · "), 240),
		Action: text.Count(len(c.Tools), "tool with its schema", "tools with schemas"), Do: chosen(showTools),
		Pick: chosen(showTools)})
}

// toolRows are the tools with their schemas.
func toolRows(m *model) []core.Row {
	l := lister{m: m}
	if len(m.Talk.Tools) == 0 {
		return []core.Row{{Kind: core.RowHead, Title: "The request offers no tools."}}
	}
	for i, t := range m.Talk.Tools {
		at := place{inTools, i}
		first := len(l.out)
		l.text(at, core.Row{Kind: core.RowPart}, text.Start(t.Description, 1<<20), false)
		head := &l.out[first]
		head.Title, head.Cells = text.Cut(text.Line(t.Name), 64), []string{text.Count(t.Tokens, "token", "tokens")}
		if schema := parametersOf(t.Schema); schema != "" {
			l.text(place{inTools - 1, i}, core.Row{Kind: core.RowPart}, schema, true)
		}
		for r := first; r < len(l.out); r++ {
			l.out[r].Pick = bytesAsked{At: t.Bytes[0]}
		}
	}
	return l.out
}

// parametersOf are the parameters of a tool, one a line: name, type, whether it is needed, and what it is for; the
// schema itself where it has another shape.
func parametersOf(schema json.RawMessage) string {
	if len(schema) == 0 {
		return ""
	}
	var top struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	d := json.NewDecoder(bytes.NewReader(schema))
	if d.Decode(&top) != nil || len(top.Properties) == 0 {
		return indented(schema)
	}
	needed := map[string]bool{}
	for _, name := range top.Required {
		needed[name] = true
	}
	var out []string
	d = json.NewDecoder(bytes.NewReader(top.Properties))
	if _, err := d.Token(); err != nil {
		return indented(schema)
	}
	for d.More() {
		key, err := d.Token()
		var one struct {
			Type        any    `json:"type"`
			Description string `json:"description"`
			Enum        []any  `json:"enum"`
		}
		if err != nil || d.Decode(&one) != nil {
			return indented(schema)
		}
		line := fmt.Sprint(key)
		if one.Type != nil {
			line += ": " + fmt.Sprint(one.Type)
		}
		if !needed[fmt.Sprint(key)] {
			line += "?"
		}
		if len(one.Enum) > 0 {
			line += fmt.Sprintf(" %v", one.Enum)
		}
		if one.Description != "" {
			line += "  " + text.CollapseSpace(one.Description)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// parameterRows are the other settings of the request.
func parameterRows(c *conversation.Conversation) []core.Row {
	out := []core.Row{{Kind: core.RowHead, Title: "The request's other members, as they were sent"}}
	for _, p := range c.Parameters {
		value := indented(p.Value)
		if !strings.Contains(value, "\n") {
			out = append(out, core.Row{Title: text.Line(p.Name), Aside: text.Cut(text.Line(value), 200)})
			continue
		}
		out = append(out, core.Row{Kind: core.RowPart, Title: text.Line(p.Name), Body: text.Cut(value, 4000),
			Code: true})
	}
	if len(c.Parameters) == 0 {
		out[0].Title = "The request has no other members."
	}
	return out
}
