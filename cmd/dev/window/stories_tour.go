package window

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"strconv"
	"strings"
)

// tour goes through what reviewers do in one window, first with a recorded session and then with
// the live tab.
func tour(ctx context.Context, d *driver) error {
	return all(d.reviewTurns, d.pointAndClick, d.countFromOne, d.readTheText, d.backToTheTab, d.actOnThePage,
		d.attachAndClick)(ctx)
}

// reviewTurns opens the recorded session, which names itself as such, filters its turns, leaves
// the filter with one key, and goes to the failed turn.
func (d *driver) reviewTurns(ctx context.Context) error {
	return all(
		d.open("nightly", func(s windowState) bool { return s.Turns == 2 && len(s.Marks) > 0 }),
		d.await("the name of the recorded turn", func(s windowState) bool {
			return s.Recorded == "Recorded · turn 2 of 2 · nightly"
		}),
		d.await("the failed turn to be counted", func(s windowState) bool { return s.Failed == 1 }),
		d.keys("slash"),
		d.write("failed"),
		d.await("the failed turn alone", func(s windowState) bool { return s.Listed == 1 }),
		d.press("all turns", func(s windowState) bool { return s.Listed == 2 }, "Escape"),
		d.press("the turn before", func(s windowState) bool { return s.Turn == 1 && s.Chars > 0 }, "k"),
		d.press("the failed turn", func(s windowState) bool { return s.Turn == 2 && s.Chars > 0 }, "n"),
		d.press("the findings as rows", func(s windowState) bool {
			return strings.HasPrefix(s.Side, "Findings") && s.Rows > 3
		}, "a"),
		d.press("the text", side("Text"), "t"),
	)(ctx)
}

// pointAndClick sees that a click selects what pointing shows, at two zooms.
func (d *driver) pointAndClick(ctx context.Context) error {
	for _, key := range []string{"0", "minus"} {
		was := d.now().Zoom
		if err := d.press("the zoom", func(s windowState) bool {
			return s.Zoom > 0 && (key == "0" || s.Zoom < was) && len(s.Marks) > 0
		}, key)(ctx); err != nil {
			return err
		}
		at, err := d.screen.origin(ctx, "^Refscope")
		if err != nil {
			return err
		}
		ref, err := d.pointAtMark(ctx, at)
		if err != nil {
			return err
		}
		if err := all(
			d.mouse("click", "1"),
			d.await("the same mark to be selected", func(s windowState) bool { return s.Selected == ref }),
			d.press("no selection", func(s windowState) bool { return s.Selected == 0 }, "Escape"),
		)(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pointAtMark moves the pointer to a mark, and again where the picture has moved since: the trace says where it was
// before it was laid out.
func (d *driver) pointAtMark(ctx context.Context, window image.Point) (ref int, err error) {
	for ref == 0 || d.now().Hover != ref {
		var box image.Rectangle
		if ref, box, err = clickable(d.now(), window); err != nil {
			return 0, err
		}
		if err := all(
			d.mouse("mousemove", strconv.Itoa((box.Min.X+box.Max.X)/2), strconv.Itoa((box.Min.Y+box.Max.Y)/2)),
			d.await("the mark under the pointer", func(s windowState) bool {
				now, at, err := clickable(s, window)
				return s.Hover == ref || err == nil && (now != ref || at != box)
			}),
		)(ctx); err != nil {
			return 0, err
		}
	}
	return ref, nil
}

// mouse does something with the mouse. It does not wait until the pointer has moved, as --sync
// does without end where it is there already: what follows is awaited.
func (d *driver) mouse(args ...string) act {
	return func(ctx context.Context) error {
		_, err := d.screen.tool(ctx, "xdotool", args...)
		return err
	}
}

// goTo selects a mark by its number.
func (d *driver) goTo(ref int, line string) act {
	return all(d.keys("ctrl+g"), d.write(strconv.Itoa(ref)), d.press("the line of "+line, func(s windowState) bool {
		return s.Selected == ref && strings.Contains(s.LineText, line)
	}, "Return"))
}

// countFromOne chooses an element late in a session, whose number is large, counts from 1, finds
// the same element under its new number, and goes back to the session's numbers.
func (d *driver) countFromOne(ctx context.Context) error {
	marks := d.now().Marks
	ref := marks[len(marks)/3].Ref
	old := fmt.Sprintf("[%d]", ref)
	return all(
		d.goTo(ref, old),
		d.choose("count from 1", "the same line with another number", func(s windowState) bool {
			return s.Selected == ref && s.Dialog == "" && strings.Contains(s.LineText, "[") &&
				!strings.Contains(s.LineText, old)
		}),
		d.choose("count from 1", "the number of the session", func(s windowState) bool {
			return s.Dialog == "" && strings.Contains(s.LineText, old)
		}),
	)(ctx)
}

// readTheText folds the sections of the text and unfolds them, hides an attribute and shows it
// again, and changes the format, all by keys.
func (d *driver) readTheText(ctx context.Context) error {
	s := d.now()
	rows, chars := s.Rows, s.Chars
	attribute := func(what string, wanted func(windowState) bool, down ...string) act {
		return all(d.press("the palette", dialog("palette"), "ctrl+shift+p"), d.write("choose attributes"),
			d.press("the text", dialog(""), "Return"), d.press(what, wanted, append(down, "Return")...))
	}
	return all(
		d.choose("fold all", "folded sections", func(s windowState) bool { return s.Rows < rows/2 && s.Dialog == "" }),
		d.choose("unfold all", "all lines", func(s windowState) bool { return s.Rows == rows && s.Dialog == "" }),
		attribute("the text without an attribute", func(s windowState) bool { return s.Chars > 0 && s.Chars < chars },
			"Down"),
		attribute("all attributes", func(s windowState) bool { return s.Chars == chars }, "Up"),
		d.press("another format", func(s windowState) bool { return s.Format == "semantic" && s.Chars > 0 }, "ctrl+2"),
		d.press("the format before", func(s windowState) bool { return s.Format == "dddk" && s.Chars == chars },
			"ctrl+1"),
	)(ctx)
}

// attachAndClick attaches to the browser of the command line and clicks in its page. The tab keeps
// its size.
func (d *driver) attachAndClick(ctx context.Context) error {
	out, err := d.run(ctx, "browser", "status", "--json")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	var status struct{ Browsers []struct{ Address string } }
	if err := json.Unmarshal([]byte(out), &status); err != nil || len(status.Browsers) != 1 {
		return fmt.Errorf("one browser is to be running (%w):\n%s", err, out)
	}
	turns := 0
	if err := all(
		d.press("the place of a browser to be asked for", dialog("attach"), "ctrl+shift+t"),
		d.write(status.Browsers[0].Address),
		d.press("the browser", func(s windowState) bool {
			return s.Dialog == "" && s.Browser == "ready" && s.Busy == "" && strings.HasPrefix(s.Notice, "Attached to ")
		}, "Return"),
		func(context.Context) error { turns = d.now().Turns; return nil },
		d.keys("ctrl+l"),
		d.write(d.shop+"/index.html"),
		d.press("the shop in its tab", func(s windowState) bool {
			return s.Turns == turns+1 && s.Busy == "" && s.Chars > 0 && len(s.Marks) > 0
		}, "Return"),
		d.press("acting", func(s windowState) bool { return s.Act }, "c"),
	)(ctx); err != nil {
		return err
	}
	at, err := d.screen.origin(ctx, "^Refscope")
	if err != nil {
		return err
	}
	_, box, err := clickable(d.now(), at)
	if err != nil {
		return err
	}
	if err := all(
		d.mouse("mousemove", strconv.Itoa((box.Min.X+box.Max.X)/2), strconv.Itoa((box.Min.Y+box.Max.Y)/2),
			"click", "1"),
		d.await("the click as a turn",
			func(s windowState) bool { return s.Turns == turns+2 && s.Busy == "" && s.Chars > 0 }),
		d.press("no acting", func(s windowState) bool { return !s.Act }, "c"),
	)(ctx); err != nil {
		return err
	}
	var wide, high int
	if _, err := fmt.Sscanf(d.now().Size, "%d × %d", &wide, &high); err != nil || wide < 300 || high < 200 {
		return fmt.Errorf("the tab is shown as %q after a click (%w)", d.now().Size, err)
	}
	return nil
}

// backToTheTab leaves the recorded turn for what the tab shows, and goes to another page by its
// address. Then the keys belong to the picture again.
func (d *driver) backToTheTab(ctx context.Context) error {
	return all(
		d.press("the live tab", func(s windowState) bool {
			return s.Recorded == "" && s.Turn > 0 && s.Busy == "" && s.Chars > 0
		}, "ctrl+j"),
		d.keys("ctrl+l"),
		d.write(d.shop+"/checkout.html"),
		d.press("the checkout", func(s windowState) bool {
			return strings.HasSuffix(s.URL, "/checkout.html") && s.Busy == "" && s.Chars > 0
		}, "Return"),
		d.press("the changes, by a key of the picture", side("Changes"), "d"),
		d.press("the text", side("Text"), "t"),
	)(ctx)
}

// actOnThePage chooses in a list box, fills a date in and scrolls. Each is a turn.
func (d *driver) actOnThePage(ctx context.Context) error {
	fill := func(role, name, line string, keys act) act {
		return func(ctx context.Context) error {
			turns := d.now().Turns
			for _, m := range d.now().Marks {
				if m.Role == role && m.Name == name {
					return all(d.goTo(m.Ref, fmt.Sprintf("[%d]", m.Ref)),
						d.press("the question what to fill in", dialog("act"), "ctrl+shift+a"), keys,
						d.press(name+" in the next turn", func(s windowState) bool {
							return s.Turns == turns+1 && s.Turn > 0 && strings.Contains(s.LineText, line) &&
								s.Busy == ""
						}, "Return"))(ctx)
				}
			}
			return fmt.Errorf("no mark of the picture is the %s %q", role, name)
		}
	}
	turns := 0
	return all(
		d.press("acting", func(s windowState) bool { return s.Act }, "c"),
		fill("combobox", "Country", `value="Portugal"`, d.keys("Up")),
		fill("textbox", "Deliver on", `value="2026-12-24"`, d.write("2026-12-24")),
		func(ctx context.Context) error {
			turns = d.now().Turns
			at, err := d.screen.origin(ctx, "^Refscope")
			if err != nil {
				return err
			}
			p := rectangle(d.now().Picture, at)
			return d.mouse("mousemove", strconv.Itoa(p.Min.X+p.Dx()/2), strconv.Itoa(p.Min.Y+p.Dy()/2),
				"click", "5")(ctx)
		},
		d.await("the page to be scrolled", func(s windowState) bool { return s.Turns > turns && s.Busy == "" }),
		d.press("no acting", func(s windowState) bool { return !s.Act }, "c"),
	)(ctx)
}
