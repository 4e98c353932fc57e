package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// payloadView is a payload that a model got, or would get.
type payloadView struct {
	Dialect, Model string
	Answer         bool // from the model
	Wire           bool // these bytes crossed the wire
	Stored         bool // the turn keeps them
	Bytes          int
	Chars          int // 0 where its sections show it, or it is no text
	SHA256         string
	Redacted       []redact.Span
	Sections       []sectionView
	Hows           []string // how the tokens were counted, a sentence for each way
	Tokens         int
	Exact          bool // the tokens are counted, all of them
	Trimmed        []string
}

// sectionView is a section with its share of the whole in percent.
type sectionView struct {
	Name                  string
	Bytes, Chars, Tokens  int
	How                   string
	ByteShare, TokenShare float64
	ByteStart             float64 // of the bar of all, in percent
	Class                 string
}

// payloads are those that the turn keeps; where it keeps no request, those of the
// dialects that the options name. One that cannot be made hides nothing else.
func (v *turnView) payloads(rec *turn.Record, o *Options) {
	request := false
	for i := range rec.Payloads {
		p := &rec.Payloads[i]
		sum := sha256.Sum256(p.Bytes)
		view := payloadView{Dialect: text.Line(p.Dialect), Model: text.Line(p.Model), Answer: p.Way == turn.Answer,
			Wire: p.Wire, Stored: true, Bytes: len(p.Bytes), SHA256: hex.EncodeToString(sum[:]),
			Redacted: p.Redacted}
		request = request || p.Way == turn.Request
		if utf8.Valid(p.Bytes) {
			view.Chars = utf8.RuneCount(p.Bytes)
		}
		v.Payloads = append(v.Payloads, view)
	}
	if request || len(rec.Capture.Nodes) == 0 {
		return
	}
	picture := rec.Picture
	if v.Stage == nil || v.Stage.Picture == "" {
		picture = nil // it cannot be decoded, which the stage reports
	}
	for _, d := range o.Dialects {
		in := payload.Input{Turn: rec.N, Capture: rec.Capture, Picture: picture, NoImage: picture == nil,
			Model:   o.Model,
			Counter: o.Counter}
		p, err := export.Payload(d, in)
		if err != nil {
			v.Failed = append(v.Failed, text.Line(err.Error()))
			continue
		}
		view := measured(p)
		view.Model = text.Line(o.Model)
		v.Payloads = append(v.Payloads, view)
	}
}

// maxSpans is how many redacted places a payload lists.
const maxSpans = 12

// Withheld are the redacted places in words.
func (p payloadView) Withheld() []string {
	list := p.Redacted
	var out []string
	for _, s := range list[:min(len(list), maxSpans)] {
		out = append(out, fmt.Sprintf("%d bytes at %d: %s", s.End-s.Start, s.Start, text.Line(s.Why)))
	}
	if more := len(list) - maxSpans; more > 0 {
		out = append(out, text.Count(more, "further place", "further places"))
	}
	return out
}

// measured is a payload by its sections, with what is between them as the last.
func measured(p *payload.Payload) payloadView {
	view := payloadView{Dialect: p.Dialect, Bytes: len(p.Body), SHA256: p.SHA256}
	for _, t := range p.Trimmed {
		view.Trimmed = append(view.Trimmed, text.Line(t))
	}
	view.Redacted = p.Redacted
	between := sectionView{Name: payload.Structure, How: payload.HowStructure, Class: "frame"}
	for _, s := range p.Parts() {
		if s.Name == payload.Structure {
			between.Bytes += s.Bytes
			continue
		}
		view.Sections = append(view.Sections, sectionView{Name: text.Line(s.Name), Bytes: s.Bytes, Chars: s.Chars,
			Tokens: s.Tokens, How: s.TokensHow,
			Class: fmt.Sprintf("s%d", len(view.Sections)%6)})
	}
	if between.Bytes > 0 {
		view.Sections = append(view.Sections, between)
	}
	view.Tokens, view.Exact = p.Tokens()
	view.Hows = hows(view.Sections)
	at := 0.0
	for i := range view.Sections {
		s := &view.Sections[i]
		s.ByteShare = share(s.Bytes, view.Bytes)
		s.TokenShare = share(s.Tokens, view.Tokens)
		s.ByteStart = at
		at += s.ByteShare
	}
	return view
}

// hows names the sections by the way in which their tokens were counted.
func hows(sections []sectionView) []string {
	var ways []string
	named := map[string][]string{}
	for _, s := range sections {
		if named[s.How] == nil {
			ways = append(ways, s.How)
		}
		named[s.How] = append(named[s.How], s.Name)
	}
	for i, how := range ways {
		what, why, _ := strings.Cut(how, ": ")
		ways[i] = text.Capital(what) + " (" + why + "): " + strings.Join(named[how], ", ")
	}
	return ways
}

// share is a part of a whole in percent, to two decimals.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(10000*part/whole) / 100
}

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
	Indent, Number, Text string // Number is "[12]" where the line begins with it, Indent the white space before
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
			v.Failed = append(v.Failed, text.Line(err.Error()))
			continue
		}
		sent := v.Request != nil && v.Request.Sent != nil // that is what a reader wants to see
		view := dumpView{Format: string(f), Open: i == 0 && !sent, Bytes: len(d.Text),
			Chars: utf8.RuneCountInString(d.Text),
			Cut:   d.Truncated}
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
