package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/tokens"
)

// payloadCall is what the flags of payload say.
type payloadCall struct {
	dialect, format, against, before string
	stored                           int
	exit, curl                       bool
	in                               payload.Input
}

// payloadOf prints the exact bytes that a model would receive for a turn, or those that
// were stored with it, and no byte more. With --json it prints what they are made of
// instead, and with --against how those of another turn differ.
func payloadOf(ctx context.Context, a *app, args []string) error {
	var c payloadCall
	targets, err := a.globals("refscopectl payload", args, func(fs *flag.FlagSet) { c.flags(fs) })
	if err != nil {
		return err
	}
	switch {
	case len(targets) != 1:
		return usagef("payload: name one turn: SESSION#N or its folder; a URL or an .html file is captured first")
	case c.dialect != "" && !slices.Contains(payload.Dialects(), c.dialect):
		return usagef("payload: --dialect %q: choose from %s", c.dialect, strings.Join(payload.Dialects(), ", "))
	case c.dialect != "" && c.stored > 0:
		return usagef("payload: --dialect makes the payload anew and --stored prints what was kept: give one of them")
	case c.format != "" && !isFormat(c.format):
		return usagef("payload: --dump %q: choose from %s", c.format, formatNames())
	}
	if a.json || c.against != "" {
		c.in.Counter = &tokens.Counter{}
	}
	l := a.live()
	defer l.close()
	p, about, err := l.payload(ctx, targets[0], c)
	if err != nil {
		return err
	}
	if c.against != "" {
		return a.comparePayloads(ctx, l, p, c)
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(about)
	}
	if c.curl {
		return a.printCurl(p, c)
	}
	_, err = a.stdout.Write(p.Body)
	return err
}

// printCurl prints a command that sends the body, with the key in a variable of the
// shell. A long body is read from a file that is to be made first.
func (a *app) printCurl(p *payload.Payload, c payloadCall) error {
	file := "payload-" + p.Dialect + ".json"
	text, err := payload.Curl(p.Dialect, c.in.Model, p.Body, file)
	if err != nil {
		return usagef("payload --curl: %v", err)
	}
	if len(p.Body) > payload.MaxCurlBody {
		a.remark("the body is too long for a command: write it first, with the same call without --curl and > %s", file)
	}
	_, err = io.WriteString(a.stdout, text)
	return err
}

func (c *payloadCall) flags(fs *flag.FlagSet) {
	in := &c.in
	fs.StringVar(&c.dialect, "dialect", "", "dialect: "+strings.Join(payload.Dialects(), " | ")+"; without it, what was stored with the turn")
	fs.IntVar(&c.stored, "stored", 0, "the number of the stored payload, where the turn has several")
	fs.BoolVar(&c.curl, "curl", false, "print a curl command that sends the bytes instead of the bytes")
	fs.StringVar(&c.against, "against", "", "compare with the payload of that turn")
	fs.BoolVar(&c.exit, "exit-code", false, "with --against: exit 1 where something differs")
	fs.StringVar(&in.Model, "model", "", "the model's name, where the body has one")
	fs.StringVar(&in.Query, "query", "", "the task in the user's words")
	fs.StringVar(&in.System, "system", "", "the host's own system prompt")
	fs.StringVar(&in.Mode, "mode", "", "agent-interact: semantic | skeleton | hybrid | full")
	fs.StringVar(&c.format, "dump", "", "text format of the page; default dddk, or the dialect's own")
	fs.StringVar(&in.Detail, "detail", "", "how closely the model looks at the picture, in the vendor's word")
	fs.IntVar(&in.MaxPromptTokens, "max-prompt-tokens", 0, "dddk: limit of the message array, 3,000 of it for the answer")
	fs.IntVar(&in.MaxTokens, "max-tokens", 0, "anthropic: limit of the answer; default 4096")
	fs.BoolVar(&in.NoImage, "no-image", false, "leave the picture out")
	fs.BoolVar(&in.Compat, "compat", false, "as the original sends it")
	fs.StringVar(&c.before, "before", "", "cdp-skill: the turn before the steps, for changes")
	fs.StringVar(&in.Answer.Tab, "tab", "", "cdp-skill: the tab's alias")
	fs.StringVar(&in.Answer.Screenshot, "screenshot", "", "cdp-skill: the path of the picture that the answer names")
	fs.StringVar(&in.Answer.FullSnapshot, "full-snapshot", "", "cdp-skill: the path of the snapshot that the answer names")
}

// payload is the payload of a target, and what is to be said about it.
func (l *live) payload(ctx context.Context, target string, c payloadCall) (*payload.Payload, any, error) {
	if c.dialect == "" {
		return l.a.storedPayload(ctx, target, c.stored)
	}
	s, err := l.see(ctx, target, session.Options{Action: "payload"})
	if err != nil {
		return nil, nil, err
	}
	in := c.in
	in.Turn, in.Capture, in.Picture, in.Dump = s.turn, s.capture, s.picture, dump.Format(c.format)
	if err := l.answer(ctx, s, &in.Answer, c.before); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", target, err)
	}
	p, err := export.Payload(c.dialect, in)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", target, err)
	}
	n, exact := p.Tokens()
	structure := len(p.Body)
	for _, s := range p.Sections {
		structure -= s.Bytes
	}
	return p, map[string]any{
		"status": "ok", "dialect": p.Dialect, "sha256": p.SHA256, "bytes": len(p.Body), "tokens": n, "tokensExact": exact,
		"sections": p.Sections, "structureBytes": structure, "redacted": append([]redact.Span{}, p.Redacted...), "trimmed": append([]string{}, p.Trimmed...),
	}, nil
}

// answer fills what cdp-skill's answer says besides the page: what the flags say, then
// what the turn keeps.
func (l *live) answer(ctx context.Context, s *seen, a *payload.Answer, before string) error {
	said := *a
	if r := s.record; r != nil {
		if len(r.Answer) > 0 {
			kept, err := payload.AnswerOf(r.Answer)
			if err != nil {
				return err
			}
			*a = kept
		}
		if r.Profile != nil {
			a.SiteProfile = string(r.Profile.Bytes)
		}
	}
	for _, f := range []struct {
		to   *string
		said string
	}{{&a.Tab, said.Tab}, {&a.Screenshot, said.Screenshot}, {&a.FullSnapshot, said.FullSnapshot}} {
		if f.said != "" {
			*f.to = f.said
		}
	}
	var err error
	if before != "" {
		a.Before, err = l.capture(ctx, before, "payload")
	}
	return err
}

// comparePayloads prints how the payload of the other turn differs from p.
func (a *app) comparePayloads(ctx context.Context, l *live, p *payload.Payload, c payloadCall) error {
	other, _, err := l.payload(ctx, c.against, c)
	if err != nil {
		return err
	}
	d := payload.Diff(p, other)
	if a.json {
		err = json.NewEncoder(a.stdout).Encode(d)
	} else {
		_, err = io.WriteString(a.stdout, visible(d.Report())+"\n")
	}
	if err == nil && c.exit && !d.Same {
		err = errReported
	}
	return err
}
