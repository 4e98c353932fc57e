package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// stories are what people do with the window.
func stories() []story {
	return []story{
		{"review", recordFailure, review},
		{"missing", nil, missing},
		{"profile", nil, editProfile},
		{"export", nil, exportForModel},
		{"live", nil, followAgent},
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
		`{"click":{"text":"Order the moon"},"timeout":800}]}`, d.shop+"/index.html")
	if out, err = d.run(ctx, "run", "--no-broker", "--session", "nightly", second); err == nil {
		return fmt.Errorf("a step that cannot be done went well:\n%s", out)
	}
	return nil
}

// review opens the recorded session, goes to the turn with the error, reads what went
// wrong, and leaves a note.
func review(ctx context.Context, d *driver) error {
	s, err := d.open(ctx, "nightly", func(s windowState) bool { return s.Turns == 2 })
	if err != nil {
		return err
	}
	if _, err := d.press(ctx, "the turn before", func(s windowState) bool { return s.Turn == 1 }, "k"); err != nil {
		return err
	}
	if _, err := d.press(ctx, "the next turn with an error", func(w windowState) bool { return w.Turn == s.Turn },
		"n"); err != nil {
		return err
	}
	if _, err := d.press(ctx, "what the turn tells", side("Turn"), "i"); err != nil {
		return err
	}
	if _, err := d.press(ctx, "the note", dialog("note"), "m"); err != nil {
		return err
	}
	if err := d.write(ctx, "The shop sells no moon: the task was wrong, not the agent."); err != nil {
		return err
	}
	_, err = d.press(ctx, "the note to be kept", func(s windowState) bool { return s.Notes == 1 && s.Dialog == "" },
		"shift+Return")
	return err
}

// missing asks why a heading that everybody sees is in one format and not in another.
func missing(ctx context.Context, d *driver) error {
	if _, err := d.press(ctx, "the search", func(s windowState) bool { return s.Finding }, "ctrl+f"); err != nil {
		return err
	}
	if err := d.write(ctx, "Slate 75 keyboard</h3>"); err != nil {
		return err
	}
	s, err := d.await(ctx, "the heading to be found", func(s windowState) bool { return s.Found == 1 })
	if err != nil {
		return err
	}
	heading := 0
	for _, m := range s.Marks {
		if m.Role == "heading" && m.Name == "Slate 75 keyboard" {
			heading = m.Ref
		}
	}
	if heading == 0 {
		return errors.New("no mark of the picture is the heading of the keyboard")
	}
	if _, err := d.press(ctx, "no search", func(s windowState) bool { return !s.Finding }, "Escape"); err != nil {
		return err
	}
	// Its middle belongs to the link in it, so a person goes there by its number.
	if err := d.keys(ctx, "ctrl+g"); err != nil {
		return err
	}
	if err := d.write(ctx, strconv.Itoa(heading)); err != nil {
		return err
	}
	if _, err := d.press(ctx, "the reason", func(s windowState) bool {
		return s.Selected == heading && s.Why &&
			s.Line > 0
	}, "Return"); err != nil {
		return err
	}
	_, err = d.press(ctx, "a format without it", func(s windowState) bool {
		return s.Format == "semantic" && s.Chars > 0 && s.Line == 0 && s.Selected == heading && s.Why
	}, "ctrl+2")
	return err
}

// editProfile makes a profile from the page, leaves the shelf out of every dump, sees at
// once what that does to the turn in view, and saves.
func editProfile(ctx context.Context, d *driver) error {
	if _, err := d.press(ctx, "the profile", side("Profile"), "e"); err != nil {
		return err
	}
	if _, err := d.choose(ctx, "profile make", "a first text", func(s windowState) bool {
		return s.Profile == "unsaved" &&
			s.Dialog == ""
	}); err != nil {
		return err
	}
	if err := d.keys(ctx, "ctrl+Home"); err != nil {
		return err
	}
	if err := d.write(ctx, "---\nfilter:\n  - \"#shelf\"\n---\n"); err != nil {
		return err
	}
	if _, err := d.await(ctx, "the effect on the turn in view", func(s windowState) bool {
		return strings.Contains(s.Effect, "unsaved profile") && strings.Contains(s.Effect, "−")
	}); err != nil {
		return err
	}
	if _, err := d.press(ctx, "the profile to be saved", func(s windowState) bool {
		return s.Profile == "saved" &&
			s.Tone == "good"
	}, "ctrl+shift+s"); err != nil {
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
	if _, err := d.press(ctx, "the choices", dialog("marking"), "ctrl+m"); err != nil {
		return err
	}
	if err := d.keys(ctx, "Return"); err != nil { // the choices are good; a name is suggested
		return err
	}
	if _, err := d.await(ctx, "the place to be asked for", dialog("")); err != nil {
		return err
	}
	s, err := d.press(ctx, "the files", func(s windowState) bool {
		return s.Tone == "good" &&
			strings.HasPrefix(s.Notice, "Wrote ")
	}, "Return")
	if err != nil {
		return err
	}
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
	if _, err = d.press(ctx, "the notice to be put away", func(s windowState) bool { return s.Notice == "" },
		"Escape"); err != nil {
		return err
	}
	_, err = d.press(ctx, "everything else that can be exported", dialog("export"), "ctrl+e")
	return err
}

// followAgent opens a session that the task loop is writing, against the reference
// endpoint, and follows it to its end.
func followAgent(ctx context.Context, d *driver) error {
	other := httptest.NewServer(newEndpoint(func(string, ...any) {}))
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
		out, err := d.test.output(ctx, progress, []string{"REFSCOPE_HOME=" + d.home}, d.ctl, "task", "--session", "agent",
			"--endpoint", other.URL+interactPath, "--query", "finish the checkout", "--json", d.shop+"/index.html")
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
	first, err := d.open(ctx, "agent", func(windowState) bool { return true })
	if err != nil {
		return err
	}
	if _, err := d.await(ctx, "turns of the agent to come into view by themselves", func(s windowState) bool {
		return s.Turn >= first.Turn+3 && s.Turn == s.Turns
	}); err != nil {
		return err
	}
	e := <-done
	waited = true
	if e.err != nil {
		return fmt.Errorf("the agent: %w\n%s", e.err, e.out)
	}
	if _, err := d.await(ctx, "the last turn", func(s windowState) bool {
		return strings.HasSuffix(strings.SplitN(s.URL, "?", 2)[0], "orders.html") && s.Turn == s.Turns
	}); err != nil {
		return err
	}
	_, err = d.press(ctx, "what the turn tells", side("Turn"), "i")
	return err
}
