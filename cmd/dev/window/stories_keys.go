package window

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// shared is the file of a session that somebody else made.
const shared = "from-a-colleague.refscope"

// sharedSession records a session, exports it as a file, and makes a folder for pictures.
func sharedSession(ctx context.Context, d *driver) error {
	if err := recordFailure(ctx, d); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(d.home, "shots"), 0o755); err != nil {
		return err
	}
	out, err := d.run(ctx, "session", "export", "nightly", "-o", filepath.Join(d.home, shared))
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// byKeys uses menus and dialogs without a mouse: opens a menu by its key, types the path of a file
// with its completion, and writes a picture into a folder.
func byKeys(ctx context.Context, d *driver) error {
	turns := d.now().Turns
	return all(
		d.press("the first entry of the first menu", dialog("sessions"), "F10", "Down", "Return"),
		d.press("no dialog, by one key", dialog(""), "Escape"),
		d.press("the same by the letter of the menu", dialog("sessions"), "alt+f", "Down", "Return"),
		d.press("no dialog", dialog(""), "Escape"),
		d.keys("ctrl+shift+f"),
		d.write("from-a"),
		d.keys("Down", "Return"), // the completion
		d.press("the colleague's session", func(s windowState) bool {
			return s.Turns == 2 && s.Turns != turns && s.Recorded != "" && s.Chars > 0
		}, "Return"),
		d.keys("ctrl+l"),
		d.write("nowhere"),
		d.keys("Escape"),
		d.press("the keys to belong to the picture again", side("Findings"), "a"),
		d.writePicture("shots/first.png"),
	)(ctx)
}

// writePicture writes the marked picture to a path that is typed behind the folder that is offered;
// "" takes what is offered.
func (d *driver) writePicture(path string) act {
	var picture [4]int
	name := all()
	if path != "" {
		name = all(d.keys("ctrl+a"), d.write(filepath.Join(d.home, path)))
	}
	return all(
		func(context.Context) error { picture = d.now().Picture; return nil },
		d.press("the choices", dialog("marking"), "ctrl+m"),
		d.keys("Return"),
		d.await("the place to be asked for", dialog("")),
		name,
		d.press("the files", func(s windowState) bool {
			return s.Tone == "good" && strings.HasPrefix(s.Notice, "Wrote ") && s.Picture == picture
		}, "Return"),
	)
}

// openedBefore finds, in another window, the session that was opened last and the folder that was
// written to.
func openedBefore(ctx context.Context, d *driver) error {
	if err := all(
		d.press("the list of sessions", dialog("sessions"), "ctrl+o"),
		d.write("colleague"),
		d.press("the colleague's session", func(s windowState) bool {
			return s.Dialog == "" && s.Turns == 2 && s.Recorded != "" && s.Chars > 0
		}, "Return"),
		d.writePicture(""),
	)(ctx); err != nil {
		return err
	}
	if files, err := filepath.Glob(filepath.Join(d.home, "shots", "turn-*.png")); err != nil || len(files) != 1 {
		return fmt.Errorf("the folder of the window before has %d pictures of this one (%w)", len(files), err)
	}
	return nil
}
