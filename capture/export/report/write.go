package report

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// Summary says what a report holds.
type Summary struct {
	Turns   int      // shown, damaged ones included
	Left    int      // left out by [Options.MaxTurns]
	Damaged []int    // numbers of the turns of which something cannot be read
	Damage  []string // what is wrong with the session besides its turns
}

// ErrNoTurns is the error of a report without turns.
var ErrNoTurns = errors.New("no such turns")

// Write writes the report of a session to w. The spool, an empty file, holds the turns
// until the head is known; its content is of no use afterwards. Memory does not grow
// with the number of turns but for some 2 KB each.
//
// A turn that is damaged is shown as far as it can be read. It is an error where
// the session cannot be listed, has none of the turns asked for ([ErrNoTurns]), names
// an unknown format or dialect, or where w or the spool cannot be written.
func Write(ctx context.Context, w io.Writer, spool io.ReadWriteSeeker, store *turn.Store, o Options) (*Summary, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := newPage()
	if err != nil {
		return nil, err
	}
	b := &builder{store: store, options: o, page: p, pictures: map[string]bool{}}
	if err := b.list(ctx); err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(spool, 1<<20)
	for _, n := range b.shown {
		if err := b.turn(ctx, out, n); err != nil {
			return nil, fmt.Errorf("report of turn %d: %w", n, err)
		}
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
	damage      map[int][]string          // what the list of turns says
	shown, left []int

	pictures map[string]bool // names of those written
	cards    []card
	summary  Summary

	// The last capture that could be read, for the difference to the next.
	before  *snapshot.Capture
	beforeN int
}

// list finds out which turns there are and which of them are shown.
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
			b.before, b.beforeN = rec.Capture, numbers[i-1]
		}
	}
	return ctx.Err()
}

// turn writes the section of one turn and keeps its card.
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
		b.damage[n] = append(b.damage[n], "it is not there any more")
	default:
		return err
	}
	v, err := b.view(n, rec)
	if err != nil {
		return err
	}
	if err := b.picture(w, rec, v); err != nil {
		return err
	}
	if err := b.page.turn(w, v); err != nil {
		return err
	}
	if len(v.Damage) > 0 {
		b.summary.Damaged = append(b.summary.Damaged, n)
	}
	b.cards = append(b.cards, v.card())
	if rec != nil && len(rec.Capture.Nodes) > 0 {
		b.before, b.beforeN = rec.Capture, n
	}
	return nil
}

// picture writes the definition of a turn's picture where it stands for the first time.
func (b *builder) picture(w io.Writer, rec *turn.Record, v *turnView) error {
	if v.Stage == nil || v.Stage.Picture == "" || b.pictures[v.Stage.Picture] {
		return nil
	}
	b.pictures[v.Stage.Picture] = true
	return b.page.picture(w, v.Stage.Picture, v.Stage.Width, v.Stage.Height, rec.Picture)
}
