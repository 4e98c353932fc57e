// Package report makes one HTML file of a recorded session (requirement N-14): what the
// agent saw, turn by turn, for readers without Refscope or the pages. Start with [WriteFile].
//
// # The file
//
// A head (when, with what, what happened in plain words, a timeline), then one
// section for each turn: the picture with its numbered boxes, the elements and what
// covers them, what changed since the turn before, what a model received by section,
// the dump, steps and answer, console, dialogs, profile, notes, and what the turn
// lacks. It reads on a phone, in the dark and on paper, and without scripts.
//
// # No requests
//
// The policy in its head is default-src 'none'. Pictures are data: addresses; the
// one style sheet and the one script are allowed by their SHA-256 and by nothing else,
// so page text that became markup through a fault of ours could still not run or
// load anything. No address of a page is a link: the only links are to places in the
// file. There are no style attributes, because the policy forbids them; what is
// placed by coordinates is SVG, whose attributes are no styles.
//
// # Each picture is stored once
//
// A picture is an SVG image in a defs block, named by the start of its SHA-256, and
// each place that shows it is an SVG use of that name: the turn, its card in the
// timeline, and every later turn with equal bytes. A script that sets the source of
// img elements would do the same, but then a reader without scripts, and paper, would
// see the first of equal pictures only. Every px is that of the turn: a picture is
// written as lossless WebP where that is smaller, and as the turn's own PNG else.
//
// # Page text
//
// Everything goes through html/template. Titles, names, addresses, notes and the
// console are shown by [text.Line] in an element of their own direction (bdi), so
// that nothing reorders or hides what is around it; dumps and differences are
// safe already.
//
// # Size and order
//
// Turns are read and written one after another; what is kept of a turn is its card,
// under 2 KB. Because the head shows what only the turns know, turns are written to a
// spool file first and copied behind the head. A turn that cannot be read has a section
// with the error. What a limit leaves out is named where it is missing. The same session
// gives the same bytes: there is no clock, and every time is the session's own, in UTC.
package report

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/webp"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/turn"
)

// Summary describes what a report holds.
type Summary struct {
	Turns   int      // shown, damaged ones included
	Left    int      // left out by [Options.MaxTurns]
	Damaged []int    // numbers of the turns of which something cannot be read
	Damage  []string // what is wrong with the session besides its turns
}

// ErrNoTurns is the error of a report without turns.
var ErrNoTurns = errors.New("turns not found")

// writeReport writes the report of a session to w. The spool, an empty file, holds the turns
// until the head is known; its content is of no use afterwards. Memory does not grow
// with the number of turns but for some 2 KB each.
//
// Of a damaged turn the readable part is shown. It is an error where
// the session cannot be listed, has none of the turns requested ([ErrNoTurns]), names
// an unknown format or dialect, or where w or the spool cannot be written.
func writeReport(ctx context.Context, w io.Writer, spool io.ReadWriteSeeker, store *turn.Store, o Options) (*Summary,
	error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := newPage()
	if err != nil {
		return nil, err
	}
	b := &builder{store: store, options: o, page: p, pictures: map[string]bool{}, doctor: export.NewDoctor(o.Counter)}
	if err := b.list(ctx); err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(spool, 1<<20)
	for _, n := range b.shown {
		if err := b.turn(ctx, out, n); err != nil {
			return nil, fmt.Errorf("report of turn %d: %w", n, err)
		}
	}
	if err := b.flush(out); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, fmt.Errorf("report: its spool: %w", err)
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("report: its spool: %w", err)
	}
	out.Reset(w)
	if err := p.head(out, b.head()); err != nil {
		return nil, err
	}
	if _, err := io.Copy(out, spool); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if err := p.foot(out); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return &b.summary, nil
}

// builder goes through a session once.
type builder struct {
	store   *turn.Store
	options Options
	page    *page

	summaries   map[int]turn.Summary
	annotations map[int][]turn.Annotation // by turn, 0 for the session
	damage      map[int][]string          // from the list of turns
	shown, left []int

	pictures map[string]bool // names of those written
	doctor   *doctor.Doctor
	encoder  codec.Encoder
	cards    []card
	summary  Summary
	// pending is the turn that is read and not written yet: it shows what the turn after it says of it.
	pending *pendingTurn

	// The last capture that could be read, for the difference to the next.
	before  *snapshot.Capture
	beforeN int
	// When each document was captured last, by its loader: what its console had then is of that turn.
	taken map[string]time.Time
}

// pass makes a turn the one before the next.
func (b *builder) pass(n int, c *snapshot.Capture) {
	b.before, b.beforeN = c, n
	if d := document(c); d != "" {
		if b.taken == nil {
			b.taken = map[string]time.Time{}
		}
		b.taken[d] = c.TakenAt
	}
}

// document is the loader of a capture's main document, "" if unknown.
func document(c *snapshot.Capture) string {
	if len(c.Frames) == 0 {
		return ""
	}
	return c.Frames[0].Loader
}

// list determines the turns of the session and which of them are shown.
func (b *builder) list(ctx context.Context) error {
	list, damage, err := b.store.List(ctx)
	if err != nil {
		return err
	}
	b.summaries, b.damage = map[int]turn.Summary{}, map[int][]string{}
	var numbers []int
	for _, s := range list {
		numbers = append(numbers, s.N)
		b.summaries[s.N] = s
	}
	notes, noteDamage, err := b.store.Annotations(ctx)
	if err != nil {
		return err
	}
	for _, d := range append(damage, noteDamage...) {
		if d.Turn == 0 {
			b.summary.Damage = append(b.summary.Damage, d.String())
			continue
		}
		if !slices.Contains(numbers, d.Turn) {
			numbers = append(numbers, d.Turn)
		}
		b.damage[d.Turn] = append(b.damage[d.Turn], d.String())
	}
	slices.Sort(numbers)
	b.annotations = map[int][]turn.Annotation{}
	for _, a := range notes {
		b.annotations[a.Turn] = append(b.annotations[a.Turn], a)
	}
	b.shown, b.left = b.options.choose(numbers)
	b.summary.Turns, b.summary.Left = len(b.shown), len(b.left)
	if len(b.shown) == 0 {
		return fmt.Errorf("session %s has %d turns: %w", b.store.Path(), len(numbers), ErrNoTurns)
	}
	// The first turn shown is compared with the one before it, shown or not.
	if i := slices.Index(numbers, b.shown[0]); i > 0 {
		if rec, _ := b.store.Load(ctx, numbers[i-1]); rec != nil && len(rec.Capture.Nodes) > 0 {
			b.pass(numbers[i-1], rec.Capture)
		}
	}
	return ctx.Err()
}

// turn reads one turn and writes its section.
func (b *builder) turn(ctx context.Context, w io.Writer, n int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rec, err := b.store.Load(ctx, n)
	var damaged *turn.DamagedError
	switch {
	case err == nil:
	case errors.As(err, &damaged):
		b.damage[n] = nil // the list knew a part of it
		for _, d := range damaged.Damage {
			b.damage[n] = append(b.damage[n], d.String())
		}
	case errors.Is(err, turn.ErrNoTurn):
		b.damage[n] = append(b.damage[n], "it no longer exists")
	default:
		return err
	}
	return b.add(w, n, rec)
}

// pendingTurn is a turn that waits for the one after it.
type pendingTurn struct {
	view *turnView
	rec  *turn.Record
}

// add makes the section of a turn, of which rec is what could be read, nil for nothing, and writes the one before it.
// [builder.flush] writes the last.
func (b *builder) add(w io.Writer, n int, rec *turn.Record) error {
	v := b.view(n, rec)
	if b.pending != nil {
		b.pending.view.follow(v)
	}
	if err := b.flush(w); err != nil {
		return err
	}
	b.pending = &pendingTurn{v, rec}
	if rec != nil && len(rec.Capture.Nodes) > 0 {
		b.pass(n, rec.Capture)
	}
	return nil
}

// flush writes the section of the turn that waits.
func (b *builder) flush(w io.Writer) error {
	if b.pending == nil {
		return nil
	}
	v, rec := b.pending.view, b.pending.rec
	b.pending = nil
	v.Did, v.Place = v.story()
	v.Step = v.step()
	if err := b.picture(w, rec, v); err != nil {
		return err
	}
	if err := b.page.turn(w, v); err != nil {
		return err
	}
	if len(v.Damage) > 0 {
		b.summary.Damaged = append(b.summary.Damaged, v.N)
	}
	b.cards = append(b.cards, v.summary())
	return nil
}

// picture writes the definition of a turn's picture where it is for the first time:
// as lossless WebP, half the size, where it represents every px exactly, else the turn's PNG.
func (b *builder) picture(w io.Writer, rec *turn.Record, v *turnView) error {
	st := v.Stage
	if st == nil || st.Picture == "" || b.pictures[st.Picture] {
		return nil
	}
	b.pictures[st.Picture] = true
	data, format := rec.Picture, codec.PNG
	if st.decoded.Opaque() && max(st.Width, st.Height) <= webp.MaxSide {
		small, err := b.encoder.EncodeAs(st.decoded, codec.WebP, false)
		if err != nil {
			return err
		}
		if len(small) < len(data) {
			data, format = small, codec.WebP
		}
	}
	return b.page.picture(w, st, format, data)
}

// WriteFile writes the report of a session to a file, whole or not at all; what it puts
// aside meanwhile lies beside the file. See [writeReport].
func WriteFile(ctx context.Context, name string, store *turn.Store, o Options) (*Summary, error) {
	spool, err := os.CreateTemp(filepath.Dir(name), ".refscope-report.*")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, export.Cause(err))
	}
	defer func() {
		_ = spool.Close() // nothing in it is wanted any more
		_ = os.Remove(spool.Name())
	}()
	var made *Summary
	err = export.WriteBy(name, func(w io.Writer) error {
		var err error
		made, err = writeReport(ctx, w, spool, store, o)
		return err
	})
	return made, err
}
