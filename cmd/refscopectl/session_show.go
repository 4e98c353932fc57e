package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/refscope/refscope/snapshot/turn"
)

// turnRow is a turn as session show --json prints it.
type turnRow struct {
	Turn    int       `json:"turn"`
	Time    time.Time `json:"time"`
	Action  string    `json:"action,omitempty"`
	URL     string    `json:"url"`
	Title   string    `json:"title"`
	Refs    int       `json:"refs"`
	Covered int       `json:"covered"`
	Picture bool      `json:"picture"`
	Settled bool      `json:"settled"`
	Torn    bool      `json:"torn,omitempty"`
	Note    string    `json:"note,omitempty"`
	Lacks   []string  `json:"lacks,omitempty"`
	Parts   []partRow `json:"parts"`
	Notes   []noteRow `json:"notes,omitempty"`
	Damage  []string  `json:"damage,omitempty"`
}

// partRow is a part of a turn.
type partRow struct {
	Role    string   `json:"role"`
	Media   string   `json:"media,omitempty"`
	SHA256  string   `json:"sha256"`
	Bytes   int64    `json:"bytes"`
	Dialect string   `json:"dialect,omitempty"`
	Model   string   `json:"model,omitempty"`
	Way     turn.Way `json:"way,omitempty"`
	Wire    bool     `json:"wire,omitempty"`
	Name    string   `json:"name,omitempty"`
}

// noteRow is an annotation.
type noteRow struct {
	Note    int       `json:"note"`
	At      time.Time `json:"at"`
	By      string    `json:"by,omitempty"`
	Verdict string    `json:"verdict,omitempty"`
	Text    string    `json:"text,omitempty"`
	Ref     int       `json:"ref,omitempty"` // of the element that it is about
}

// showSession prints the turns of a session; with --follow also those that come.
func (a *app) showSession(ctx context.Context, args []string, f sessionFlags) error {
	store, err := a.openSession(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	notes, broken, err := store.Annotations(ctx)
	if err != nil {
		return err
	}
	byTurn := map[int][]noteRow{}
	for _, n := range notes {
		byTurn[n.Turn] = append(byTurn[n.Turn], noteRow{n.N, n.At, n.By, n.Verdict, n.Text, n.Ref})
	}
	if f.follow {
		a.damaged(broken)
		return a.followSession(ctx, store, byTurn)
	}
	list, damage, err := store.List(ctx)
	if err != nil {
		return err
	}
	damage = append(damage, broken...)
	rows := []turnRow{}
	for _, s := range list {
		rows = append(rows, rowOf(s, byTurn[s.N]))
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"turns": rows, "notes": slices.Concat([]noteRow{}, byTurn[0]), "damage": damageLines(damage)})
	}
	if err := a.printNotes(byTurn[0]); err != nil {
		return err
	}
	for _, r := range rows {
		if err := a.printRow(r); err != nil {
			return err
		}
	}
	a.damaged(damage)
	return nil
}

// followSession prints turns until it is interrupted, which is well. With --json
// each is a line of its own.
func (a *app) followSession(ctx context.Context, store *turn.Store, notes map[int][]noteRow) error {
	err := store.Follow(ctx, 0, func(s turn.Summary, err error) error {
		var d *turn.DamagedError
		switch damaged := errors.As(err, &d); {
		case err != nil && !damaged:
			return err
		case damaged && a.json:
			return json.NewEncoder(a.stdout).Encode(map[string]any{"turn": s.N, "damage": damageLines(d.Damage)})
		case damaged:
			a.damaged(d.Damage)
			return nil
		case a.json:
			return json.NewEncoder(a.stdout).Encode(rowOf(s, notes[s.N]))
		}
		return a.printRow(rowOf(s, notes[s.N]))
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

func rowOf(s turn.Summary, notes []noteRow) turnRow {
	r := turnRow{Turn: s.N, Time: s.Time, Action: s.Action, URL: s.URL, Title: s.Title, Refs: s.Counts.Refs, Covered: s.Counts.Covered,
		Picture: s.HasPicture, Settled: s.Meta.Settled, Torn: s.Meta.Torn, Note: s.Note, Lacks: s.Lacks, Notes: notes}
	for _, p := range s.Parts {
		r.Parts = append(r.Parts, partRow{p.Role, p.Media, p.SHA256, p.Size, p.Dialect, p.Model, p.Way, p.Wire, p.Name})
	}
	return r
}

// printRow prints a turn as one line, and what goes with it in lines below.
func (a *app) printRow(r turnRow) error {
	line := fmt.Sprintf("%4d  %s  %-8s %4d refs  %s  %s", r.Turn, r.Time.Local().Format(time.DateTime), visible(oneLine(r.Action)), r.Refs, visible(oneLine(r.URL)), visible(oneLine(r.Title)))
	for _, p := range r.Parts {
		if p.Dialect != "" {
			line += fmt.Sprintf("\n      %s %s  %s  %d bytes", p.Way, visible(oneLine(p.Dialect)), visible(oneLine(p.Model)), p.Bytes)
		}
	}
	for _, l := range r.Lacks {
		line += "\n      lacks: " + visible(oneLine(l))
	}
	if r.Note != "" {
		line += "\n      " + visible(oneLine(r.Note))
	}
	if _, err := fmt.Fprintln(a.stdout, line); err != nil {
		return err
	}
	return a.printNotes(r.Notes)
}

func (a *app) printNotes(notes []noteRow) error {
	for _, n := range notes {
		line := fmt.Sprintf("      %s", n.At.Local().Format(time.DateTime))
		for _, s := range []string{n.By, n.Verdict, n.Text} {
			if s != "" {
				line += "  " + visible(oneLine(s))
			}
		}
		if n.Ref > 0 {
			line += fmt.Sprintf("  (about %d)", n.Ref)
		}
		if _, err := fmt.Fprintln(a.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// damaged says on standard error what is wrong with a session.
func (a *app) damaged(list []turn.Damage) {
	for _, l := range damageLines(list) {
		fmt.Fprintf(a.stderr, "refscopectl: %s\n", visible(l))
	}
}
