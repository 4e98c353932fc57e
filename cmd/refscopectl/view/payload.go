package view

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// payloadFlags are the flags of payload.
type payloadFlags struct {
	out                              string // file of the bytes, "" for standard output
	dialect, format, against, before string
	stored                           int
	exit, curl                       bool
	in                               payload.Input
	given                            *pflag.FlagSet
}

// BodyFlags are the flags that describe a body that is built; see [payload.Takes].
var BodyFlags = []string{
	"model", "query", "system", "mode", "dump", "detail", "max-prompt-tokens", "max-tokens", "no-image",
	"compat", "before",
	"tab", "screenshot", "full-snapshot",
}

// checkTaken refuses a flag that would change nothing: one of a body, where none is built, and one that the dialect
// does not take. Where none is built, taken are those that change the stored one.
func (f *payloadFlags) checkTaken(command string, taken ...string) error {
	if f.dialect != "" {
		taken = payload.Takes(f.dialect)
	}
	for _, name := range BodyFlags {
		switch {
		case !f.given.Changed(name) || slices.Contains(taken, name):
		case f.dialect == "":
			return cli.Usagef("%s: --%s describes a body that is built again, and without --dialect it is the stored "+
				"one: add --dialect NAME, or leave it out", command, name)
		default:
			return cli.Usagef("%s: --%s changes nothing in the dialect %s, which takes --%s", command, name, f.dialect,
				strings.Join(taken, ", --"))
		}
	}
	whole := f.in
	whole.NoImage = false
	if f.in.NoImage && !payload.WantsPicture(f.dialect, whole) {
		return cli.Usagef("%s: --no-image changes nothing: this body has no picture: leave it out", command)
	}
	return nil
}

// Payload prints the exact bytes that a model would receive for a turn, or those that
// were stored with it, and no byte more. With --json it prints what they are made of instead,
// and with --against how those of another turn differ.
func Payload(a *cli.App) *cobra.Command {
	var f payloadFlags
	c := &cobra.Command{
		Use: "payload TURN --dialect D", Short: "the exact bytes for a dialect on standard output",
		Example: `  refscopectl payload shop#1 --dialect openai-chat --model gpt-4o
  refscopectl payload shop#1 --dialect anthropic --curl
  refscopectl payload shop#1 --stored 2
  refscopectl payload agent#4 --dialect anthropic --dump sent
  refscopectl payload shop#1 --dialect dddk --against shop#2 --exit-code`,
		ValidArgsFunction: cli.First(a.Targets()),
		RunE:              func(c *cobra.Command, args []string) error { return runPayload(c.Context(), a, &f, args) },
	}
	f.register(a, c)
	fs := c.Flags()
	fs.StringVarP(&f.out, "output", "o", "", "write the bytes to that `FILE` instead of standard output")
	fs.BoolVar(&f.curl, "curl", false, "print a curl command that sends the bytes instead of the bytes")
	fs.StringVar(&f.against, "against", "", "compare with the payload of that `TURN`")
	fs.BoolVar(&f.exit, "exit-code", false, "with --against: exit 1 where something differs")
	a.CompleteFlagBy(c, "against", (*cli.App).CompleteTargets)
	return c
}

func runPayload(ctx context.Context, a *cli.App, f *payloadFlags, targets []string) error {
	switch {
	case len(targets) != 1:
		return cli.Usagef("payload: name one turn: SESSION#N or its folder; a URL or an .html file is captured first")
	case f.dialect != "" && !slices.Contains(payload.Dialects(), f.dialect):
		return cli.Usagef("payload: --dialect %q: choose from %s", f.dialect, dialectNames())
	case f.dialect != "" && f.stored > 0:
		return cli.Usagef("payload: --dialect makes the payload again and --stored prints what was kept: give one of " +
			"them")
	case f.format != "" && f.format != sentFormat && !cli.IsFormat(f.format):
		return cli.Usagef("payload: --dump %q: choose from %s", f.format, cli.FormatNames(sentFormat))
	case f.exit && f.against == "":
		return cli.Usagef("payload: --exit-code belongs to --against")
	case f.out != "" && (f.against != "" || a.JSON || f.curl):
		return cli.Usagef("payload: -o is for the bytes themselves: leave --against, --json and --curl out")
	case f.curl && (f.against != "" || a.JSON):
		return cli.Usagef("payload: --curl prints a command: leave --against and --json out")
	}
	if err := f.checkTaken("payload"); err != nil {
		return err
	}
	if a.JSON || f.against != "" {
		f.in.Counter = &tokens.Counter{}
	}
	tabs := a.Opener()
	tabs.Pageless = f.format == sentFormat
	defer tabs.Close()
	p, about, err := payloadOf(ctx, a, tabs, targets[0], f)
	switch {
	case err != nil:
		return err
	case f.against != "":
		return comparePayloads(ctx, a, tabs, p, f)
	case a.JSON:
		return a.PrintJSON(about)
	case f.curl:
		return printCurl(a, p, f)
	}
	if f.dialect != "" && f.in.Model == "" && bytes.Contains(p.Body, []byte(`"`+payload.DefaultModel+`"`)) {
		a.Remark("the body names the model %s: name yours with --model", payload.DefaultModel)
	}
	if f.out != "" && f.out != cli.Dash {
		return export.Write(f.out, p.Body)
	}
	return printBody(a, p.Body)
}

func dialectNames() string { return strings.Join(payload.Dialects(), ", ") }

// printCurl prints a command that sends the body, with the key in a variable of the
// shell. A body that is too long for a command comes from this program, through a pipe.
func printCurl(a *cli.App, p *payload.Payload, f *payloadFlags) error {
	command, err := payload.Curl(p.Dialect, f.in.Model, p.Body, "-")
	if err != nil {
		return cli.Usagef("payload --curl: %v", err)
	}
	if len(p.Body) > payload.MaxCurlBody {
		words := []string{"refscopectl"}
		for _, arg := range a.Args {
			if arg != "--curl" && arg != "-curl" {
				words = append(words, text.ShellWord(arg))
			}
		}
		command = strings.Join(words, " ") + " |\n  " + command
	}
	return a.PrintBytes([]byte(command))
}

// printBody prints a body; on a terminal its pictures are counted and not printed.
func printBody(a *cli.App, body []byte) error {
	if f, ok := a.Stdout.(*os.File); ok && cli.Terminal(f) {
		body = base64Run.ReplaceAllFunc(body, func(run []byte) []byte {
			return fmt.Appendf(nil, "[%s characters of base64]", text.Thousands(len(run)))
		})
	}
	return a.PrintBytes(body)
}

// base64Run is a stretch that nobody reads on a terminal.
var base64Run = regexp.MustCompile(`[A-Za-z0-9+/]{400,}={0,2}`)

// register adds the flags that describe the payload; ask has them too.
func (f *payloadFlags) register(a *cli.App, c *cobra.Command) {
	fs, in := c.Flags(), &f.in
	f.given = fs
	fs.StringVar(&f.dialect, "dialect", "", "`NAME`: "+strings.Join(payload.Dialects(), " | ")+
		"; without it, what was stored with the turn")
	fs.IntVar(&f.stored, "stored", 0, "the number `N` of the stored payload, where the turn has several")
	fs.StringVar(&in.Model, "model", "", "the model's `NAME`, where the body has one")
	fs.StringVar(&in.Query, "query", "", "the task, a `TEXT` in the user's words")
	fs.StringVar(&in.System, "system", "", "the host's own system prompt, a `TEXT`")
	fs.StringVar(&in.Mode, "mode", "", "agent-interact: `semantic|skeleton|hybrid|full`")
	fs.StringVar(&f.format, "dump", "",
		"text `FORMAT` of the page; default dddk, or the dialect's own; sent is the agent's own "+
			"text of a recorded turn, with its numbers on the picture")
	fs.StringVar(&in.Detail, "detail", "", "how closely the model looks at the picture, in the vendor's `WORD`")
	fs.IntVar(&in.MaxPromptTokens, "max-prompt-tokens", 0,
		"dddk: at most `N` tokens of the message array, 3,000 of them for the answer")
	fs.IntVar(&in.MaxTokens, "max-tokens", 0, "anthropic: at most `N` tokens of the answer; default 4096")
	fs.BoolVar(&in.NoImage, "no-image", false, "leave the picture out")
	fs.BoolVar(&in.Compat, "compat", false, "as the original sends it")
	fs.StringVar(&f.before, "before", "", "cdp-skill: the `TURN` before the steps, for changes")
	fs.StringVar(&in.Answer.Tab, "tab", "", "cdp-skill: the tab's `ALIAS`")
	fs.StringVar(&in.Answer.Screenshot, "screenshot", "", "cdp-skill: the `PATH` of the picture that the answer names")
	fs.StringVar(&in.Answer.FullSnapshot, "full-snapshot", "",
		"cdp-skill: the `PATH` of the snapshot that the answer names")
	cli.CompleteFlag(c, "dialect", payload.Dialects()...)
	cli.CompleteFlag(c, "dump", cli.FormatList(sentFormat)...)
	cli.CompleteFlag(c, "mode", "semantic", "skeleton", "hybrid", "full")
	a.CompleteFlagBy(c, "before", (*cli.App).CompleteTargets)
}

// payloadOf is the payload of a target, and the remarks about it.
func payloadOf(ctx context.Context, a *cli.App, o *target.Opener, name string, f *payloadFlags) (
	*payload.Payload, any, error) {
	if f.dialect == "" {
		return storedPayload(ctx, a, name, f.stored)
	}
	s, err := o.Open(ctx, name, session.Options{Action: "payload"})
	if err != nil {
		return nil, nil, err
	}
	in := f.in
	in.Turn, in.Capture, in.Picture = s.N, s.Capture, s.Picture
	if f.format == sentFormat {
		given, err := sentOf(ctx, a, s)
		if err != nil {
			return nil, nil, err
		}
		given.Fill(&in)
	} else {
		in.Dump = dump.Format(f.format)
	}
	if err := fillAnswer(ctx, o, s, &in.Answer, f.before); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(in.Picture) == 0 && payload.WantsPicture(f.dialect, in) {
		a.Remark("%v: the body is made without one", s.NoPicture())
	}
	p, err := export.Payload(f.dialect, in)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	n, exact := p.Tokens()
	structure := len(p.Body)
	for _, s := range p.Sections {
		structure -= s.Bytes
	}
	return p, map[string]any{
		"status": "ok", "dialect": p.Dialect, "sha256": p.SHA256, "bytes": len(p.Body), "tokens": n,
		"tokensExact": exact,
		"sections":    p.Sections, "structureBytes": structure, "redacted": cli.List(p.Redacted),
		"trimmed": cli.List(p.Trimmed),
	}, nil
}

// fillAnswer fills what cdp-skill's answer has besides the page: from the flags, else from what
// the turn keeps.
func fillAnswer(ctx context.Context, o *target.Opener, s *target.Opened, a *payload.Answer, before string) error {
	typed := *a
	if r := s.Record; r != nil {
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
		to    *string
		typed string
	}{{&a.Tab, typed.Tab}, {&a.Screenshot, typed.Screenshot}, {&a.FullSnapshot, typed.FullSnapshot}} {
		if f.typed != "" {
			*f.to = f.typed
		}
	}
	var err error
	if before != "" {
		a.Before, err = o.OpenCapture(ctx, before, "payload")
	}
	return err
}

// comparePayloads prints how the payload of the other turn differs from p.
func comparePayloads(ctx context.Context, a *cli.App, tabs *target.Opener, p *payload.Payload, f *payloadFlags) error {
	other, _, err := payloadOf(ctx, a, tabs, f.against, f)
	if err != nil {
		return err
	}
	d := payload.Diff(p, other)
	if a.JSON {
		err = a.PrintJSON(d)
	} else {
		err = a.Print(d.Report() + "\n")
	}
	if err == nil && f.exit && !d.Same {
		err = cli.ErrReported
	}
	return err
}

// storedPayload is a payload that was kept with a turn: the one that crossed the wire,
// or the one with that number, from 1. Several without a number are an error that names
// them.
func storedPayload(ctx context.Context, a *cli.App, name string, number int) (*payload.Payload, any, error) {
	at, ok := target.ParseTurn(a.Home, name)
	if !ok {
		return nil, nil, cli.Usagef("payload: %s is not a turn, and only a turn keeps payloads: choose --dialect %s",
			name,
			dialectNames())
	}
	s, err := target.ReadTurn(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	all := s.Record.Payloads
	if len(all) == 0 {
		return nil, nil, cli.Usagef("payload: no payload was stored with %s: choose --dialect %s to make one", name,
			dialectNames())
	}
	if number > len(all) || number < 0 {
		return nil, nil, cli.Usagef("payload: --stored %d: %s keeps %d: %s", number, name, len(all), payloadNames(all))
	}
	if number == 0 {
		if number = theOne(all); number == 0 {
			return nil, nil, cli.Usagef("payload: %s keeps several; name one with --stored N: %s", name,
				payloadNames(all))
		}
	}
	p := all[number-1]
	sum := sha256.Sum256(p.Bytes)
	out := &payload.Payload{Dialect: p.Dialect, Body: p.Bytes, SHA256: hex.EncodeToString(sum[:]),
		Redacted: cli.List(p.Redacted)}
	return out, map[string]any{
		"status": "ok", "stored": number, "dialect": p.Dialect, "model": p.Model,
		"way": p.Way, "media": p.Media, "wire": p.Wire,
		"sha256": out.SHA256, "bytes": len(p.Bytes), "redacted": out.Redacted,
	}, nil
}

// theOne is the number of the only payload, or of the only one that crossed the wire; 0
// where there is no such one.
func theOne(all []turn.Payload) int {
	if len(all) == 1 {
		return 1
	}
	found := 0
	for i, p := range all {
		switch {
		case !p.Wire:
		case found > 0:
			return 0
		default:
			found = i + 1
		}
	}
	return found
}

// payloadNames lists stored payloads with their numbers.
func payloadNames(all []turn.Payload) string {
	var names []string
	for i, p := range all {
		name := fmt.Sprintf("%d %s %s", i+1, p.Dialect, p.Way)
		if p.Model != "" {
			name += " " + p.Model
		}
		if p.Wire {
			name += " (wire)"
		}
		names = append(names, fmt.Sprintf("%s %d bytes", name, len(p.Bytes)))
	}
	return strings.Join(names, ", ")
}
