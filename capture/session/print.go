package session

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/redact"
)

// PrintOptions configure how a page is printed (seed "CDP-Skill" 17.3).
type PrintOptions struct {
	Params   page.PrintToPDFParams
	Collect  collect.Options
	Profiles *profiles.Store
}

// Printed is a page as PDF.
type Printed struct {
	PDF []byte
	// Hidden is how many elements are not in it, because they hold what is withheld from
	// captures.
	Hidden int
}

// SecretHeaderError: the header or footer of a PDF would contain a secret.
type SecretHeaderError struct{ What, Do string }

func (e *SecretHeaderError) Error() string {
	return "printing: " + e.What + " holds what looks like a secret: " + e.Do
}

// printDeadline is how long printing may take.
const printDeadline = 60 * time.Second

// Print makes a PDF of the page (B-11).
//
// Text of a PDF can be copied out of it, so boxes drawn over it would hide nothing. The
// page is read as it is for print, and each element that a capture withholds something
// of is made invisible for the moment of printing, links whose address was redacted
// too: the rest of the page stays where it is. The page can see that, as two inline
// styles that come and go. What it writes into its document only on
// beforeprint is unknown to the reading. The document's title goes into the PDF, and
// its address into a header that shows it; where one of these holds a secret, that is a
// [*SecretHeaderError].
func Print(ctx context.Context, tab *browser.Tab, o PrintOptions) (_ *Printed, err error) {
	if err := tab.Landed(ctx); err != nil {
		return nil, err
	}
	so := Options{Collect: o.Collect, Profiles: o.Profiles}
	if err := findProfile(ctx, tab, &so); err != nil {
		return nil, err
	}
	if _, err := applyProfile(&so); err != nil {
		return nil, err
	}
	so.Collect.Rules.Drop = nil // a PDF has what a filter leaves out, so what is withheld there must be found
	if err := cleanHeader(ctx, tab, &o.Params); err != nil {
		return nil, err
	}
	media := func(ctx context.Context, name string) error {
		_, err := cdp.Call(ctx, tab.Session(), emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Media: name})
		return err
	}
	if err := media(ctx, "print"); err != nil {
		return nil, fmt.Errorf("printing: %w", err)
	}
	defer func() {
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreDeadline)
		defer cancel()
		if merr := media(after, ""); merr != nil && !errors.Is(merr, browser.ErrGone) {
			err = errors.Join(err, fmt.Errorf("giving the page its own media back: %w", merr))
		}
	}()
	res, err := collect.Read(ctx, tab, so.Collect)
	if err != nil {
		return nil, fmt.Errorf("reading the page before it is printed: %w", err)
	}
	defer res.Release(ctx)
	h := &hiding{res: res}
	defer func() { err = errors.Join(err, h.show(ctx)) }()
	if err := h.hide(ctx); err != nil {
		return nil, err
	}
	in, cancel := browser.Within(ctx, printDeadline)
	defer cancel()
	// Chrome gives back the tab's window after it has printed, so it must not be broken off.
	out, err := cdp.Call(in, tab.Session(), page.PrintToPDF, o.Params)
	if err != nil {
		return nil, fmt.Errorf("printing: %w", err)
	}
	return &Printed{PDF: out.Data, Hidden: h.count}, nil
}

// cleanHeader refuses what would put a secret beside the elements.
func cleanHeader(ctx context.Context, tab *browser.Tab, p *page.PrintToPDFParams) error {
	red := redact.Standard()
	info, err := tab.Info(ctx)
	if err != nil {
		return err
	}
	if red.Clean(info.Title) != info.Title {
		return &SecretHeaderError{"the page's title, which a PDF is named by,", "take a picture instead"}
	}
	shown := p.DisplayHeaderFooter != nil && *p.DisplayHeaderFooter &&
		(p.HeaderTemplate == "" || p.FooterTemplate == "" || strings.Contains(p.HeaderTemplate+p.FooterTemplate, "url"))
	if shown && red.Clean(info.URL) != info.URL {
		return &SecretHeaderError{"the page's address", "give headerTemplate and footerTemplate without the class url"}
	}
	return nil
}

// hiding makes elements invisible for a moment.
type hiding struct {
	res   *collect.Result
	els   []collect.Element
	count int
}

// hideJS hides an element, with all in it where deep, and remembers its own styles. A
// transition would delay it.
//
//go:embed hide.js
var hideJS string

//
//go:embed show.js
var showJS string

func (h *hiding) hide(ctx context.Context) error {
	c := h.res.Capture
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if len(n.Redacted) == 0 {
			continue
		}
		el, err := h.res.Element(ctx, n.I)
		if err != nil {
			return fmt.Errorf("printing: an element that holds a secret went away: try again (%w)", err)
		}
		deep := false
		for _, field := range n.Redacted {
			deep = deep || field == "element" || field == "name" || field == "text"
		}
		text, err := el.Realm.Call(ctx, strings.ReplaceAll(hideJS, "DEEP", fmt.Sprint(deep)), []int64{el.Node})
		if err != nil {
			return fmt.Errorf("printing: hiding what holds a secret: %w", err)
		}
		h.els = append(h.els, el)
		if text != "hidden" {
			return errors.New("printing: an element that holds a secret could not be hidden: take a picture instead")
		}
		h.count++
	}
	return nil
}

// show gives the elements their styles back, also where ctx is over.
func (h *hiding) show(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreDeadline)
	defer cancel()
	done := map[*browser.Realm]bool{}
	for _, el := range h.els {
		if done[el.Realm] {
			continue
		}
		done[el.Realm] = true
		_, err := el.Realm.Call(ctx, showJS, nil)
		if err != nil && !errors.Is(err, browser.ErrNavigated) && !errors.Is(err, browser.ErrDetached) &&
			!errors.Is(err, browser.ErrGone) {
			return fmt.Errorf("showing again what was hidden for the print: %w", err)
		}
	}
	return nil
}

// Pages is the number of pages of a PDF, by its page objects, and an error where it is not
// whole: header, cross-reference table and end are looked for.
func (p *Printed) Pages() (int, error) {
	b := p.PDF
	tail := b[max(0, len(b)-1024):]
	start := bytes.LastIndex(tail, []byte("startxref"))
	switch {
	case !bytes.HasPrefix(b, []byte("%PDF-")):
		return 0, errors.New("the PDF has no header")
	case !bytes.Contains(tail, []byte("%%EOF")) || start < 0:
		return 0, errors.New("the PDF has no end")
	}
	at := 0
	if words := bytes.Fields(tail[start+len("startxref"):]); len(words) > 0 {
		at, _ = strconv.Atoi(string(words[0])) // 0 where it is no number
	}
	if at <= 0 || at >= len(b) {
		return 0, errors.New("the PDF has no cross-reference table")
	}
	if !bytes.HasPrefix(b[at:], []byte("xref")) && !bytes.Contains(b[at:min(len(b), at+400)], []byte("/XRef")) {
		return 0, errors.New("the PDF's cross-reference table is not at its stated offset")
	}
	n := 0
	for rest := b; ; {
		i := bytes.Index(rest, []byte("/Type /Page"))
		if i < 0 {
			break
		}
		rest = rest[i+len("/Type /Page"):]
		if len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r' || rest[0] == ' ' || rest[0] == '/' || rest[0] == '>') {
			n++
		}
	}
	if n == 0 {
		return 0, errors.New("the PDF has no pages")
	}
	return n, nil
}
