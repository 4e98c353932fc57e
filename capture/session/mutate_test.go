package session_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// tell tells the browser something of a tab.
func tell[P any](t testing.TB, tab *browser.Tab, command cdp.Command[P, cdp.Empty], p P) {
	t.Helper()
	_, err := cdp.Call(chrometest.Context(t), tab.Session(), command, p)
	require.NoError(t, err)
}

// persons are changes that no script makes: what a person does, and what the browser is told of its reader. The random
// number chooses how, also so that it is as it was.
var persons = []struct {
	name string
	same bool // alone it need not change what a reading gives
	do   func(testing.TB, *browser.Tab, *rand.Rand)
}{
	{"pointer", false, func(t testing.TB, tab *browser.Tab, random *rand.Rand) {
		tell(t, tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved,
			X: float64(30 + random.IntN(1200)), Y: float64(10 + random.IntN(500))})
	}},
	{"tab key", false, func(t testing.TB, tab *browser.Tab, _ *rand.Rand) {
		tell(t, tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown,
			Key: "Tab", WindowsVirtualKeyCode: 9})
	}},
	{"typing", false, func(t testing.TB, tab *browser.Tab, _ *rand.Rand) {
		tell(t, tab, input.InsertText, input.InsertTextParams{Text: "typed"})
	}},
	{"wheel", false, func(t testing.TB, tab *browser.Tab, random *rand.Rand) {
		tell(t, tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel,
			X: 200, Y: 200, DeltaX: 1, DeltaY: float64(random.IntN(400) - 100)})
	}},
	{"window", false, func(t testing.TB, tab *browser.Tab, random *rand.Rand) {
		require.NoError(t, tab.Resize(chrometest.Context(t), 900+random.IntN(300), 720))
	}},
	{"density", true, func(t testing.TB, tab *browser.Tab, random *rand.Rand) {
		tell(t, tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1000, Height: 720,
			DeviceScaleFactor: float64(1 + random.IntN(2))})
	}},
	{"pinch", true, func(t testing.TB, tab *browser.Tab, random *rand.Rand) {
		tell(t, tab, emulation.SetPageScaleFactor, emulation.SetPageScaleFactorParams{
			PageScaleFactor: float64(1 + random.IntN(2))})
	}},
	{"bars", true, func(t testing.TB, tab *browser.Tab, random *rand.Rand) {
		tell(t, tab, emulation.SetScrollbarsHidden, emulation.SetScrollbarsHiddenParams{Hidden: random.IntN(2) == 0})
	}},
	{"medium", false, func(t testing.TB, tab *browser.Tab, random *rand.Rand) {
		p := emulation.SetEmulatedMediaParams{}
		switch random.IntN(4) {
		case 0:
			p.Media = "print"
		case 1:
			for name, value := range map[string]string{"prefers-color-scheme": "dark", "prefers-reduced-motion": "reduce",
				"forced-colors": "active", "prefers-contrast": "more"} {
				if random.IntN(2) == 0 {
					p.Features = append(p.Features, &emulation.MediaFeature{Name: name, Value: value})
				}
			}
		}
		tell(t, tab, emulation.SetEmulatedMedia, p)
	}},
}

// asFound tells the browser nothing of a tab's reader any more.
func asFound(t testing.TB, tab *browser.Tab) {
	t.Helper()
	tell(t, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	tell(t, tab, emulation.SetScrollbarsHidden, emulation.SetScrollbarsHiddenParams{})
	tell(t, tab, emulation.SetPageScaleFactor, emulation.SetPageScaleFactorParams{PageScaleFactor: 1})
	require.NoError(t, tab.Resize(chrometest.Context(t), 1000, 720))
}

// changes are the kinds of change that testdata/mutate.js makes, and those of testdata/platform.js that take turns.
type changes struct {
	plain, turning []string
	same, lasting  map[string]bool // see platform.js
}

func changesOf(t testing.TB, tab *browser.Tab) *changes {
	t.Helper()
	plain, turning, ok := strings.Cut(strings.Trim(change(t, tab, -1, 0), `"`), "/")
	require.True(t, ok, plain)
	c := &changes{plain: strings.Fields(plain), same: map[string]bool{}, lasting: map[string]bool{}}
	// After these no capture of a page is given again: they are rare, so that the others are tested.
	for _, name := range []string{"widget", "closedRoot", "smil", "surface"} {
		c.lasting[name] = true
	}
	for _, name := range strings.Fields(turning) {
		bare := strings.TrimRight(name, "=!")
		c.turning = append(c.turning, bare)
		c.same[bare], c.lasting[bare] = strings.Contains(name, "="), strings.Contains(name, "!")
	}
	require.Greater(t, len(c.plain), 40)
	require.Greater(t, len(c.turning), 80)
	return c
}

// reading is what a whole walk gives, as one text.
func reading(t testing.TB, c *snapshot.Capture) string {
	t.Helper()
	b, err := json.Marshal([]any{c.URL, c.Title, c.Lang, c.Viewport, c.Scroll, c.Page, c.Frames, c.Nodes})
	require.NoError(t, err)
	return string(b)
}

// tally counts what captures with [session.TwiceVariable] showed.
type tally struct {
	last              string             // what the walk before gave
	walked            map[string]int     // by why, "twice" where the capture before would have been given again
	changed, compared int                // captures of which a whole walk gave something else; compared ones
	moved             int                // compared ones that differ, where the page changed between the two
	by                map[string]*[2]int // of a kind: how many captures gave something else, and were compared
	why               string             // of the last capture
	wholes            int                // captures compared with one that no answer before shortened
	every             int                // one of so many is
}

// whole compares a capture with one that is made of whole answers, not of what differs from the answer before. It fails
// where they differ and a third, shortened again, is the first, and a fourth, whole again, the second: an animation
// begins and ends between two of them on a busy machine.
func (y *tally) whole(t testing.TB, tab *browser.Tab, now string, did []string) {
	t.Helper()
	ctx := chrometest.Context(t)
	read := func(whole bool) string {
		frames, err := tab.KnownFrames(ctx)
		require.NoError(t, err)
		for _, f := range frames {
			if realm, err := tab.Session().Enter(ctx, f.ID); err == nil && whole {
				realm.Hold(nil)
			}
		}
		return reading(t, text(t, tab, true))
	}
	if whole := read(true); whole != now && read(false) == now && read(true) == whole {
		at := 0
		for at < min(len(now), len(whole)) && now[at] == whole[at] {
			at++
		}
		from := max(0, at-1000) // what it is about stands before it
		t.Errorf("after %q: shortened answers gave %s, whole ones %s", did, shortened(now[from:]), shortened(whole[from:]))
	}
	y.wholes++
}

// take takes a capture after these changes. It fails where the one before would have been given again wrongly.
func (y *tally) take(t testing.TB, tab *browser.Tab, page string, did []string, kinds ...string) *snapshot.Capture {
	t.Helper()
	c := text(t, tab, false)
	for _, f := range c.Failed {
		if f.Layer == session.LayerAgain {
			t.Errorf("%s, after %q: %s", page, did, shortened(f.Why))
		}
	}
	now := reading(t, c)
	twice, other := c.Timings.Walked == "twice", now != y.last
	y.last, y.why = now, c.Timings.Walked
	if y.walked[c.Timings.Walked]++; twice {
		y.compared++
	}
	if other {
		y.changed++
	}
	if twice && other {
		y.moved++
		t.Logf("%s changed between the proof and the walk, after %q", page, did[max(0, len(did)-4):])
	}
	if sum(y.walked)%y.every == 0 {
		y.whole(t, tab, now, did)
	}
	for _, k := range kinds {
		if y.by[k] == nil {
			y.by[k] = &[2]int{}
		}
		if other {
			y.by[k][0]++
		}
		if twice {
			y.by[k][1]++
		}
	}
	return c
}

func shortened(s string) string {
	if len(s) > 3000 {
		return s[:3000]
	}
	return s
}

func (y *tally) log(t testing.TB) {
	t.Helper()
	for _, why := range slices.Sorted(maps.Keys(y.walked)) {
		t.Logf("%6d %s", y.walked[why], why)
	}
	t.Logf("%d captures; of %d a whole walk gave something else; %d would have been given again and were compared, "+
		"in %d of them the page changed between the two; %d beside whole answers", sum(y.walked), y.changed, y.compared,
		y.moved, y.wholes)
}

func sum(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

func newTally() *tally { return &tally{walked: map[string]int{}, by: map[string]*[2]int{}, every: 4} }

// seedVariable and minutesVariable name the variables of the environment for other random changes, and for as long a
// time as they may take: the pages are gone through anew until it is over.
const (
	seedVariable    = "REFSCOPE_MUTATE_SEED"
	minutesVariable = "REFSCOPE_MUTATE_MINUTES"
)

// TestWhatIsGivenAgainIsThePage: whatever happens to a page between two captures, one that is given again is, byte for
// byte, what reading the page gives, and so is one that was read as what differs from the answer before. Pages are changed
// at random in every way that we know.
func TestWhatIsGivenAgainIsThePage(t *testing.T) {
	t.Setenv(session.TwiceVariable, "1")
	y := newTally()
	rounds(t, y, func(g *changer) {
		g.sequences(t, y, testneed.Cases(1, 3, 40), testneed.Cases(3, 8, 8), testpages.Own)
	})
	y.log(t)
	require.Positive(t, y.compared)
	require.Positive(t, y.wholes)
}

// TestWhatIsGivenAgainIsTheSavedPage is the same on saved pages, and longer.
func TestWhatIsGivenAgainIsTheSavedPage(t *testing.T) {
	testneed.Long(t, "captures given again of saved pages")
	t.Setenv(session.TwiceVariable, "1")
	y := newTally()
	y.every = 20 // each is three readings more
	rounds(t, y, func(g *changer) {
		for _, k := range testpages.Kinds() {
			for _, folder := range testpages.Folders(t, k) {
				g.sequences(t, y, testneed.Cases(1, 1, 12), 12,
					func(testing.TB, testpages.Kind) testpages.Folder { return folder })
			}
		}
	})
	y.log(t)
}

// atOnce is how many kinds of platform.js have a part of a page that is changed at random.
func atOnce() int { return testneed.Cases(2, 5, 5) }

// changer changes pages at random.
type changer struct {
	tab         *browser.Tab
	seed, round uint64
	end         time.Time // zero for one round, however long it takes
	kinds       *changes
}

func (g *changer) over() bool { return !g.end.IsZero() && time.Now().After(g.end) }

// rounds goes through pages once, or for as long as the environment says.
func rounds(t *testing.T, y *tally, once func(*changer)) {
	t.Helper()
	g := &changer{tab: chrome.Tab(t)}
	var err error
	if s := os.Getenv(seedVariable); s != "" {
		g.seed, err = strconv.ParseUint(s, 10, 32)
		require.NoError(t, err, seedVariable)
	}
	if s := os.Getenv(minutesVariable); s != "" {
		minutes, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err, minutesVariable)
		g.end = time.Now().Add(time.Duration(minutes * float64(time.Minute)))
	}
	t.Logf("seed %d", g.seed)
	for once(g); !g.end.IsZero() && !g.over(); once(g) {
		g.round++
		t.Logf("round %d: %d captures, %d compared", g.round, sum(y.walked), y.compared)
	}
}

// sequences changes each page that many times from its beginning, steps changes each time.
func (g *changer) sequences(t *testing.T, y *tally, times, steps int,
	of func(testing.TB, testpages.Kind) testpages.Folder) {
	t.Helper()
	seen := map[string]bool{}
	for _, k := range testpages.Kinds() {
		folder := of(t, k)
		if seen[folder.Path] {
			continue
		}
		seen[folder.Path] = true
		root := chrometest.Folder(t, folder.Path)
		for page, name := range folder.Pages(t) {
			for nth := range times {
				if g.over() {
					return
				}
				g.sequence(t, y, root+name, steps,
					rand.New(rand.NewPCG(g.seed<<32+uint64(page), g.round<<32+uint64(nth))))
			}
		}
	}
}

func (g *changer) sequence(t *testing.T, y *tally, url string, steps int, random *rand.Rand) {
	t.Helper()
	tab := g.tab
	asFound(t, tab)
	if err := tab.Navigate(chrometest.Context(t), url); err != nil {
		t.Logf("%s: %v", url, err)
		return
	}
	if g.kinds == nil {
		g.kinds = changesOf(t, tab)
	}
	kinds := g.kinds
	var did []string
	one := func(kind int) {
		all := slices.Concat(kinds.plain, kinds.turning)
		did = append(did, all[kind]+" "+change(t, tab, kind, random.Uint32()))
	}
	var parts []int
	for _, k := range random.Perm(len(kinds.turning)) {
		if kinds.lasting[kinds.turning[k]] && random.IntN(6) > 0 {
			continue
		}
		if parts = append(parts, len(kinds.plain)+k); len(parts) == atOnce() {
			break
		}
	}
	for _, kind := range parts {
		one(kind)
	}
	y.take(t, tab, url, did)
	for range steps {
		for range 1 + random.IntN(2) {
			switch random.IntN(6) {
			case 0:
				p := persons[random.IntN(len(persons))]
				p.do(t, tab, random)
				did = append(did, p.name)
			case 1, 2, 3:
				one(parts[random.IntN(len(parts))])
			default:
				if kind := random.IntN(len(kinds.plain)); !kinds.lasting[kinds.plain[kind]] || random.IntN(6) == 0 {
					one(kind)
				}
			}
		}
		for range 2 {
			y.take(t, tab, url, did)
		}
	}
}

// TestEachChangeIsSeen: each kind of change of platform.js alone changes what a whole walk gives, and after it no
// capture is given again that is another one. Once the page is quiet it is.
func TestEachChangeIsSeen(t *testing.T) {
	testneed.Long(t, "each kind of change alone")
	t.Setenv(session.TwiceVariable, "1")
	tab := chrome.Open(t, chrometest.Page(t, `<p>First</p>`))
	kinds := changesOf(t, tab)
	y := newTally()
	for k, name := range kinds.turning {
		t.Run(name, func(t *testing.T) {
			chrometest.Load(t, tab, chrometest.Page(t, `<!doctype html><title>Page</title><h1>Page</h1><button>B</button>`))
			did := []string{name}
			turn := func() {
				did = append(did, change(t, tab, len(kinds.plain)+k, 0))
				if strings.Contains(did[len(did)-1], "not done") {
					t.Errorf("%s: %s", name, did)
				}
			}
			turn()
			quiet := func() bool {
				for range 40 {
					if y.take(t, tab, name, did).Timings.Walked == "twice" {
						return true
					}
				}
				return false
			}
			forever := 0
			for range 2 {
				if !quiet() {
					forever++
				}
				turn()
				before := y.last
				y.take(t, tab, name, did, name)
				// A change may come with the next picture of the page, or later, as what runs for a time.
				for n := 0; y.last == before && n < 20 && !kinds.same[name]; n++ {
					y.take(t, tab, name, did, name)
				}
			}
			if !quiet() {
				forever++
			}
			t.Logf("%-22s effective %d, held %d, never quiet %d of 3 (%s)", name, y.by[name][0], y.by[name][1], forever, y.why)
			if !kinds.same[name] && y.by[name][0] == 0 {
				t.Errorf("%s changes nothing of a reading: %s", name, did)
			}
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, p := range persons {
		t.Run(p.name, func(t *testing.T) {
			asFound(t, tab)
			chrometest.Load(t, tab, chrometest.Page(t, `<!doctype html><input autofocus><button>B</button>
				<div style="height:3000px">`))
			for _, name := range []string{"media", "pointed"} {
				change(t, tab, len(kinds.plain)+slices.Index(kinds.turning, name), 0)
			}
			for range 12 {
				y.take(t, tab, p.name, []string{p.name})
				for n := 0; y.take(t, tab, p.name, []string{p.name}).Timings.Walked != "twice" && n < 40; n++ {
				}
				p.do(t, tab, random)
				y.take(t, tab, p.name, []string{p.name}, p.name)
			}
			t.Logf("%-22s effective %d, held %d of 12", p.name, y.by[p.name][0], y.by[p.name][1])
			if y.by[p.name][0] == 0 && !p.same {
				t.Errorf("%s changes nothing of a reading", p.name)
			}
		})
	}
	y.log(t)
}
