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
	clock := trace.NewClock()
	stage := func(name string) {
		if o.Progress != nil {
			o.Progress(name)
		}
	}
	var before State
	note := func() error {
		var err error
		if before = (State{}); !o.States {
			return nil
		}
		if before, err = StateOf(ctx, tab); errors.Is(err, browser.ErrBusy) {
			return err
		}
		return nil // what is wrong will show in the capture
	}
	if err := together(
		func() error { return tab.Landed(ctx) },
		func() error { return tab.Front(ctx) },
		func() error { return findProfile(ctx, tab, &o) },
		func() error {
			if o.FullPage || !o.Settle.besides(tab) {
				return nil // it is noted after the wait
			}
			return note()
		},
	); err != nil {
		return nil, err
	}
	clock.Part(ctx, "tab")
	failed, err := applyProfile(&o)
	if err != nil {
		return nil, err
	}
	clock.Part(ctx, "profile")
	o.Collect.AllowSecrets = o.AllowSecrets
	keeper := keeperOf(tab, o)
	if keeper.settled(o.Settle) {
		again := keeper.again(ctx)
		clock.Part(ctx, "as before")
		if again != nil {
			again.Capture.Failed = failures(failed, nil, "")
			return again, again.finish(ctx, tab, o, clock, stage)
		}
	}
	var settled bool
	var why string
	var settling float64
	wait := func(ctx context.Context) error {
		at := time.Now()
		defer func() { settling = trace.Ms(time.Since(at)) }()
		var err error
		if settled, why, err = settle(ctx, tab, o.Settle); err != nil {
			return fmt.Errorf("waiting for the page to settle: %w", err)
		}
		return nil
	}
	var unsettled error
	var waiting sync.WaitGroup
	waits, stop := context.WithCancel(ctx)
	defer waiting.Wait()
	defer stop()
	read := func() {}
	if !o.FullPage && o.Settle.besides(tab) {
		read = func() {
			stage("settle")
			waiting.Go(func() { unsettled = wait(waits) })
		}
	} else {
		stage("settle")
		if err := wait(ctx); err != nil {
			return nil, err
		}
		if err := note(); err != nil {
			return nil, err
		}
		clock.Part(ctx, "settle")
	}
	if again := keeper.again(ctx); again != nil {
		clock.Part(ctx, "as before")
		again.Capture.Settled, again.Capture.Timings.Settle = settled, settling
		again.Capture.Failed = failures(failed, nil, why)
		return again, again.finish(ctx, tab, o, clock, stage)
	}
	keeper.begin(ctx, &o)
	clock.Part(ctx, "as before")
	var full *fullPage
	if o.FullPage {
		stage("enlarge")
		again := o.Settle
		if !settled {
			again.Max = unquiet
		}
		if full, err = enlarge(ctx, tab, again); err != nil {
			return nil, err
		}
		defer func() {
			if given := full.restore(ctx); given != nil {
				err = errors.Join(err, given)
			}
		}()
		clock.Part(ctx, "enlarge")
	}

	shot, err := captureOnce(ctx, tab, o, full, before, clock, stage, read)
	if err != nil {
		return nil, err
	}
	waiting.Wait()
	if unsettled != nil {
		shot.release(ctx)
		return nil, unsettled
	}
	clock.Part(ctx, "settle")
	prove := func() error {
		var beside sync.WaitGroup
		if o.Settled != nil {
			beside.Go(func() { o.Settled(ctx) })
		}
		if o.States {
			beside.Go(func() {
				if now, err := StateOf(ctx, tab); err == nil { // else it is not known, and read again
					shot.after = now
				}
			})
		}
		err := shot.proveMoment(ctx)
		beside.Wait()
		if err == nil && shot.ahead && !before.same(shot.after, true) {
			err = shot.drawAgain(ctx, tab, o)
		}
		if err != nil {
			shot.release(ctx)
		}
		clock.Part(ctx, "moment")
		return err
	}
	if err := prove(); err != nil {
		return nil, err
	}
	if shot.Capture.Moment.Torn && !o.Once {
		// Once more: most often it was the last change of a page that has just loaded.
		shot.release(ctx)
		if err := note(); err != nil {
			return nil, err
		}
		// It changes: its picture is drawn after the reading now.
		if shot, err = captureOnce(ctx, tab, o, full, State{}, clock, stage, func() {}); err != nil {
			return nil, err
		}
		if err := prove(); err != nil {
			return nil, err
		}
	}
	shot.before = before
	defer shot.release(ctx)
	shot.heard = shot.page.Listening()
	keeper.keep(ctx, shot, o.Settle, settled)
	clock.Part(ctx, "keep")
	if o.Within != nil {
		if err := o.Within(ctx, shot.page); err != nil {
			return nil, err
		}
	}
	clock.Part(ctx, "within")
	c := shot.Capture
	if full != nil {
		full.describe(c)
		if err := full.restore(ctx); err != nil {
			c.Failed = append(c.Failed, snapshot.Failure{Layer: "full page", Why: err.Error()})
		}
	}
	c.Settled = settled
	c.Timings.Settle = settling
	c.Failed = failures(failed, c.Failed, why)
	c.SecretsAllowed = o.AllowSecrets
	if err := shot.drawnFinally(); err != nil {
		return nil, err
	}
	clock.Part(ctx, "finish")
	if err := shot.finish(ctx, tab, o, clock, stage); err != nil {
		return nil, err
	}
	return shot, nil
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
func (s *Shot) finish(ctx context.Context, tab *browser.Tab, o Options, clock *trace.Clock, stage func(string)) error {
	s.Capture.Timings.Total, s.Capture.Timings.Parts = clock.Total(), clock.Parts()
	return number(ctx, tab, s, o, stage)
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

// captureOnce collects and takes the picture. full is nil but for a full page; before is the page's state now, where it
// is known. read is called when the page was read.
func captureOnce(ctx context.Context, tab *browser.Tab, o Options, full *fullPage, before State, clock *trace.Clock,
	stage func(string), read func()) (_ *Shot, err error) {
	stage("collect")
	if full != nil && full.beyond() {
		o.Collect.Area = [2]float64{full.area.W(), full.area.H()}
	}
	// A picture that needs nothing of the capture is drawn beside the reading.
	var early earlyPicture
	ahead := false
	if full == nil && !o.NoPicture && o.AnyCaret {
		early.prepare(ctx, tab)
		ahead = before.Known() && !before.moves
		if ahead {
			early.begin(ctx, tab)
		}
		drawn := ahead
		o.Collect.Walked = func() {
			if drawn {
				drawn = false // by the picture that is on its way
				return
			}
			ahead = false // another document has taken the place of the one that was drawn
			early.begin(ctx, tab)
		}
	}
	defer early.asked.Wait()
	defer early.work.Wait()
	res, err := collect.Read(ctx, tab, o.Collect)
	if err != nil {
		return nil, err
	}
	c := res.Capture
	clock.Join(c.Timings.Parts, "collect")
	shot := &Shot{Capture: c, Secrets: res.Secrets, page: res}
	defer func() {
		if err != nil {
			shot.release(ctx)
		}
	}()
	read()
	// What else is known of the page is asked for while the browser draws.
	var around sync.WaitGroup
	var missed []snapshot.Failure
	defer around.Wait()
	around.Go(func() { missed = append(beside(ctx, tab, shot), readSurface(ctx, tab, shot)...) })
	around.Go(func() { loaded(ctx, tab, shot) })
	if !early.begun {
		around.Wait()
	}
	clock.Part(ctx, "beside")
	// The elements' own ids are read while the browser draws.
	var work sync.WaitGroup
	defer work.Wait()
	var unknown error
	if o.NodeIDs || o.Store != nil || o.DebugSurface {
		work.Go(func() { unknown = res.Identify(ctx) })
	} else if o.EveryNodeID {
		work.Go(func() { unknown = res.IdentifyEvery(ctx) })
	}
	var area snapshot.Box // of the document, CSS px
	if early.work.Wait(); early.begun {
		area, err, shot.drawn, shot.ahead = early.area, early.err, early.from, ahead
		if err != nil {
			return nil, err
		}
	} else if full != nil {
		area = full.area
	} else if area, err = visible(ctx, tab); err != nil {
		return nil, fmt.Errorf("measuring the page: %w", err)
	}
	c.Viewport.Width, c.Viewport.Height = area.W(), area.H()
	var pic *picture
	if !o.NoPicture {
		stage("picture")
		at := time.Now()
		switch {
		case early.begun:
			pic, at = early.pic, early.from
		case full != nil:
			shot.drawn = at
			pic, err = full.picture(ctx, c)
		default:
			shot.drawn = at
			pic, err = takePicture(ctx, tab, area, c, !o.AnyCaret)
		}
		if err != nil {
			return nil, err
		}
		c.Timings.Screenshot = trace.Ms(time.Since(at))
		width, err := pic.width()
		if err != nil {
			return nil, err
		}
		c.Viewport.Scale = float64(width) / area.W() // image px for one CSS px of the clip
	}
	clock.Part(ctx, "picture")
	work.Wait()
	if unknown != nil {
		return nil, unknown
	}
	around.Wait()
	c.Failed = append(c.Failed, missed...)
	clock.Part(ctx, "node ids")
	if pic != nil {
		if err := shot.draw(pic, early.begun, o.Image); err != nil {
			return nil, err
		}
	}
	clock.Part(ctx, "redact the picture")
	return shot, nil
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

// release frees the objects that the capture holds in the page.
func (s *Shot) release(ctx context.Context) {
	s.waitDrawn()
	if s.page != nil {
		s.page.Release(context.WithoutCancel(ctx))
		s.page = nil
	}
}

// numberFromOne assigns the refs of a capture that is of no session.
func (s *Shot) numberFromOne(target string) {
	if !s.numbered {
		turn.NewLedger().Assign(target, 1, s.Capture)
		s.numbered = true
	}
}

// number assigns the refs and, where there is a session, writes the turn.
func number(ctx context.Context, tab *browser.Tab, shot *Shot, o Options, stage func(string)) error {
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
			shot.numberFromOne(target)
		} else {
			o.Number(shot.Capture)
		}
		return stamp()
	}
	stage("save")
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
