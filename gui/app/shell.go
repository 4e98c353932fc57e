package app

import (
	"cmp"
	"image"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
)

// Options configure how the window starts. App and Engine are required.
type Options struct {
	App    fyne.App
	Engine Engine
	// URL is the page to open first, "" for none.
	URL      string
	Viewport image.Point // CSS px, for the label until Chrome reports it
	// Prefs is what the window remembers, see loadPrefs; changes go to Home, "" for
	// nowhere.
	Prefs core.Prefs
	// Look is what holds for this start alone, "" for that of Prefs.
	Look core.Look
	Home string
	Log  *slog.Logger // nil discards
	// CopyImage puts a PNG on the clipboard; nil where the desktop has no way to.
	CopyImage func(png []byte) error
	// Counter counts tokens; its tables, which the first text needs, are built beside the window. nil makes one that
	// builds them when it first counts.
	Counter *tokens.Counter
	// Painted is closed once the window has its first picture, for which Chrome and the counter's tables wait: each
	// takes a core at its start, and the picture comes later beside them. nil: they wait for nothing.
	Painted <-chan struct{}
	// Trace gets one record for each change of the state; see [tracer]. nil: none.
	Trace *slog.Logger
	// Post brings functions to the window's goroutine; nil means FynePost.
	Post Post
	// Ask asks for places; nil means dialogs.
	Ask Asker
}

// Shell is one window.
type Shell struct {
	opt      Options
	win      fyne.Window
	store    *Store
	runner   *runner
	commands []core.Command
	menus    *menus
	keys     *keymap
	panes    *panes
	host     *parts.Window
	dialog   *dialog  // nil where none is open
	dialogs  *dialogs // nil where the Asker is another
	trace    *tracer
	prefs    *prefsKeeper
	closed   bool
}

// New makes the window and starts its work. The caller shows it; [Shell.Close]
// ends everything that runs for it.
func New(o Options) (*Shell, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Post == nil {
		o.Post = FynePost
	}
	begin := o.Prefs
	begin.Look = cmp.Or(o.Look, begin.Look)
	first := core.New(Rooms(), begin, o.URL, o.Viewport, format.Plain(), payload.Dialects(), modelNames())
	s := &Shell{opt: o, commands: first.Commands()}
	s.store = newStore(first, o.Post, s.changed)
	s.runner = newRunner(o, s.store.Dispatch)
	if o.Counter != nil {
		s.runner.work.Go(func() {
			if s.runner.awaitPainted(s.runner.root) == nil {
				o.Counter.Count("a")
			}
		})
	}
	s.runner.await, s.runner.giveWay = s.store.await, s.store.giveWay
	s.prefs = &prefsKeeper{home: o.Home, log: o.Log, saved: o.Prefs}
	s.keys = newKeymap(s.commands, s.run)
	s.keys.digit = s.digit
	s.keys.menu = s.openMenu
	m, err := newMenus(s.commands, s.pick)
	if err != nil {
		return nil, err
	}
	s.menus = m

	s.win = o.App.NewWindow("Refscope")
	if o.Ask == nil {
		s.dialogs = &dialogs{shell: s, folder: o.Prefs.Folder}
		s.opt.Ask = s.dialogs
	}
	s.host = &parts.Window{
		Canvas: s.win.Canvas(), State: s.store.State, Send: s.store.Dispatch, Run: s.run, Escape: s.escape,
		Keys:      parts.Keys{Held: s.keys.held, Key: s.typedKey, Rune: s.typedRune, Shortcut: s.keys.typedShortcut},
		FocusSide: s.focusSide,
	}
	s.applyTheme(first)
	s.panes = newPanes(s)
	s.win.SetPadded(false)
	s.win.SetContent(s.panes.root)
	s.menus.set(first)
	s.win.SetMainMenu(s.menus.main)
	s.win.Canvas().SetOnTypedKey(s.typedKey)
	s.win.Canvas().SetOnTypedRune(s.typedRune)
	for _, menu := range s.menus.main.Items {
		s.win.Canvas().AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyName(menu.Label[:1]),
			Modifier: fyne.KeyModifierAlt}, s.keys.typedShortcut)
	}
	for _, edit := range []fyne.Shortcut{&fyne.ShortcutPaste{}, &fyne.ShortcutSelectAll{}, &fyne.ShortcutUndo{},
		&fyne.ShortcutRedo{}} {
		s.win.Canvas().AddShortcut(edit, s.typedShortcut)
	}
	if c, ok := s.win.Canvas().(desktop.Canvas); ok {
		c.SetOnKeyDown(func(e *fyne.KeyEvent) {
			if s.over() == nil {
				s.keys.held(e.Name, true)
			}
		})
		c.SetOnKeyUp(func(e *fyne.KeyEvent) { s.keys.held(e.Name, false) })
	}
	s.win.Resize(windowSize(o.Prefs, fyne.Size{}))
	s.win.SetOnDropped(s.dropped)
	o.App.Lifecycle().SetOnEnteredForeground(func() { s.store.Dispatch(profile.Returned()) })
	s.win.SetMaster()
	s.win.SetCloseIntercept(func() { s.store.Dispatch(profile.CloseAsked()) })
	s.win.SetOnClosed(s.Close)
	if o.Trace != nil {
		s.trace = newTracer(o.Trace)
	}
	s.show(first)
	s.store.Dispatch(core.Began{})
	s.store.Dispatch(profile.Began())
	return s, nil
}

// Window is the window, for the caller to show.
func (s *Shell) Window() fyne.Window { return s.win }

// Dispatch sends a message, from any goroutine.
func (s *Shell) Dispatch(m core.Msg) { s.store.Dispatch(m) }

// State is the present state. Call it on the window's goroutine.
func (s *Shell) State() core.State { return s.store.State() }

// QuitWhen closes the window when done is closed, as by a signal.
func (s *Shell) QuitWhen(done <-chan struct{}) {
	s.runner.work.Go(func() {
		select {
		case <-done:
			s.store.Dispatch(core.Wanted(core.Quit{}))
		case <-s.runner.root.Done():
		}
	})
}

// Close ends everything that the window started and waits for it. It may be
// called more than once, always on the window's goroutine.
func (s *Shell) Close() {
	if s.closed {
		return
	}
	s.closed = true
	s.prefs.keep(s.remembered(s.store.State()), func(write func()) { write() })
	s.runner.stop()
	if err := s.opt.Engine.Close(); err != nil {
		s.opt.Log.Warn("closing", "error", err)
	}
}

// over is what has the keyboard first in the dialog that lies over the window, nil where none does.
func (s *Shell) over() fyne.Focusable {
	switch {
	case s.dialogs != nil && s.dialogs.open != nil:
		return s.dialogs.pick.Entry
	case s.dialog != nil:
		return s.dialog.at
	}
	return nil
}

// typedRune runs the command of a letter, typedKey that of a key. Below a dialog nothing of the window is meant: where
// a click beside its fields took the keyboard, what is typed is for the first of them. Esc leaves the dialog.
func (s *Shell) typedRune(r rune) {
	if !s.toDialog(func(f fyne.Focusable) { f.TypedRune(r) }) {
		s.keys.typedRune(r)
	}
}

// typedKey: see typedRune.
func (s *Shell) typedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape || !s.toDialog(func(f fyne.Focusable) { f.TypedKey(e) }) {
		s.keys.typedKey(e, s.escape)
	}
}

// typedShortcut: see typedRune. The shortcuts of commands come first, from the menus.
func (s *Shell) typedShortcut(sc fyne.Shortcut) {
	s.toDialog(func(f fyne.Focusable) {
		if f, ok := f.(fyne.Shortcutable); ok {
			f.TypedShortcut(sc)
		}
	})
}

// toDialog reports whether a dialog is open. Where nothing in it has the keyboard, what has it first gets the keyboard
// and what was typed.
func (s *Shell) toDialog(typed func(fyne.Focusable)) bool {
	f, c := s.over(), s.win.Canvas()
	if f != nil && c.Focused() == nil {
		c.Focus(f)
		if c.Focused() == f { // one that is hidden gets nothing
			typed(f)
		}
	}
	return f != nil
}

// run runs a command that a key, a menu or a chip asks for.
func (s *Shell) run(id string) { s.store.dispatchNow(core.CommandChosen{ID: id}) }

// escape leaves a dialog, the address entry, or what is foremost in the state.
func (s *Shell) escape() {
	if s.dialogs != nil && s.dialogs.dismiss() {
		return
	}
	if s.win.Canvas().Focused() != nil {
		s.win.Canvas().Unfocus()
	}
	s.store.Dispatch(core.Escaped{})
}

// changed is the store's callback: panes first, then effects.
func (s *Shell) changed(old, now core.State, effects []core.Effect) {
	if s.closed {
		return
	}
	if old.Look != now.Look || old.Scale != now.Scale {
		s.applyTheme(now)
	}
	s.showDialog(now)
	s.show(now)
	for _, e := range effects {
		if !s.runner.run(e) && !s.panes.do(e) {
			s.do(e)
		}
	}
	s.leaveHidden()
	if n := now.Notice; n != nil && n != old.Notice && n.Calm() {
		s.runner.start(core.ExpireNotice{Notice: n})
	}
	if old.Prefs() != now.Prefs() {
		s.prefs.keep(s.remembered(now), func(write func()) { s.runner.work.Go(write) })
	}
	if s.trace != nil {
		s.trace.record(s, now)
	}
}

// leaveHidden takes the keyboard from what cannot be seen any more: keys would change what nobody looks at, and the
// caret of a field would blink on, for which the window is painted.
func (s *Shell) leaveHidden() {
	f, ok := s.win.Canvas().Focused().(fyne.CanvasObject)
	if !ok {
		return
	}
	// Fyne finds what is in no visible tree at the origin, where nothing of the window takes the keyboard; and so what
	// was not painted yet, whose canvas it does not know.
	d := fyne.CurrentApp().Driver()
	if d.CanvasForObject(f) != nil && d.AbsolutePositionForObject(f).IsZero() {
		s.win.Canvas().Unfocus()
	}
}

// windowSize is the size that is remembered, in Fyne units, within reason.
//
// screen is what windows may take of the screen, in Fyne units, zero where that is not known yet: the first window
// takes most of it, and none is larger.
func windowSize(p core.Prefs, screen fyne.Size) fyne.Size {
	size := fyne.NewSize(p.Width, p.Height)
	if p.Width < 640 || p.Height < 400 || p.Width > 16_000 || p.Height > 16_000 {
		size = fyne.NewSize(1280, 700) // fits a screen of 1366 x 768 with a frame and a task bar
		if !screen.IsZero() {
			size = size.Max(fyne.NewSize(min(screen.Width*0.88, 1760), min(screen.Height*0.88, 1080)))
		}
	}
	if screen.IsZero() {
		return size
	}
	const frame = 40 // of the window, which counts too
	return size.Min(fyne.NewSize(screen.Width, screen.Height-frame))
}

// FitScreen gives the window its size on a screen, of which it may take as many px as are told on the window's
// goroutine. Call it once the window is shown: its scale is known then.
func (s *Shell) FitScreen(screen func() image.Point) {
	s.opt.Post(func() {
		px, scale := screen(), s.win.Canvas().Scale()
		if px.X <= 0 || px.Y <= 0 || scale <= 0 {
			return
		}
		size := windowSize(s.opt.Prefs, fyne.NewSize(float32(px.X)/scale, float32(px.Y)/scale))
		if size != s.win.Canvas().Size() {
			s.win.Resize(size)
		}
	})
}

// remembered is what is to be remembered of the state and the window.
func (s *Shell) remembered(st core.State) core.Prefs {
	p := st.Prefs()
	if s.opt.Look != "" && p.Look == s.opt.Look { // a flag is no choice for the next start
		p.Look = s.opt.Prefs.Look
	}
	size := s.win.Canvas().Size()
	p.Width, p.Height = size.Width, size.Height
	if s.dialogs != nil {
		p.Folder = s.dialogs.folder
	}
	p.Picture, p.Text, p.Drawer = s.panes.split.Offset, s.panes.sides.split.Offset, s.panes.drawers.split.Offset
	return p
}

// dropped opens what was dropped on the window.
func (s *Shell) dropped(_ fyne.Position, uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	s.store.Dispatch(export.FilesDropped(paths...))
}

// do does what belongs to the window itself.
func (s *Shell) do(e core.Effect) {
	switch e := e.(type) {
	case export.AskPath:
		done := func(path string) { s.store.Dispatch(export.Placed{Export: e.Export, Path: path}) }
		if e.Folder {
			s.opt.Ask.Folder(e.Name, done)
		} else {
			s.opt.Ask.File(e.Name, done)
		}
	case export.OpenFolder:
		s.openFolder(e.Path)
	case core.AskSession:
		s.opt.Ask.Session(e.Folder, func(path string) { s.store.Dispatch(core.SessionChosen(path)) })
	case steps.AskFile:
		s.opt.Ask.Existing("Upload a file", "Upload", func(path string) {
			s.store.Dispatch(steps.FilePicked{Ref: e.Ref, Path: path})
		})
	case core.CopyText:
		s.opt.App.Clipboard().SetContent(e.Text)
	case core.FullScreen:
		s.win.SetFullScreen(!s.win.FullScreen())
	case picture.StepPane:
		s.stepPane(e.By)
	case core.Quit:
		s.win.Close()
	}
}

// openFolder shows a folder in the desktop's own program for files.
func (s *Shell) openFolder(path string) {
	slashes := filepath.ToSlash(path)
	if !strings.HasPrefix(slashes, "/") {
		slashes = "/" + slashes // C:/…
	}
	if err := s.opt.App.OpenURL(&url.URL{Scheme: "file", Path: slashes}); err != nil {
		s.store.Dispatch(export.FolderFailed(path, core.ProblemOf(err)))
	}
}

func (s *Shell) applyTheme(st core.State) {
	s.opt.App.Settings().SetTheme(theme.Scaled(theme.Mode(st.Look), float32(st.Scale)))
	s.menus.column()
	if s.panes != nil {
		s.win.SetMainMenu(s.menus.main)
		s.panes.recolour()
	}
}

// modelNames are the vision models whose rules are known.
func modelNames() []string {
	var names []string
	all := vision.Models()
	for _, m := range all[:len(all)-1] { // the last is the unknown one
		names = append(names, m.Name)
	}
	return names
}
