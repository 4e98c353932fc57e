package window

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/cmd/dev/endpoint"
	"github.com/refscope/refscope/cmd/dev/setup"
)

// Stories opens the real window on a display in memory, once for each story, and
// does with keys and mouse what a person would do: review a recorded failure, find why an
// element is missing, edit a profile and see the effect, export a picture for a model,
// follow an agent. It waits for events in the window's trace. The last picture of each
// story stays in out/story-NAME.png; those of the README are made so.
func Stories(ctx context.Context, t *setup.Test) (output string, err error) {
	return playStories(ctx, t, reviewScreen, stories())
}

// Look plays the stories for their last pictures, which people look at.
func Look(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("look", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	yes := flags.Bool("y", false, "install what is missing without asking")
	only := flags.String("run", "", "the story to play")
	list := flags.Bool("list", false, "name the stories and end")
	all := flags.Bool("all", false, "eight situations in three themes and three sizes, in the place of stories")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return setup.Usagef("look: %w", cmp.Or(err, errors.New("it takes flags only")))
	}
	var chosen []story
	var names []string
	for _, s := range stories() {
		names = append(names, s.name)
		if *only == "" || s.name == *only {
			chosen = append(chosen, s)
		}
	}
	switch {
	case *list:
		d.Say("%s", strings.Join(names, "\n"))
		return nil
	case len(chosen) == 0:
		return setup.Usagef("look: no story %q; there are: %s", *only, strings.Join(names, ", "))
	}
	if err := d.SetUp(ctx, setup.TestNeeds(d.Machine), *yes); err != nil {
		return err
	}
	t := &setup.Test{Dev: d, Begin: time.Now()}
	if *all {
		out, err := lookAtAll(ctx, t)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, setup.Visible(out))
		}
		d.Say("%s", t.Artifact("look"))
		return nil
	}
	out, err := playStories(ctx, t, reviewScreen, chosen)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, setup.Visible(out))
	}
	for _, s := range chosen {
		d.Say("%s", t.Artifact("story-"+s.name+".png"))
	}
	return nil
}

// reviewScreen is the size in px of the screen that stories are played on.
var reviewScreen = image.Pt(1600, 960)

// playStories opens the window for each story and takes its last picture.
func playStories(ctx context.Context, t *setup.Test, size image.Point, chosen []story) (output string, err error) {
	if t.Machine.GOOS != "linux" {
		return "", fmt.Errorf("%w: it needs Xvfb, so Linux", setup.ErrSkipped)
	}
	if err := os.MkdirAll(t.Artifact(""), 0o755); err != nil {
		return "", fmt.Errorf("stories: %w", err)
	}
	program, ctl, err := buildBoth(ctx, t)
	if err != nil {
		return "", err
	}
	shop := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(t.Root, "assets", "demo"))))
	defer shop.Close()
	screen, err := openScreen(ctx, t, size)
	if err != nil {
		return "", err
	}
	defer screen.server.End()
	stop := t.Pulse(ctx, "the window is open on display "+screen.display)
	defer stop()
	for _, s := range chosen {
		home, err := os.MkdirTemp("", "refscope-story-")
		if err != nil {
			return "", fmt.Errorf("story %s: %w", s.name, err)
		}
		d := &driver{test: t, screen: screen, home: home, ctl: ctl, shop: shop.URL}
		said, err := d.tell(ctx, program, s)
		if s.before != nil { // its commands left a browser running for the next one
			out, end := d.run(context.WithoutCancel(ctx), "browser", "close")
			if end != nil {
				err = errors.Join(err, fmt.Errorf("%w\n%s", end, out))
			}
		}
		_ = os.RemoveAll(home) // a stray temporary folder does no harm
		if err != nil {
			return said, fmt.Errorf("story %q: %w", s.name, err)
		}
	}
	return "", nil
}

// buildBoth builds the window and the command line.
func buildBoth(ctx context.Context, t *setup.Test) (program, ctl string, err error) {
	if program, err = t.BuildWindow(ctx); err != nil {
		return "", "", err
	}
	ctl, err = t.BuildCtl(ctx, filepath.Join(t.Root, "bin"))
	return program, ctl, err
}

// story is one thing that people do.
type story struct {
	name string
	// before happens before the window opens; nil for nothing.
	before func(ctx context.Context, d *driver) error
	do     func(ctx context.Context, d *driver) error
	// again happens in a second window, opened when the first is closed; nil for none.
	again func(ctx context.Context, d *driver) error
}

// driver acts as a person at the window, with their home folder.
type driver struct {
	test            *setup.Test
	screen          *screen
	window          *window
	home, ctl, shop string
}

// tell performs a story, with what comes before its window and after it.
func (d *driver) tell(ctx context.Context, program string, s story) (said string, err error) {
	if s.before != nil {
		if err := s.before(ctx, d); err != nil {
			return "", err
		}
	}
	if said, err = d.inWindow(ctx, program, s.name, s.do); err == nil && s.again != nil {
		said, err = d.inWindow(ctx, program, s.name+"-again", s.again)
	}
	return said, err
}

// inWindow opens the window, waits for its first turn, does something in it, and takes its last
// picture.
func (d *driver) inWindow(ctx context.Context, program, name string,
	do func(context.Context, *driver) error) (said string,
	err error) {
	return withWindow(ctx, d.test, d.screen, "story-"+name+"-trace.jsonl", program, d.home, func(w *window) error {
		d.window = w
		if err := d.await("the first step of the start", func(s windowState) bool {
			return s.Turn == 0 && s.Busy != ""
		})(ctx); err != nil {
			return err
		}
		if err := d.await("the demo page", func(s windowState) bool {
			return s.Browser == "ready" && s.Turn > 0 && s.Busy == "" && s.Chars > 0
		})(ctx); err != nil {
			return err
		}
		if _, err := d.screen.tool(ctx, "xdotool", "search", "--onlyvisible", "--name", "^Refscope", "windowfocus",
			"--sync"); err != nil {
			return err
		}
		if err := do(ctx, d); err != nil {
			_, shot := d.screen.shoot(ctx, d.test.Artifact("story-"+name+"-failed.png"))
			return errors.Join(err, shot)
		}
		_, err := d.still(ctx, "story-"+name+".png")
		return err
	})
}

// still takes a picture of the screen when it is stable: the window draws a frame or two
// after its state is in the trace. It must differ from each picture of old; nil is none.
func (d *driver) still(ctx context.Context, file string, old ...*image.RGBA) (*image.RGBA, error) {
	var last *image.RGBA
	return settled(ctx, d.screen, d.test.Artifact(file), func(p *image.RGBA) error {
		before := last
		last = p
		for _, o := range old {
			if o != nil && differ(o, p) < p.Rect.Dx()*p.Rect.Dy()/100 {
				return errors.New("the window shows what it showed before")
			}
		}
		if before == nil || differ(before, p) > p.Rect.Dx()*p.Rect.Dy()/1000 { // a cursor may blink
			return errors.New("the window is still drawing")
		}
		return busy(p, p.Rect.Inset(40))
	})
}

// act is one thing that the driver does.
type act func(ctx context.Context) error

// all does one thing after the other, until one fails.
func all(acts ...act) act {
	return func(ctx context.Context) error {
		for _, a := range acts {
			if err := a(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// now is the state of the window that was waited for last.
func (d *driver) now() windowState { return d.window.trace.last }

// keys presses keys one after another.
func (d *driver) keys(keys ...string) act {
	return func(ctx context.Context) error {
		_, err := d.screen.tool(ctx, "xdotool", append([]string{"key", "--delay", "40"}, keys...)...)
		return err
	}
}

// write types a text, line by line: a line feed is the Return key.
func (d *driver) write(text string) act {
	var acts []act
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			acts = append(acts, d.keys("Return"))
		}
		acts = append(acts, func(ctx context.Context) error {
			_, err := d.screen.tool(ctx, "xdotool", "type", "--delay", "25", "--", line)
			return err
		})
	}
	return all(acts...)
}

// await waits for a state of the window.
func (d *driver) await(what string, wanted func(windowState) bool) act {
	return func(ctx context.Context) error {
		_, err := d.window.trace.await(ctx, what, 60*time.Second, wanted)
		return err
	}
}

// press presses keys and waits for their effect.
func (d *driver) press(what string, wanted func(windowState) bool, keys ...string) act {
	return all(d.keys(keys...), d.await(what, wanted))
}

// choose runs a command by the palette: its words are typed and the first row taken.
func (d *driver) choose(words, what string, wanted func(windowState) bool) act {
	return all(d.press("the palette", dialog("palette"), "ctrl+shift+p"), d.write(words),
		d.press(what, wanted, "Return"))
}

// open opens a session by its name.
func (d *driver) open(name string, wanted func(windowState) bool) act {
	return all(d.press("the list of sessions", dialog("sessions"), "ctrl+o"), d.write(name),
		d.press("session "+name, func(s windowState) bool {
			return s.Name == name && s.Turn > 0 && s.Chars > 0 && wanted(s)
		}, "Return"))
}

// run runs refscopectl in this home.
func (d *driver) run(ctx context.Context, args ...string) (string, error) {
	return d.test.Tool(ctx, []string{"REFSCOPE_HOME=" + d.home}, d.ctl, args...)
}

// dialog is a state with that dialog open; "" is none.
func dialog(name string) func(windowState) bool {
	return func(s windowState) bool { return s.Dialog == name }
}

// side is a state with that side in view.
func side(title string) func(windowState) bool {
	return func(s windowState) bool { return strings.HasPrefix(s.Side, title) }
}

// stories are the tasks of people at the window.
func stories() []story {
	return []story{
		{name: "review", before: recordFailure, do: review},
		{name: "missing", do: missing},
		{name: "profile", do: editProfile},
		{name: "export", do: exportForModel},
		{name: "live", do: followAgent},
		{name: "tour", before: recordFailure, do: tour},
		{name: "keys", before: sharedSession, do: byKeys, again: openedBefore},
	}
}

// recordFailure records a session of two turns: one that went well, one in which a step
// fails.
func recordFailure(ctx context.Context, d *driver) error {
	first := fmt.Sprintf(`{"steps":[{"openTab":%q},{"click":{"text":"Only essential"}}]}`, d.shop+"/index.html")
	out, err := d.run(ctx, "run", "--no-broker", "--session", "nightly", first)
	if err != nil {
		return fmt.Errorf("recording: %w\n%s", err, out)
	}
	second := fmt.Sprintf(`{"steps":[{"openTab":%q},{"click":{"text":"Accept all"}},`+
		`{"click":{"text":"Order the moon"},"timeout":5000}]}`, d.shop+"/index.html")
	if out, err = d.run(ctx, "run", "--no-broker", "--session", "nightly", second); err == nil {
		return fmt.Errorf("a step that cannot be done went well:\n%s", out)
	}
	if !strings.Contains(out, "with the text") { // another step failed
		return fmt.Errorf("recording a failure: %w\n%s", err, out)
	}
	return nil
}

// review opens the recorded session, goes to the turn with the error, reads what went
// wrong, and leaves a note.
func review(ctx context.Context, d *driver) error {
	failed := 0
	return all(
		d.open("nightly", func(s windowState) bool { failed = s.Turn; return s.Turns == 2 }),
		d.press("the turn before", func(s windowState) bool { return s.Turn == 1 }, "k"),
		d.press("the turn after", func(s windowState) bool { return s.Turn == failed }, "j"),
		d.clickCard,
		d.await("the turn of the card", func(s windowState) bool { return s.Turn == 1 }),
		d.press("the next turn with an error", func(s windowState) bool { return s.Turn == failed && s.Chars > 0 },
			"n"),
		d.sameCounts,
		d.reportFailure,
		d.press("what was done", side("Activity"), "i"),
		d.press("the note", dialog("note"), "m"),
		d.write("The shop sells no moon: the task was wrong, not the agent."),
		d.press("the note to be kept", func(s windowState) bool { return s.Notes == 1 && s.Dialog == "" },
			"ctrl+Return"),
	)(ctx)
}

// clickCard clicks the card at the left edge of the timeline.
func (d *driver) clickCard(ctx context.Context) error {
	origin, err := d.screen.origin(ctx, "Refscope")
	if err != nil {
		return err
	}
	strip := rectangle(d.now().Cards, origin)
	return d.screen.click(ctx, image.Pt(strip.Min.X+60, strip.Max.Y-50))
}

// sameCounts sees that the tokens at the bottom are those of What-if with the settings as they are.
func (d *driver) sameCounts(ctx context.Context) error {
	count := regexp.MustCompile(`[\d,]+ tokens \(\w+\)`)
	want := count.FindString(d.now().Status)
	if want == "" {
		return fmt.Errorf("the status has no tokens: %q", d.now().Status)
	}
	return all(
		d.press("the same tokens in What-if", func(s windowState) bool { return count.FindString(s.Effect) == want },
			"w"),
		d.press("the text", side("Text"), "t"),
	)(ctx)
}

// reportFailure exports the report of the session and finds the failed turn in it.
func (d *driver) reportFailure(ctx context.Context) error {
	picture := d.now().Picture
	if err := all(
		d.choose("report of the session", "the place to be asked for", dialog("")),
		d.press("the report", func(s windowState) bool { return s.Tone == "good" && s.Busy == "" }, "Return"),
	)(ctx); err != nil {
		return err
	}
	if now := d.now().Picture; now != picture {
		return fmt.Errorf("the notice moves the picture from %v to %v", picture, now)
	}
	files, err := filepath.Glob(filepath.Join(d.home, "*.html"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("one report was written, and the home has %d (%w)", len(files), err)
	}
	report, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	for _, want := range []string{"Steps failed in 1 turn.", "No page reported an error."} {
		if !strings.Contains(string(report), want) {
			return fmt.Errorf("the report lacks %q", want)
		}
	}
	return d.press("the notice to be put away", func(s windowState) bool { return s.Notice == "" }, "Escape")(ctx)
}

// missing asks why a heading that everybody sees is in one format and not in another.
func missing(ctx context.Context, d *driver) error {
	if err := all(
		d.press("the search", func(s windowState) bool { return s.Finding }, "ctrl+f"),
		d.write("Slate 75 keyboard</h3>"),
		d.await("the heading to be found", func(s windowState) bool { return s.Found == 1 }),
	)(ctx); err != nil {
		return err
	}
	heading := 0
	for _, m := range d.now().Marks {
		if m.Role == "heading" && m.Name == "Slate 75 keyboard" {
			heading = m.Ref
		}
	}
	if heading == 0 {
		return errors.New("no mark of the picture is the heading of the keyboard")
	}
	return all(
		d.press("no search", func(s windowState) bool { return !s.Finding }, "Escape"),
		// Its middle belongs to the link in it, so a person goes there by its number.
		d.keys("ctrl+g"),
		d.write(strconv.Itoa(heading)),
		d.press("the reason", func(s windowState) bool { return s.Selected == heading && s.Why && s.Line > 0 },
			"Return"),
		d.press("a format without it", func(s windowState) bool {
			return s.Format == "semantic" && s.Chars > 0 && s.Line == 0 && s.Selected == heading && s.Why
		}, "ctrl+2"),
	)(ctx)
}

// editProfile makes a profile from the page, leaves the shelf out of every dump, sees at
// once what that does to the turn in view, and saves.
func editProfile(ctx context.Context, d *driver) error {
	if err := all(
		d.press("the profile", side("Profile"), "e"),
		d.choose("profile make", "a first text", func(s windowState) bool {
			return s.Profile == "unsaved" && s.Dialog == ""
		}),
		d.keys("ctrl+Home"),
		d.write("---\nfilter:\n  - \"#shelf[\"\n---\n"),
		d.press("a selector that cannot be used to be refused", func(s windowState) bool {
			return s.Profile == "unsaved" && s.Notice != "" && s.Tone != "good" && s.Busy == ""
		}, "ctrl+shift+s"),
		d.keys("End", "Left", "BackSpace"), // the refusal leads to the line
		d.await("the effect on the turn in view", func(s windowState) bool {
			return strings.Contains(s.Effect, "Unsaved profile") && strings.Contains(s.Effect, "–")
		}),
		d.press("the profile to be saved", func(s windowState) bool {
			return s.Profile == "saved" && s.Tone == "good"
		}, "ctrl+shift+s"),
		d.press("the profile in the next capture", func(s windowState) bool {
			return s.Turn == 2 && s.Busy == "" && strings.Contains(s.Status, "Profile 127.0.0.1")
		}, "ctrl+r"),
	)(ctx); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(d.home, "profiles", "*.md"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("one profile was saved, and the home has %d (%w)", len(files), err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), `- "#shelf"`) {
		return fmt.Errorf("the saved profile lacks what was typed:\n%s", text)
	}
	return nil
}

// exportForModel exports the marked picture with its manifest and legend and reads them
// back.
func exportForModel(ctx context.Context, d *driver) error {
	if err := all(
		d.press("the choices", dialog("marking"), "ctrl+m"),
		d.keys("Return"), // the choices are good; a name is suggested
		d.await("the place to be asked for", dialog("")),
		d.press("the files", func(s windowState) bool {
			return s.Tone == "good" && strings.HasPrefix(s.Notice, "Wrote ")
		}, "Return"),
	)(ctx); err != nil {
		return err
	}
	s := d.now()
	file := filepath.Join(d.home, fmt.Sprintf("turn-%04d-marked.png", s.Turn))
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("the picture is not where the notice says (%s): %w", s.Notice, err)
	}
	defer f.Close()
	picture, err := png.DecodeConfig(f)
	if err != nil {
		return fmt.Errorf("the exported picture: %w", err)
	}
	raw, err := os.ReadFile(strings.TrimSuffix(file, ".png") + ".json")
	if err != nil {
		return err
	}
	var manifest struct {
		Marks []struct{ Ref int } `json:"marks"`
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return fmt.Errorf("the manifest: %w", err)
	}
	if picture.Width != 1280 || len(manifest.Marks) < len(s.Marks) {
		return fmt.Errorf("the picture is %d px wide and has %d marks, the window shows %d", picture.Width,
			len(manifest.Marks), len(s.Marks))
	}
	return all(
		d.press("the notice to be put away", func(s windowState) bool { return s.Notice == "" }, "Escape"),
		d.press("everything else that can be exported", dialog("export"), "ctrl+e"),
	)(ctx)
}

// followAgent opens a session that the task loop is writing, against the reference
// endpoint, and follows it to its end.
func followAgent(ctx context.Context, d *driver) error {
	other := httptest.NewServer(endpoint.New(func(string) {}))
	defer other.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type end struct {
		out string
		err error
	}
	done, began := make(chan end, 1), make(chan struct{})
	begun := sync.OnceFunc(func() { close(began) })
	progress := func(line string) {
		if strings.Contains(line, "kept") { // a turn is in the session
			begun()
		}
	}
	go func() { // ends with the command, which ends with ctx
		out, err := d.test.Output(ctx, progress, []string{"REFSCOPE_HOME=" + d.home}, d.ctl, "task",
			"--session", "agent",
			"--endpoint", other.URL+endpoint.Path, "--query", "finish the checkout", "--json", d.shop+"/index.html")
		done <- end{out, err}
	}()
	waited := false
	defer func() {
		cancel()
		if !waited {
			<-done
		}
	}()
	select {
	case <-began:
	case e := <-done:
		waited = true
		return fmt.Errorf("the agent ended at once: %w\n%s", e.err, e.out)
	}
	first := 0
	if err := all(
		d.open("agent", func(s windowState) bool { first = s.Turn; return true }),
		d.await("turns of the agent to come into view by themselves", func(s windowState) bool {
			return s.Turn >= first+3 && s.Turn == s.Turns
		}),
	)(ctx); err != nil {
		return err
	}
	e := <-done
	waited = true
	if e.err != nil {
		return fmt.Errorf("the agent: %w\n%s", e.err, e.out)
	}
	return all(
		d.await("the last turn", func(s windowState) bool {
			return strings.HasSuffix(strings.SplitN(s.URL, "?", 2)[0], "orders.html") && s.Turn == s.Turns
		}),
		d.press("what was done", side("Activity"), "i"),
	)(ctx)
}
