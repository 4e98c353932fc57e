package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/treemap"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokenmap"
	"github.com/refscope/refscope/snapshot/tokens"
)

// formatCost is what one format takes up.
type formatCost struct {
	Format string `json:"format"`
	tokens.Size
	Tokens    int            `json:"tokens"`    // o200k_base, counted
	Estimates map[string]int `json:"estimates"` // by the agents' rules of thumb
	Omitted   int            `json:"omitted"`   // elements, or parts of them, that it leaves out
	Truncated bool           `json:"truncated"`
}

// tokensFlags are the flags of tokens.
type tokensFlags struct {
	textFlags
	format, by, out string
	fullPage        bool
	settle          session.Settle
}

func (f *tokensFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.format, "format", string(format.DDDK), "format that is taken apart: "+formatNames())
	fs.StringVar(&f.by, "by", "", "only that table: format | region | tag | repeat | cut")
	fs.StringVar(&f.out, "map", "", "the picture with each region tinted by its cost, .png or .webp")
	fs.BoolVar(&f.fullPage, "full-page", false, "the whole page and not the window's part of it")
	settleFlags(fs, &f.settle)
	f.textFlags.register(fs)
}

func (f *tokensFlags) check() error {
	switch {
	case !isFormat(f.format):
		return usagef("tokens: there is no format %q: choose from %s", f.format, formatNames())
	case f.by != "" && !slices.Contains([]string{"format", "region", "tag", "repeat", "cut"}, f.by):
		return usagef("tokens: --by %q: choose from format | region | tag | repeat | cut", f.by)
	}
	if f.out != "" {
		if format, err := overlay.FormatOf(f.out); err != nil || format == overlay.JPEG {
			return usagef("tokens: --map %s: end its name in .png or .webp", f.out)
		}
	}
	return f.textFlags.check("tokens")
}

// costs is what a page costs.
type costs struct {
	Formats []formatCost `json:"formats"`
	*tokenmap.Map
	Lost *tokenmap.Lost `json:"lost"`
}

// countTokens says what a page costs: by format, and within one by region, tag and
// repeated row, with what its limits saved.
func countTokens(ctx context.Context, a *app, args []string) error {
	var f tokensFlags
	targets, err := a.globals("refscopectl tokens", args, f.register)
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return usagef("tokens: name one turn (SESSION#N), capture (.json), .html file or URL")
	}
	if err := f.check(); err != nil {
		return err
	}
	l := a.live()
	defer l.close()
	s, err := l.see(ctx, targets[0], session.Options{NoPicture: f.out == "", FullPage: f.fullPage, Settle: f.settle, Action: "tokens"})
	if err != nil {
		return err
	}
	if f.fullPage && s.capture.FullPage == nil {
		return usagef("tokens: --full-page: %s was recorded of what the window showed: name the page itself", targets[0])
	}
	o, err := f.of(s.capture)
	if err != nil {
		return err
	}
	k, err := f.costs(s.capture, o)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := f.draw(a, targets[0], s, k.Map); err != nil {
			return err
		}
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(k)
	}
	return a.printCosts(k, f.by)
}

// costs measures every format, and takes one of them apart.
func (f *tokensFlags) costs(c *snapshot.Capture, o format.Options) (*costs, error) {
	out := &costs{}
	names := format.Plain()
	if o.Query != "" {
		names = format.Names()
	}
	page := format.NewPage(c)
	for _, name := range names {
		d, err := page.Render(name, o)
		if err != nil {
			return nil, err
		}
		k := formatCost{
			Format: string(name), Size: tokens.Measure(d.Text), Tokens: f.counter.Count(d.Text), Estimates: map[string]int{},
			Omitted: len(d.Omitted), Truncated: d.Truncated,
		}
		for _, m := range tokens.Estimates() {
			k.Estimates[m.Name] = m.Count(d.Text)
		}
		out.Formats = append(out.Formats, k)
	}
	d, err := page.Render(dump.Format(f.format), o)
	if err != nil {
		return nil, err
	}
	out.Map = tokenmap.Build(c, d, &f.counter)
	whole := d
	if f.format != string(format.Filtered) { // that format is nothing but what a query finds
		if whole, err = page.Render(dump.Format(f.format), tokenmap.Unlimited(o)); err != nil {
			return nil, err
		}
	}
	out.Lost = tokenmap.Compare(c, d, whole, &f.counter)
	return out, nil
}

// draw writes the map on the picture.
func (f *tokensFlags) draw(a *app, target string, s *seen, m *tokenmap.Map) error {
	img, err := s.marked(target, true)
	if err != nil {
		return err
	}
	t, err := treemap.New(s.capture, m, img.Rect.Size())
	if err != nil {
		return err
	}
	format, err := overlay.FormatOf(f.out)
	if err != nil {
		return err
	}
	var e overlay.Encoder
	data, err := e.EncodeAs(t.Draw(img), format, false)
	if err != nil {
		return fmt.Errorf("%s: %w", f.out, err)
	}
	if err := export.Write(f.out, data); err != nil {
		return err
	}
	a.remark("%s: %d regions of %s", f.out, len(m.Regions), m.Format)
	return nil
}
