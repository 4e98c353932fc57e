package window

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// winePage is the page that the programs are tried on.
const winePage = `<!doctype html>
<html lang="de"><meta charset="utf-8"><title>Prüfstück 検査</title>
<style>body{font:16px sans-serif;margin:40px}button,input{margin:20px;padding:10px}</style>
<h1>Prüfstück 検査</h1>
<p>Price: 42 €</p>
<label>Name <input id="name" value="Ada"></label>
<button id="buy" onclick="this.textContent='Bought'">Buy now</button>
<button id="gone" style="display:none">Gone</button>
</html>
`

// buyLine is a part of the text of the page: the button, which is its fourth element.
const buyLine = "[4]<button>Buy now</button>"

// wineCheck is one thing that people do on Windows.
type wineCheck struct {
	name string
	do   func(ctx context.Context, w *wine) error
}

// wineChecks are in the order in which they build on each other: the session of the second one is that of the others.
func wineChecks() []wineCheck {
	return []wineCheck{
		{"a page of a server and of a file, by each spelling of its path", winePages},
		{"turns in a folder of more than 260 characters; a damaged one is told", wineSession},
		{"why an element is, or is not, in the text", wineWhy},
		{"a picture with numbered boxes", wineMark},
		{"the exact bytes for a model", winePayload},
		{"where Chrome is missing: one line, for Windows", wineNoChrome},
		{"steps through the broker, which ends when it is told to, and a server that ends with its client", wineEnd},
		{"a killed tap ends its command", wineKilled},
		{"the window on that session, looked at", wineWindow},
		{"the window on a page of the Chrome outside, looked at", wineAttached},
	}
}

// wineFolder is the folder of the session: with spaces, letters of three scripts, and longer than the 260 characters
// that Windows allows a path without a prefix.
func wineFolder() string {
	parts := []string{`C:\users`}
	for i := range 6 {
		parts = append(parts, fmt.Sprintf("Ordner %d mit Ümläuten и 漢字 %s", i, strings.Repeat("x", 24)))
	}
	return strings.Join(append(parts, "the session"), `\`)
}

// outside is where a path on C: is on Linux.
func (w *wine) outside(path string) string {
	return filepath.Join(w.drive(), filepath.FromSlash(strings.ReplaceAll(strings.TrimPrefix(path, `C:\`), `\`, "/")))
}

// holds reports what a text lacks.
func holds(text string, parts ...string) error {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return fmt.Errorf("%q is not in: %s", p, setup.Tail(text, 30))
		}
	}
	return nil
}

// body is the text of a page without the lines about where it was.
func body(text string) string {
	_, body, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	return body
}

func winePages(ctx context.Context, w *wine) error {
	served, err := w.attached(ctx, "snap", w.site)
	if err == nil {
		err = holds(served, "TITLE: Prüfstück 検査", "[1]<h1>Prüfstück 検査</h1>", "Price: 42 €", buyLine)
	}
	if err != nil {
		return err
	}
	folder := w.outside(`C:\my pages ü`)
	if err := errors.Join(os.MkdirAll(folder, 0o755),
		os.WriteFile(filepath.Join(folder, "a page.html"), []byte(winePage), 0o644)); err != nil {
		return err
	}
	for _, spelling := range []string{`C:\my pages ü\a page.html`, "C:/my pages ü/a page.html",
		`.\my pages ü\a page.html`, "file:///C:/my%20pages%20%C3%BC/a%20page.html"} {
		text, err := w.attached(ctx, "snap", spelling)
		if err == nil && body(text) != body(served) {
			err = fmt.Errorf("%s reads as another page: %s", spelling, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func wineSession(ctx context.Context, w *wine) error {
	folder := wineFolder()
	if n := len(folder); n < 260 {
		return fmt.Errorf("the folder's path has %d bytes only", n)
	}
	if out, err := w.attached(ctx, "turn", w.site, w.site, "-o", folder); err != nil {
		return err
	} else if err := holds(out, folder+"#1", folder+"#2"); err != nil {
		return err
	}
	_, said, err := w.run(ctx, 0, w.program("refscopectl"), "session", "check", folder)
	if err == nil {
		err = holds(said, "all turns are intact")
	}
	if err != nil {
		return err
	}
	parts, err := filepath.Glob(filepath.Join(w.outside(folder), "parts", "*"))
	if err != nil || len(parts) == 0 {
		return errors.Join(err, errors.New("the session has no parts on the disk"))
	}
	whole, err := os.ReadFile(parts[0])
	if err != nil {
		return err
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	if err := os.WriteFile(parts[0], damaged, 0o600); err != nil {
		return err
	}
	_, said, err = w.run(ctx, 1, w.program("refscopectl"), "session", "check", folder)
	if err == nil && strings.Contains(said, "all turns are intact") {
		err = errors.New("a damaged part is called intact")
	}
	if err = errors.Join(err, os.WriteFile(parts[0], whole, 0o600)); err != nil {
		return err
	}
	// As a file, of another folder and back.
	archive := `C:\my pages ü\the session.refscope`
	if _, err := w.ctl(ctx, "session", "export", folder, "-o", archive); err != nil {
		return err
	}
	text, err := w.ctl(ctx, "snap", archive+"#2")
	if err != nil {
		return err
	}
	return holds(text, "[9]<button>Buy now</button>") // numbers of the first turn are not given again
}

func wineWhy(ctx context.Context, w *wine) error {
	kept, err := w.ctl(ctx, "why", wineFolder()+"#1", "#buy", "--format", "dddk")
	if err == nil {
		err = holds(kept, `button "Buy now"`, buyLine)
	}
	if err != nil {
		return err
	}
	gone, err := w.ctl(ctx, "why", wineFolder()+"#1", "#gone", "--format", "dddk")
	if err != nil {
		return err
	}
	return holds(gone, `button "Gone"`, "it is not drawn (display: none)")
}

func wineMark(ctx context.Context, w *wine) error {
	base := `C:\my pages ü\`
	if _, err := w.ctl(ctx, "mark", wineFolder()+"#1", "-o", base+"marked.png", "--clean", base+"clean.png",
		"--manifest", base+"marks.json"); err != nil {
		return err
	}
	var pictures [2]image.Image
	for i, name := range []string{"marked.png", "clean.png"} {
		b, err := os.ReadFile(w.outside(base + name))
		if err == nil {
			pictures[i], err = png.Decode(bytes.NewReader(b))
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(w.Artifact("wine-"+name), b, 0o644); err != nil {
			return err
		}
	}
	if size := pictures[0].Bounds(); size != image.Rect(0, 0, 1280, 720) || size != pictures[1].Bounds() {
		return fmt.Errorf("the marked picture has %v, the clean one %v", size, pictures[1].Bounds())
	}
	var manifest struct {
		Marks []struct {
			Ref  int        `json:"ref"`
			Name string     `json:"name"`
			Box  [4]float64 `json:"box"`
		} `json:"marks"`
	}
	b, err := os.ReadFile(w.outside(base + "marks.json"))
	if err == nil {
		err = json.Unmarshal(b, &manifest)
	}
	if err != nil {
		return err
	}
	for _, m := range manifest.Marks {
		if m.Name != "Buy now" {
			continue
		}
		box := image.Rect(int(m.Box[0]), int(m.Box[1]), int(m.Box[0]+m.Box[2]), int(m.Box[1]+m.Box[3]))
		if share := outlined(rgba(pictures[1]), rgba(pictures[0]), box); share < 0.75 {
			return fmt.Errorf("a mark runs along %.0f %% of the box of the button only", 100*share)
		}
		return nil
	}
	return fmt.Errorf("the manifest has no mark of the button: %s", b)
}

func winePayload(ctx context.Context, w *wine) error {
	out, err := w.ctl(ctx, "payload", wineFolder()+"#1", "--dialect", "openai-chat", "--model", "gpt-4o")
	if err != nil {
		return err
	}
	if !json.Valid([]byte(out)) {
		return fmt.Errorf("the payload is not JSON: %.200s", out)
	}
	if err := holds(out, `"model":"gpt-4o"`, "Buy now"); err != nil {
		return fmt.Errorf("the payload lacks a part of the page: %w", err)
	}
	_, encoded, _ := strings.Cut(out, "data:image/png;base64,")
	encoded, _, _ = strings.Cut(encoded, `"`)
	b, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil {
		_, err = png.Decode(bytes.NewReader(b))
	}
	if err != nil {
		return fmt.Errorf("the payload's picture: %w", err)
	}
	return nil
}

func wineNoChrome(ctx context.Context, w *wine) error {
	for _, args := range [][]string{{"snap", w.site}, {"turn", w.site, "-o", `C:\nothing`},
		{"mark", w.site, "-o", "x.png"}} {
		_, said, err := w.run(ctx, 1, w.program("refscopectl"), args...)
		if err == nil {
			err = holds(said, "no Chrome or Chromium found", "winget install Google.Chrome")
		}
		if lines := strings.Count(strings.TrimSpace(said), "\n") + 1; err == nil &&
			(lines > 1 || strings.Contains(said, "apt-get")) {
			err = fmt.Errorf("%d lines of advice: %s", lines, said)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wineEnd proves that nothing outlives its time. First that the proof can fail: the broker keeps Windows running.
func wineEnd(ctx context.Context, w *wine) error {
	out, err := w.attached(ctx, "run",
		fmt.Sprintf(`{"steps":[{"openTab":%q},{"click":{"text":"Buy now"}},{"snapshot":true}]}`, w.site))
	if err == nil {
		err = holds(out, `"status":"ok"`, "Bought")
	}
	if err != nil {
		return err
	}
	if _, err := w.running("browser", "serve"); err != nil {
		return fmt.Errorf("after steps: %w", err)
	}
	if _, err = w.ctl(ctx, "browser", "close"); err != nil {
		return err
	}
	if err := w.ended(ctx); err != nil {
		return err
	}
	// A server of tools whose client has gone: the end of its standard input.
	if _, err = w.attached(ctx, "mcp"); err != nil {
		return fmt.Errorf("a server without a client: %w", err)
	}
	return w.ended(ctx)
}

// wineKilled kills a tap whose command waits for its standard input, which stays open.
func wineKilled(ctx context.Context, w *wine) error {
	cmd := exec.CommandContext(ctx, w.loader, w.program("refscopectl"), "tap", "-o", `C:\tapped`, "--no-browser", "--",
		w.program("refscopectl"), "mcp", "--attach", w.chrome)
	cmd.Dir, cmd.Env = w.drive(), w.env()
	to, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = io.WriteString(to, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{`+
		`"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wine","version":"1"}}}`+"\n")
	if err == nil {
		_, err = bufio.NewReader(from).ReadString('\n') // the command runs
	}
	tap, terr := w.running("tap", "--no-browser")
	if err = errors.Join(err, terr); err == nil {
		err = kill(tap)
	}
	if err == nil {
		err = w.ended(ctx)
	}
	_ = cmd.Process.Kill() // where it was not
	_ = cmd.Wait()         // it was killed
	return err
}

// kill ends a process of this system at once.
func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	defer func() { _ = p.Release() }() // frees nothing but the name
	return p.Kill()
}

// wineScreen is the display of the window under Wine, larger than the window.
var wineScreen = image.Pt(1680, 1040)

// wineWindow opens the window on the session, without a Chrome: the recording comes into view, with what is missing,
// and a click on a mark lights it up. The screen stays in out/wine-window.png.
func wineWindow(ctx context.Context, w *wine) error {
	return w.window(ctx, "wine-window", "the recording", func(s windowState) bool {
		return s.Turn == 1 && s.Turns == 2 &&
			strings.Contains(s.Notice, "Chrome is missing: live pages are off, recordings work")
	}, wineFolder()+"#1")
}

// wineAttached does the same on a page of the Chrome outside. The screen stays in out/wine-attached.png.
func wineAttached(ctx context.Context, w *wine) error {
	return w.window(ctx, "wine-attached", "the page", func(s windowState) bool {
		return s.Browser == "ready" && s.Tab == w.site && s.Turn > 0
	}, "--attach", w.chrome, w.site)
}

// winePicture waits until the window shows the page and looks at it: what is under the page's lines is white, which
// nothing else in the window is, and a mark that is clicked lights up.
func winePicture(ctx context.Context, w *wine, screen *screen, window *window, name, what string,
	wanted func(windowState) bool) error {
	shown, err := window.trace.await(ctx, what, 2*time.Minute, func(s windowState) bool {
		return wanted(s) && len(s.Marks) == 4 && s.Chars > 0 && s.Busy == ""
	})
	if err != nil {
		return err
	}
	at, err := screen.origin(ctx, "Refscope")
	if err != nil {
		return err
	}
	page := rectangle(shown.Picture, at)
	_, err = settled(ctx, screen, w.Artifact(name+".png"), func(p *image.RGBA) error {
		if c := p.RGBAAt((page.Min.X+page.Max.X)/2, (page.Min.Y+page.Max.Y)/2); c != (color.RGBA{255, 255, 255, 255}) {
			return fmt.Errorf("the page is not drawn: the middle of the picture is %v", c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return clickMark(ctx, w.Test, screen, window, shown, at, wineScreen.Sub(image.Pt(4, 4)), name)
}

// window opens the window on a display of its own, looks, and closes it as a person does, after which nothing of it
// runs. It is skipped where this Wine gives it no OpenGL.
func (w *wine) window(ctx context.Context, name, what string, wanted func(windowState) bool, args ...string) error {
	screen, err := openScreen(ctx, w.Test, wineScreen)
	if err != nil {
		return err
	}
	defer screen.server.End()
	words := append([]string{w.program("refscope"), "--trace"}, args...)
	cmd := setup.Command(ctx, w.drive(), false, w.loader, words...)
	cmd.Env = append(w.env(), "DISPLAY="+screen.display, "LIBGL_ALWAYS_SOFTWARE=1")
	window, err := startWindow(w.Test, name+"-trace.jsonl", cmd)
	if err != nil {
		return err
	}
	if err = winePicture(ctx, w, screen, window, name, what, wanted); err != nil {
		_, _ = screen.shoot(context.WithoutCancel(ctx), w.Artifact(name+"-failed.png")) // a help for people
	} else {
		_, err = screen.tool(ctx, "xdotool", "search", "--onlyvisible", "--name", "Refscope", "windowfocus",
			"--sync", "key", "ctrl+q")
	}
	if err == nil {
		select {
		case <-window.process.Done:
		case <-time.After(30 * time.Second):
			err = errors.New("the window does not end by Ctrl+Q")
		}
	}
	window.close()
	switch said := window.said(); {
	case err == nil:
		return w.ended(ctx)
	case window.trace.last.At.IsZero() && strings.Contains(said, "OpenGL"): // GLFW's word where it has none
		return fmt.Errorf("%w: this Wine gives the window no OpenGL: %s", setup.ErrSkipped, setup.Tail(said, 3))
	default:
		return fmt.Errorf("%w\n%s", err, setup.Tail(said, 30))
	}
}
