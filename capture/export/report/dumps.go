package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
)

// dumpView is one text format of a turn.
type dumpView struct {
	Format       string
	Open         bool
	Bytes, Chars int
	Tokens       int
	TokensHow    string
	Cut          bool // the format's limit or the report's cut it
	Lines        []dumpLine
	Omitted      int // elements that the format left out, or a part of them
}

// dumpLine is a line with the element that it is about.
type dumpLine struct {
	Ref                  int
	Class                string
	Indent, Number, Text string // Number is "[12]" where the line begins with it, Indent what stands before
}

func (v *turnView) dumps(c *snapshot.Capture, formats []dump.Format, counter *tokens.Counter) {
	if len(c.Nodes) == 0 {
		return
	}
	class := map[int]string{}
	if v.Elements != nil {
		for _, r := range v.Elements.Rows {
			if r.Class == "covered" || r.Class == "partly" {
				class[r.Ref] = r.Class
			}
		}
	}
	for i, f := range formats {
		o := format.Options{}
		if f != format.DDDK && f != format.DomTool { // these have limits of their own
			o.MaxChars = dumpLimit
		}
		d, err := format.Render(c, f, o)
		if err != nil {
			v.Failed = append(v.Failed, dump.Printable(err.Error()))
			continue
		}
		view := dumpView{Format: string(f), Open: i == 0, Bytes: len(d.Text), Chars: utf8.RuneCountInString(d.Text), Cut: d.Truncated}
		view.Tokens, view.TokensHow = dump.EstimateTokens(view.Chars), payload.HowEstimated
		if counter != nil {
			view.Tokens, view.TokensHow = counter.Count(d.Text), payload.HowCounted
		}
		nodes := map[int]bool{}
		for _, om := range d.Omitted {
			nodes[om.Node] = true
		}
		view.Omitted = len(nodes)
		for _, l := range d.Lines {
			text := d.Text[l.Start:l.End]
			line := dumpLine{Ref: l.Ref, Class: class[l.Ref], Text: text}
			if format.KindOf(f) == format.KindLines {
				line.Text = strings.TrimLeft(text, "\t")
				if rest, ok := strings.CutPrefix(line.Text, "↑"); ok {
					line.Text = rest
				} else if rest, ok := strings.CutPrefix(line.Text, "↓"); ok {
					line.Text = rest
				}
				line.Indent = text[:len(text)-len(line.Text)]
				if number := "[" + strconv.Itoa(l.Ref) + "]"; l.Ref > 0 && strings.HasPrefix(line.Text, number) {
					line.Number, line.Text = number, line.Text[len(number):]
				}
			}
			view.Lines = append(view.Lines, line)
		}
		v.Dumps = append(v.Dumps, view)
	}
}
