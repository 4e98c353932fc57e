package session

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// Options configure how a turn is taken. The zero value is a throw-away turn with the
// default settle wait.
type Options struct {
	// Store is the session that the turn is appended to; nil keeps nothing, and
	// numbers start at 1.
	Store  *turn.Store
	Settle Settle
	// Once keeps a capture during which the page changed, which is otherwise taken a second time.
	Once bool
	// NoPicture leaves the picture out.
	NoPicture bool
	// Watched leaves the tab to those who drive it: one that lies behind another is not brought to the front, and one
	// that comes to lie there has no picture.
	Watched bool
	// AnyCaret makes one picture also where a text caret blinks, which then shows or does not. Else pictures are made,
	// for up to a second or more, until the same one is sure to come every time.
	AnyCaret bool
	// States notes the page's state before and after, for [Shot.States]. A picture is then drawn while the page is
	// read, and once more where the two states differ.
	States bool
	// Image keeps the picture decoded too, for [Shot.Image].
	Image bool
	// FullPage takes the whole page and not the window's part of it, in a window that
	// is made as tall as the page meanwhile. Capture.FullPage is the result.
	FullPage bool
	// NodeIDs asks the browser for every kept element's backendNodeId, which takes it about as
	// long as the walk. A turn that is kept, or that writes to the page, has them anyway.
	NodeIDs bool
	// EveryNodeID asks for those of all other elements too: agents list some that are not kept.
	EveryNodeID bool
	// Action is what led to the turn, such as "goto"; Tool names the program.
	Action, Tool string
	Collect      collect.Options
	// Profiles are where the profile of the tab's site is looked up; nil for nowhere.
	// Its filters, redactions and waits take effect.
	Profiles *profiles.Store
	// Profile is the profile itself, where the caller has it; nothing is looked up then.
	Profile *profiles.File
	// AllowSecrets gives the values of password and code fields in Shot.Secrets. What
	// is stored, drawn and shown is redacted anyway.
	AllowSecrets bool
	PageWrites
	// Number gives the capture its numbers where there is no Store; nil counts from 1.
	Number func(c *snapshot.Capture)
	// Within is called with the reading, before it has numbers and while its elements are
	// still held in the page, so that more can be asked of them and texts can be sealed.
	Within func(ctx context.Context, res *collect.Result) error
	// Settled, where it is not nil, is called once the page has settled, beside the proof that it is still as it was
	// read; again where it is read a second time.
	Settled func(ctx context.Context)
	// BeforeSave, where it is not nil, is called when the turn is about to be saved and given
	// its number. Turns that are taken side by side wait in it for those before them; the
	// time that this takes does not count against the deadline of the context.
	BeforeSave func() error
	// Progress is called with each stage before it begins: settle, enlarge (of a full page),
	// collect, picture, save.
	// It is called from Take's own goroutine.
	Progress func(stage string)
}

// PageWrites selects what a capture leaves in the page for scripts and agents there. The zero value
// writes nothing; what is requested changes the page.
type PageWrites struct {
	// Stamp writes the numbers as data-llm-id (S-15).
	Stamp bool `json:"stamp,omitempty"`
	// DebugSurface adds window.__dddkDebug, with what an agent would be sent of the page (D-11).
	DebugSurface bool `json:"debugSurface,omitempty"`
}

// Shot is one turn as it was taken.
type Shot struct {
	N       int // number in the session, 0 where it was not kept
	Capture *snapshot.Capture
	// Picture is the clean PNG with redacted boxes filled, nil without one.
	Picture []byte
	// Left: there is none since the tab went to another document while it was drawn.
	Left bool
	// Secrets are values for the answer of the one who asked with AllowSecrets, by
	// node index; nil else. They are not part of the turn.
	Secrets collect.Secrets `json:"-"`
	// Payloads are what an agent that runs in the page was sent last, as its debug
	// surface reports them (D-11); Lacks names what it does not report.
	Payloads []turn.Payload
	Lacks    []string
	// Profile is the site profile that applied, nil for none: a turn is to keep it.
	Profile *turn.Profile

	page  *collect.Result // what still holds the page's elements
	told  told            // what the browser has told, before secrets were taken out of it for the capture
	drawn time.Time       // when the picture was asked for
	// The page's states before it was read and after, with Options.States.
	before, after State
	heard         *collect.Proof // which elements listened to being pressed
	ahead         bool           // the picture was asked for before the page was read

	numbered  bool            // it has the numbers from 1 already
	img       *image.RGBA     // Picture decoded, nil where it has to be
	drawing   *sync.WaitGroup // Picture is being made; nil for none
	undrawn   error           // why there is none
	redacting float64         // ms
}

// Drawn reports whether the browser has drawn the picture for this shot, and not for one that is given again.
func (s *Shot) Drawn() bool { return !s.drawn.IsZero() }

// States are those of the page before it was read and after, zero where they are not known; see Options.States.
func (s *Shot) States() (before, after State) { return s.before, s.after }

// Image is the picture decoded. It is not to be changed.
func (s *Shot) Image() (*image.RGBA, error) {
	switch {
	case len(s.Picture) == 0:
		return nil, errors.New("the turn has no picture")
	case s.img != nil:
		return s.img, nil
	}
	return codec.DecodePNG(s.Picture)
}

// DropImage lets go of the decoded picture, for a shot that is kept.
func (s *Shot) DropImage() { s.img = nil }

// Take takes one turn of what the tab shows now. A page that does not settle is
// taken as it is. On an error nothing was written.
func Take(ctx context.Context, tab *browser.Tab, o Options) (_ *Shot, err error) {
	defer func() { err = tab.Busy(ctx, err) }()
	t := &taking{tab: tab, o: o, clock: trace.NewClock()}
	if err := t.enter(ctx); err != nil {
		return nil, err
	}
	if t.keeper.settled(t.o.Settle) {
		if again := t.again(ctx); again != nil {
			return again, t.finish(ctx, again)
		}
	}
	waits, stop := context.WithCancel(ctx)
	defer t.waiting.Wait()
	defer stop()
	if t.beside = !o.FullPage && o.Settle.besides(tab); !t.beside {
		if err := t.settle(ctx); err != nil {
			return nil, err
		}
		if err := t.note(ctx); err != nil {
			return nil, err
		}
		t.clock.Part(ctx, "settle")
	}
	if again := t.again(ctx); again != nil {
		again.Capture.Settled, again.Capture.Timings.Settle = t.settled, t.settling
		return again, t.finish(ctx, again)
	}
	t.keeper.begin(ctx, &t.o)
	t.clock.Part(ctx, "as before")
	if o.FullPage {
		if err := t.enlarge(ctx); err != nil {
			return nil, err
		}
		defer func() {
			if given := t.full.restore(ctx); given != nil {
				err = errors.Join(err, given)
			}
		}()
	}
	shot, err := t.ofOneMoment(ctx, waits)
	if err != nil {
		return nil, err
	}
	defer shot.release(ctx)
	shot.heard = shot.page.Listening()
	t.keeper.keep(ctx, shot, o.Settle, t.settled)
	t.clock.Part(ctx, "keep")
	if o.Within != nil {
		if err := o.Within(ctx, shot.page); err != nil {
			return nil, err
		}
	}
	t.clock.Part(ctx, "within")
	if err := t.describe(ctx, shot); err != nil {
		return nil, err
	}
	if err := t.finish(ctx, shot); err != nil {
		return nil, err
	}
	return shot, nil
}

// taking is one turn while [Take] takes it.
type taking struct {
	tab    *browser.Tab
	o      Options
	clock  *trace.Clock
	keeper *keeper
	full   *fullPage          // nil but for a full page
	failed []snapshot.Failure // of the site's profile
	before State              // of the page before it is read, with [Options.States]

	beside    bool           // the page is to be read beside the wait
	waiting   sync.WaitGroup // for the wait beside
	unsettled error          // of the wait beside
	settled   bool
	why       string  // the page did not settle as its profile wants it, "" where it did
	settling  float64 // ms
}

func (t *taking) stage(name string) {
	if t.o.Progress != nil {
		t.o.Progress(name)
	}
}

// enter comes to the tab, and finds out by which profile its page is taken.
func (t *taking) enter(ctx context.Context) error {
	if err := together(
		func() error { return t.tab.Landed(ctx) },
		func() error {
			if t.o.Watched {
				return nil
			}
			return t.tab.Front(ctx)
		},
		func() error { return findProfile(ctx, t.tab, &t.o) },
		func() error {
			if t.o.FullPage || !t.o.Settle.besides(t.tab) {
				return nil // it is noted after the wait
			}
			return t.note(ctx)
		},
	); err != nil {
		return err
	}
	t.clock.Part(ctx, "tab")
	var err error
	if t.failed, err = applyProfile(&t.o); err != nil {
		return err
	}
	t.clock.Part(ctx, "profile")
	t.o.Collect.AllowSecrets = t.o.AllowSecrets
	t.keeper = keeperOf(t.tab, t.o)
	return nil
}

// note notes the state of the page, where it is asked for.
func (t *taking) note(ctx context.Context) error {
	var err error
	if t.before = (State{}); !t.o.States {
		return nil
	}
	if t.before, err = StateOf(ctx, t.tab); errors.Is(err, browser.ErrBusy) {
		return err
	}
	return nil // what is wrong will show in the capture
}

// again is the kept capture, nil where the page is to be walked.
func (t *taking) again(ctx context.Context) *Shot {
	shot := t.keeper.again(ctx)
	t.clock.Part(ctx, "as before")
	if shot != nil {
		shot.Capture.Failed = failures(t.failed, nil, t.why)
	}
	return shot
}

// settle waits until the page has settled.
func (t *taking) settle(ctx context.Context) error {
	t.stage("settle")
	return t.wait(ctx)
}

func (t *taking) wait(ctx context.Context) error {
	at := time.Now()
	var err error
	t.settled, t.why, err = settle(ctx, t.tab, t.o.Settle)
	t.settling = trace.Ms(time.Since(at))
	if err != nil {
		return fmt.Errorf("waiting for the page to settle: %w", err)
	}
	return nil
}

// settleBeside begins the wait of a page that was read beside it, once.
func (t *taking) settleBeside(waits context.Context) {
	if t.beside {
		t.beside = false
		t.stage("settle")
		t.waiting.Go(func() { t.unsettled = t.wait(waits) })
	}
}

// enlarge makes the window as tall as the page.
func (t *taking) enlarge(ctx context.Context) (err error) {
	t.stage("enlarge")
	again := t.o.Settle
	if !t.settled {
		again.Max = unquiet
	}
	t.full, err = enlarge(ctx, t.tab, again)
	t.clock.Part(ctx, "enlarge")
	return err
}

// ofOneMoment reads the page and draws it, and once more where it changed meanwhile: most often it was the last change
// of a page that has just loaded. waits is for the wait that goes on beside.
func (t *taking) ofOneMoment(ctx, waits context.Context) (*Shot, error) {
	shot, err := t.once(ctx, waits, true)
	if err != nil {
		return nil, err
	}
	if shot.Capture.Moment.Torn && !t.o.Once {
		shot.release(ctx)
		if err := t.note(ctx); err != nil {
			return nil, err
		}
		// It changes: its picture is drawn after the reading now.
		if shot, err = t.once(ctx, waits, false); err != nil {
			return nil, err
		}
	}
	shot.before = t.before
	return shot, nil
}

// once reads the page and draws it, and notes whether that is of one moment. ahead: the picture may be drawn before the
// page is read.
func (t *taking) once(ctx, waits context.Context, ahead bool) (*Shot, error) {
	shot, err := t.capture(ctx, waits, ahead && t.before.Known() && !t.before.moves)
	if err != nil {
		return nil, err
	}
	t.waiting.Wait()
	if err = t.unsettled; err == nil {
		t.clock.Part(ctx, "settle")
		err = t.prove(ctx, shot)
		t.clock.Part(ctx, "moment")
	}
	if err == nil && shot.page.Left() {
		shot.withoutPicture()
	}
	if err != nil {
		shot.release(ctx)
		return nil, err
	}
	return shot, nil
}

// prove notes whether the page is still as it was read and drawn.
func (t *taking) prove(ctx context.Context, shot *Shot) error {
	var beside sync.WaitGroup
	if t.o.Settled != nil {
		beside.Go(func() { t.o.Settled(ctx) })
	}
	if t.o.States {
		beside.Go(func() {
			if now, err := StateOf(ctx, t.tab); err == nil { // else it is not known, and read again
				shot.after = now
			}
		})
	}
	err := shot.proveMoment(ctx)
	beside.Wait()
	if err == nil && shot.ahead && !t.before.same(shot.after, true) {
		err = shot.drawAgain(ctx, t.tab, t.o)
	}
	return err
}

// describe completes the capture of a shot whose moment is known.
func (t *taking) describe(ctx context.Context, shot *Shot) error {
	c := shot.Capture
	if t.full != nil {
		t.full.describe(c)
		if err := t.full.restore(ctx); err != nil {
			c.Failed = append(c.Failed, snapshot.Failure{Layer: "full page", Why: err.Error()})
		}
	}
	c.Settled, c.Timings.Settle = t.settled, t.settling
	c.Failed = failures(t.failed, c.Failed, t.why)
	c.SecretsAllowed = t.o.AllowSecrets
	err := shot.drawnFinally()
	t.clock.Part(ctx, "finish")
	return err
}

// failures are those of the site's profile, of the reading, and of the wait; why is the last one's reason, "" for none.
func failures(profile, reading []snapshot.Failure, why string) []snapshot.Failure {
	all := append(profile, reading...)
	if why != "" {
		all = append(all, snapshot.Failure{Layer: "settle", Why: why})
	}
	return all
}

// finish ends the time of a turn and gives it its numbers.
func (t *taking) finish(ctx context.Context, shot *Shot) error {
	shot.Capture.Timings.Total, shot.Capture.Timings.Parts = t.clock.Total(), t.clock.Parts()
	return t.number(ctx, shot)
}

// proveMoment notes whether the page is still as it was read and drawn.
func (s *Shot) proveMoment(ctx context.Context) error {
	m, err := s.page.Moment(ctx)
	if err != nil {
		return fmt.Errorf("checking the moment: %w", err)
	}
	m.Torn = m.Torn || s.Drawn() && s.page.FramesChanged(s.drawn)
	s.Capture.Moment = m
	return nil
}

// together does what does not depend on each other, and gives the first error in their order.
func together(all ...func() error) error {
	errs := make([]error, len(all))
	var work sync.WaitGroup
	for i, do := range all {
		work.Go(func() { errs[i] = do() })
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// drawAgain draws the picture of a page that may have changed between the picture and the reading, after the reading.
func (s *Shot) drawAgain(ctx context.Context, tab *browser.Tab, o Options) error {
	if err := s.drawnFinally(); err != nil {
		return err
	}
	s.drawn, s.ahead, s.after = time.Now(), false, State{}
	area := s.Capture.Viewport.Box()
	now, err := visible(ctx, tab)
	if err != nil {
		return fmt.Errorf("measuring the page: %w", err)
	}
	if now.W() != area.W() || now.H() != area.H() {
		s.Capture.Moment.Torn = true // the window has another size: the picture is of before
		return nil
	}
	pic, err := takePicture(ctx, tab, now, s.Capture, false)
	if err != nil {
		return err
	}
	s.Capture.Timings.Screenshot = trace.Ms(time.Since(s.drawn))
	if err := s.draw(pic, false, o.Image); err != nil {
		return err
	}
	return s.proveMoment(ctx)
}

// capture reads the page and takes the picture. ahead: that may be drawn before the page is read. waits is for the wait
// that begins once it was.
func (t *taking) capture(ctx, waits context.Context, ahead bool) (_ *Shot, err error) {
	t.stage("collect")
	o := t.o.Collect
	if t.full != nil && t.full.beyond() {
		o.Area = [2]float64{t.full.area.W(), t.full.area.H()}
	}
	// A picture that needs nothing of the capture is drawn beside the reading; in the tab of another client it depends
	// on what is emulated there, see [fillsWindow].
	var early earlyPicture
	if t.full == nil && !t.o.NoPicture && t.o.AnyCaret && t.tab.Own() {
		o.Walked = early.beside(ctx, t.tab, ahead)
	}
	defer early.asked.Wait()
	defer early.work.Wait()
	res, err := collect.Read(ctx, t.tab, o)
	if err != nil {
		return nil, err
	}
	c := res.Capture
	t.clock.Join(c.Timings.Parts)
	shot := &Shot{Capture: c, Secrets: res.Secrets, page: res}
	defer func() {
		if err != nil {
			shot.release(ctx)
		}
	}()
	t.settleBeside(waits)
	// What else is known of the page is asked for while the browser draws.
	var around sync.WaitGroup
	var missed []snapshot.Failure
	defer around.Wait()
	around.Go(func() { missed = append(beside(ctx, t.tab, shot), readSurface(ctx, t.tab, shot)...) })
	around.Go(func() { loaded(ctx, t.tab, shot) })
	if !early.begun && !t.o.NoPicture {
		around.Wait()
	}
	t.clock.Part(ctx, "beside")
	// The elements' own ids are read while the browser draws.
	var work sync.WaitGroup
	defer work.Wait()
	var unknown error
	if t.o.NodeIDs || t.o.Store != nil || t.o.DebugSurface {
		work.Go(func() { unknown = res.Identify(ctx) })
	} else if t.o.EveryNodeID {
		work.Go(func() { unknown = res.IdentifyEvery(ctx) })
	}
	pic, err := t.picture(ctx, shot, &early)
	if err != nil {
		return nil, err
	}
	t.clock.Part(ctx, "picture")
	work.Wait()
	if unknown != nil {
		return nil, unknown
	}
	around.Wait()
	c.Failed = append(c.Failed, missed...)
	t.clock.Part(ctx, "node ids")
	if pic != nil {
		if err := shot.draw(pic, early.begun, t.o.Image); err != nil {
			return nil, err
		}
	}
	t.clock.Part(ctx, "redact the picture")
	return shot, nil
}

// picture takes the picture of a page that was read, nil where none is wanted, and notes what of the page it shows.
func (t *taking) picture(ctx context.Context, shot *Shot, early *earlyPicture) (pic *picture, err error) {
	c, at := shot.Capture, time.Now()
	var area snapshot.Box // of the document, CSS px
	if early.work.Wait(); early.begun {
		area, err, at, shot.ahead = early.area, early.err, early.from, early.ahead
	} else if t.full != nil {
		area = t.full.area
	} else if area, err = visible(ctx, t.tab); err != nil {
		err = fmt.Errorf("measuring the page: %w", err)
	}
	if err != nil {
		return nil, err
	}
	c.Viewport.Width, c.Viewport.Height = area.W(), area.H()
	if t.o.NoPicture {
		return nil, nil
	}
	t.stage("picture")
	if !early.begun {
		at = time.Now()
	}
	shot.drawn = at
	switch {
	case early.begun:
		pic = early.pic
	case t.full != nil:
		pic, err = t.full.picture(ctx, c)
	default:
		pic, err = t.whileSeen(ctx, func(ctx context.Context) (*picture, error) {
			return takePicture(ctx, t.tab, area, c, !t.o.AnyCaret)
		})
	}
	if pic == nil {
		shot.drawn = time.Time{}
		return nil, err
	}
	c.Timings.Screenshot = trace.Ms(time.Since(at))
	width, err := pic.width()
	if err != nil {
		return nil, err
	}
	c.Viewport.Scale = float64(width) / area.W() // image px for one CSS px of the clip
	return pic, nil
}

// seenEach is how often a tab is asked whether it is seen while its picture is not there.
const seenEach = 50 * time.Millisecond

// seenFor is how long a picture may take before the page's frames are counted.
const seenFor = time.Second

// behindAfter is how many frames a page may draw then while its picture is not there. One that passes for seen and lies
// behind another, as Playwright's emulation of the focus makes it, draws on, and its picture comes only once it is in
// front.
const behindAfter = `new Promise((drawn) => {
	let left = 120;
	const next = () => (left-- ? requestAnimationFrame(next) : drawn('behind'));
	next();
})`

// whileSeen draws the picture; nil where the tab lies behind another one then, if that is left as it is: the picture
// may never come, or be an older one.
func (t *taking) whileSeen(ctx context.Context, draw func(ctx context.Context) (*picture, error)) (*picture, error) {
	if !t.o.Watched {
		return draw(ctx)
	}
	hidden := func(ctx context.Context) bool {
		state, err := t.tab.Session().Eval(ctx, t.tab.ID(), "document.visibilityState")
		return err == nil && state == "hidden"
	}
	drawing, cancel := context.WithCancel(ctx)
	defer cancel()
	var looking sync.WaitGroup
	looking.Go(func() {
		for !hidden(drawing) {
			if browser.Pause(drawing, seenEach) != nil {
				return
			}
		}
		cancel()
	})
	behind := false
	looking.Go(func() {
		if browser.Pause(drawing, seenFor) != nil {
			return
		}
		state, err := t.tab.Session().Await(drawing, t.tab.ID(), behindAfter)
		if behind = err == nil && state == "behind"; behind {
			cancel()
		}
	})
	pic, err := draw(drawing)
	cancel()
	looking.Wait()
	if behind && err != nil || hidden(ctx) {
		return nil, nil
	}
	return pic, err
}

// draw makes the shot's picture of one that was taken; beside: while other work is done, until [Shot.drawnFinally].
// decoded: the image is wanted too.
func (s *Shot) draw(pic *picture, beside, decoded bool) error {
	at := time.Now()
	boxes, scale := withheld(s.Capture), s.Capture.Viewport.Scale
	s.drawing = &sync.WaitGroup{}
	s.drawing.Go(func() {
		if s.undrawn = pic.fill(boxes, scale); s.undrawn == nil && decoded {
			s.undrawn = pic.decode()
		}
		if s.undrawn == nil {
			s.img = pic.img
			s.Picture, s.undrawn = pic.encoded()
		}
		s.redacting = trace.Ms(time.Since(at))
	})
	if beside {
		return nil
	}
	return s.drawnFinally()
}

// waitDrawn waits until nothing is drawing any more.
func (s *Shot) waitDrawn() {
	if s.drawing != nil {
		s.drawing.Wait()
	}
}

// drawnFinally waits until the picture is as it may be stored.
func (s *Shot) drawnFinally() error {
	s.waitDrawn()
	s.Capture.Timings.Redact = s.redacting
	return s.undrawn
}

// withoutPicture drops the picture, which may be of the document that the tab went to: neither what it shows nor where
// something is withheld in it is known.
func (s *Shot) withoutPicture() {
	if s.waitDrawn(); len(s.Picture) == 0 {
		return
	}
	s.Picture, s.img, s.undrawn, s.drawn, s.Left = nil, nil, nil, time.Time{}, true
	s.Capture.Failed = append(s.Capture.Failed, snapshot.Failure{Layer: "picture",
		Why: "the tab went to another page while it was drawn, and may have shown that"})
}

// release frees the objects that the capture holds in the page.
func (s *Shot) release(ctx context.Context) {
	s.waitDrawn()
	if s.page != nil {
		s.page.Release(ctx)
		s.page = nil
	}
}

// numberFromOne assigns the refs of a capture that is of no session.
func (s *Shot) numberFromOne() {
	if !s.numbered {
		turn.NumberFromOne(s.Capture)
		s.numbered = true
	}
}

// number assigns the refs and, where there is a session, writes the turn.
func (t *taking) number(ctx context.Context, shot *Shot) error {
	o, tab := t.o, t.tab
	target := tab.ID()
	if o.Profile != nil {
		shot.Profile = &turn.Profile{Name: o.Profile.Domain, Bytes: []byte(o.Profile.Text)}
	}
	stamp := func() error {
		if o.Stamp {
			if err := shot.page.Stamp(ctx); err != nil {
				return err
			}
		}
		if o.DebugSurface {
			return writeSurface(ctx, tab, shot)
		}
		return nil
	}
	if o.Store == nil {
		if o.Number == nil {
			shot.numberFromOne()
		} else {
			o.Number(shot.Capture)
		}
		return stamp()
	}
	t.stage("save")
	if o.BeforeSave != nil {
		if err := o.BeforeSave(); err != nil {
			return fmt.Errorf("saving the turn: %w", err)
		}
		ctx = context.WithoutCancel(ctx) // its deadline may be over, and it ended with BeforeSave else
	}
	rec, err := o.Store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
		l.Assign(target, l.NextTurn(), shot.Capture)
		if err := stamp(); err != nil {
			return nil, err
		}
		rec := &turn.Record{
			Capture: shot.Capture, Picture: shot.Picture, Action: o.Action,
			Meta: turn.Meta{Tool: o.Tool, Target: target}, Payloads: shot.Payloads, Lacks: shot.Lacks,
			Profile: shot.Profile,
		}
		return rec, nil
	})
	if err != nil {
		return fmt.Errorf("saving the turn: %w", err)
	}
	shot.N = rec.N
	tab.NetworkSaved(shot.Capture.Network)
	return nil
}
