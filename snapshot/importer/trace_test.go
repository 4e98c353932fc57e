package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
)

const options10 = `{"version":10,"type":"context-options","origin":"library","browserName":"chromium",` +
	`"playwrightVersion":"1.65.1","options":{"viewport":{"width":640,"height":400}},"wallTime":1795273168838,` +
	`"monotonicTime":1000}`

// click is an action with a snapshot after it.
func click(call, html string) string {
	return fmt.Sprintf(`{"type":"before","callId":%[1]q,"startTime":1010,"class":"Frame","method":"click","params":{"selector":"#x"}}
{"type":"after","callId":%[1]q,"endTime":1020}
`, call) + snap(call, html)
}

func snap(call, html string) string {
	return fmt.Sprintf(`{"type":"frame-snapshot","snapshot":{"callId":%q,"phase":"after","pageId":"page@1",`+
		`"frameId":"frame@1","frameUrl":"https://a.example/","html":%s,"viewport":{"width":640,"height":400},`+
		`"timestamp":1021,"isMainFrame":true}}`+"\n", call, html)
}

func traceOf(t testing.TB, lines ...string) []byte {
	return zipped(t, file{"trace.trace", strings.Join(lines, "\n")})
}

// texts are the kept nodes' texts of the last turn.
func texts(rec *turn.Record) string {
	var out []string
	for _, n := range rec.Capture.Nodes {
		if n.Text != "" {
			out = append(out, n.Tag+":"+n.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestSnapshotReferences(t *testing.T) {
	for name, x := range map[string]struct {
		snapshots []string
		want      string // texts of the last turn
		damage    string
	}{
		"a text": {[]string{`["HTML",{},["BODY",{},["P",{},"one"]]]`,
			`["HTML",{},["BODY",{},["P",{},[[1,0]]],["P",{},"two"]]]`}, "p:one p:two", ""},
		"an element": {[]string{`["HTML",{},["BODY",{},["P",{},"one"],["P",{},"two"]]]`,
			`["HTML",{},["BODY",{},[[1,3]],[[1,1]]]]`}, "p:two p:one", ""},
		"all of it": {[]string{`["HTML",{},["BODY",{},["P",{},"one"]]]`, `[[1,3]]`, `[[2,3]]`}, "p:one", ""},
		"references do not count": {[]string{`["HTML",{},["BODY",{},["P",{},"one"]]]`,
			`["HTML",{},["BODY",{},[[1,1]],["P",{},"two"]]]`, `["HTML",{},["BODY",{},[[1,1]],[[2,1]]]]`}, "p:two p:one", ""},
		"beyond the first": {[]string{`["HTML",{},["BODY",{},[[1,0]],["P",{},"one"]]]`}, "p:one", "1 parts"},
		"no such node": {[]string{`["HTML",{},["BODY",{},"x"]]`, `["HTML",{},["BODY",{},[[1,99]],["P",{},"two"]]]`},
			"p:two", "1 parts"},
		"itself": {[]string{`["HTML",{},["BODY",{},[[0,0]],["P",{},"one"]]]`}, "p:one", "1 parts"},
		"nonsense": {[]string{`["HTML",{},["BODY",{},[[-1,0]],[[1.5,"x"]],[[]],[],7,null,{},["P",[],"no ` +
			`attributes"],["P",{},"one"]]]`}, "p:no attributes p:one", "3 parts"},
		"white space": {[]string{"[\"HTML\",{},[\"BODY\",{},\"\\n \",[\"P\",{},\"\\n one\\t\",[\"B\",{},\"two\"],\" " +
			"\\n\"],[\"PRE\",{},\" a\\n  b\"]]]"}, "p:one b:two pre: a\n  b", ""},
		"not an element": {[]string{`"text"`, `["HTML",{},["BODY",{},["P",{},"one"]]]`}, "p:one", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			lines := []string{options10}
			for i, s := range x.snapshots {
				lines = append(lines, click(fmt.Sprint("call@", i), s))
			}
			all, rep, err := readAll(t, traceOf(t, lines...), nil)
			require.NoError(t, err)
			require.Equal(t, x.want, texts(all[len(all)-1]))
			if x.damage == "" {
				require.Empty(t, rep.Damage)
			} else {
				require.Contains(t, strings.Join(rep.Damage, "\n"), x.damage)
			}
		})
	}
}

// TestDamagedEvents: a line that cannot be read is counted and named, the rest is read,
// and no reference is resolved to a part of the wrong snapshot.
func TestDamagedEvents(t *testing.T) {
	first := click("a", `["HTML",{},["BODY",{},["P",{},"one"],["P",{},"two"]]]`)
	second := click("b", `["HTML",{},["BODY",{},["P",{},"three"],[[1,3]]]]`)
	third := click("c", `["HTML",{},["BODY",{},[[1,1]],[[2,3]]]]`)
	last := func(t *testing.T, lines ...string) (*turn.Record, *Report) {
		all, rep, err := readAll(t, traceOf(t, lines...), nil)
		require.NoError(t, err)
		return all[len(all)-1], rep
	}
	rec, rep := last(t, options10, first, second, third)
	require.Equal(t, "p:three p:two", texts(rec))
	require.Empty(t, rep.Damage)

	t.Run("the snapshot before", func(t *testing.T) {
		broken := strings.Replace(second, `["BODY"`, `["BO`+"\x00", 1)
		rec, rep := last(t, options10, first, broken, third)
		require.Equal(t, "p:two", texts(rec), "the part of the lost snapshot is lost, that of the first is found")
		require.Contains(t, rep.Damage[0], "trace.trace, line 8 is no event")
		require.Contains(t, strings.Join(rec.Lacks, "\n"), "1 parts of this page could not be read")
	})
	t.Run("a line without a name", func(t *testing.T) {
		broken := strings.Replace(second,
			`{"type":"frame-snapshot","snapshot":{"callId":"b","phase":"after","pageId":"page@1","frameId":"frame@1"`, `{"ty\\`,
			1)
		rec, rep := last(t, options10, first, broken, third)
		require.Equal(t, "", texts(rec), "which snapshot is meant is not sure any more")
		require.Contains(t, strings.Join(rep.Damage, "\n"), "2 parts of the snapshot refer to what could not be read")
	})
	t.Run("a line of another kind", func(t *testing.T) {
		rec, rep := last(t, options10, first, `{"type":"log","callId":"a","message":`, second, third)
		require.Equal(t, "p:three p:two", texts(rec))
		require.Len(t, rep.Damage, 1)
	})
	t.Run("many", func(t *testing.T) {
		_, rep := last(t, options10, strings.Repeat("{\n", 100), first)
		require.Len(t, rep.Damage, maxNamed+1)
		require.Equal(t, "95 more events", rep.Damage[maxNamed])
	})
	t.Run("too long", func(t *testing.T) {
		_, rep := last(t, options10, `{"x":"`+noise(maxLine)+`"}`, first)
		require.Contains(t, rep.Damage[0], "line 2 is longer than")
	})
}

// TestFiles: what is wrong with a file as a whole is one clear sentence; what is whole is
// read all the same.
func TestFiles(t *testing.T) {
	good := click("a", `["HTML",{},["BODY",{},["P",{},"one"]]]`)
	sample, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(t, err)
	shot := `{"type":"screencast-frame","pageId":"page@1","sha1":"s","width":640,"height":400,"timestamp":1015}`
	for name, x := range map[string]struct {
		data   []byte
		err    error
		says   string // in the error
		turns  int
		damage string
	}{
		"nothing":               {nil, ErrUnknown, "neither", 0, ""},
		"a text":                {[]byte("hello"), ErrUnknown, "neither", 0, ""},
		"other JSON":            {[]byte(`{"a":1}`), ErrUnknown, "neither", 0, ""},
		"a zip of other things": {zipped(t, file{"a.txt", "x"}), ErrUnknown, "neither", 0, ""},
		"a session of ours":     {zipped(t, file{"session.json", "{}"}), ErrUnknown, "session of our own", 0, ""},
		"an empty trace":        {zipped(t, file{"trace.trace", ""}), ErrEmpty, "no turn", 0, ""},
		"cut off":               {sample[:len(sample)/2], nil, "", 9, "the zip is cut off"},
		"cut off in the events": {sample[:4000], nil, "", 5, "trace.trace breaks off after line"},
		"cut off at once":       {sample[:20], nil, "cut off or damaged", 0, ""},
		"a newer version": {traceOf(t, strings.Replace(options10, `"version":10`, `"version":11`, 1), good), ErrNewer,
			"trace version 11, versions 3 to 10 are read", 0, ""},
		"an older version": {traceOf(t, strings.Replace(options10, `"version":10`, `"version":2`, 1), good), ErrUnknown,
			"version is 2", 0, ""},
		"a bomb": {traceOf(t, options10, strings.Repeat(" ", 40<<20)), ErrTooLarge, "times its size", 0, ""},
		"names that climb": {zipped(t, file{"../../trace.trace", options10 + "\n" + good}, file{"/etc/passwd", "x"},
			file{`C:\x`, "x"}), nil, "", 1, ""},
		"the same name twice": {zipped(t, file{"trace.trace", options10 + "\n" + good}, file{"trace.trace", "{"}), nil, "", 1,
			"two files trace.trace"},
		"no picture": {traceOf(t, options10, shot, good), nil, "", 1, "picture s: it is not in the zip"},
		"no PNG": {zipped(t, file{"trace.trace", options10 + "\n" + shot + "\n" + good},
			file{"resources/s", "GIF89a"}), nil, "", 1, "no PNG, JPEG or WebP"},
		"a picture bomb": {zipped(t, file{"trace.trace", options10 + "\n" + shot + "\n" + good},
			file{"resources/s", pngHeader(60000, 60000)}), nil, "", 1, "declares 60000 by 60000 px"},
		"a broken picture": {zipped(t, file{"trace.trace", options10 + "\n" + shot + "\n" + good},
			file{"resources/s", pngHeader(6, 6)}), nil, "", 1, "cannot be decoded as PNG"},
		"a flipped bit": {flipped(t, traceOf(t, options10, good)), nil, "", 1, "checksum of trace.trace is wrong"},
		"no clock":      {traceOf(t, good), nil, "", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all, rep, err := readAll(t, x.data, nil)
			if x.err != nil {
				require.ErrorIs(t, err, x.err)
			}
			if x.says != "" {
				require.ErrorContains(t, err, x.says)
				require.NotContains(t, err.Error(), "\n")
			} else {
				require.NoError(t, err)
			}
			require.Len(t, all, x.turns)
			if x.damage == "" {
				require.True(t, rep == nil || len(rep.Damage) == 0)
			} else {
				require.Contains(t, strings.Join(rep.Damage, "\n"), x.damage)
			}
		})
	}
}

// flipped is a stored zip whose events have one bit other than their checksum says.
func flipped(t testing.TB, data []byte) []byte {
	out := bytes.Clone(data)
	at := bytes.Index(out, []byte("PK\x01\x02")) // the directory: its checksum is at 16
	require.Positive(t, at)
	out[at+16] ^= 1
	return out
}

// pngHeader is a PNG of that size without its pixels.
func pngHeader(w, h uint32) string {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	b = append(b, byte(w>>24), byte(w>>16), byte(w>>8), byte(w), byte(h>>24), byte(h>>16), byte(h>>8), byte(h), 8, 2, 0, 0,
		0)
	sum := crc(b[12:])
	return string(append(b, byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum)))
}

// TestManifold: snapshots that refer to one another many times over stand for pages of
// any size; what is read is bounded, and said.
func TestManifold(t *testing.T) {
	testneed.Long(t, "a trace that grows twofold at each step")
	double := func(n int) []string {
		lines := []string{options10, click("0", `["HTML",{},["DIV",{},["P",{},"x"]]]`)}
		at := 2 // the node of the div
		for i := 1; i < n; i++ {
			lines = append(lines, click(fmt.Sprint(i), fmt.Sprintf(`["HTML",{},["DIV",{},[[1,%d]],[[1,%d]]]]`, at, at)))
			at = 0
		}
		return lines
	}
	all, _, err := readAll(t, traceOf(t, double(19)...), nil)
	require.NoError(t, err)
	require.Len(t, all, 19)
	c := all[18].Capture
	require.Len(t, c.Nodes, maxNodes)
	require.True(t, hasFailure(c, snapshot.LayerWalk))

	deep := []string{options10, click("0", `["HTML",{},["DIV",{}]]`)}
	for i := 1; i < 2_000; i++ {
		deep = append(deep, snap(fmt.Sprint(i), `["HTML",{},["DIV",{},[[1,0]]]]`))
	}
	deep = append(deep, click("end", `["HTML",{},[[1,0]]]`))
	all, _, err = readAll(t, traceOf(t, deep...), nil)
	require.NoError(t, err)
	c = all[len(all)-1].Capture
	require.Len(t, c.Nodes, maxDepth+1)
	require.True(t, hasFailure(c, snapshot.LayerWalk))

	wide := `["HTML",{},["P",{},` + strings.TrimSuffix(strings.Repeat(`"word ",`, 400_000), ",") + `]]`
	all, _, err = readAll(t, traceOf(t, options10, click("a", wide),
		click("b", `["HTML",{},`+strings.TrimSuffix(strings.Repeat(`[[1,400000]],`, 1000), ",")+`]`)), nil)
	require.NoError(t, err)
	require.True(t, hasFailure(all[1].Capture, snapshot.LayerWalk))

	nested := strings.Repeat(`["DIV",{},`, 9_000) + `"x"` + strings.Repeat(`]`, 9_000)
	_, rep, err := readAll(t, traceOf(t, options10, click("a", nested), click("b", strings.Repeat("[", 20_000))), nil)
	require.NoError(t, err)
	require.NotEmpty(t, rep.Damage)
}

func hasFailure(c *snapshot.Capture, layer string) bool {
	for _, f := range c.Failed {
		if f.Layer == layer {
			return true
		}
	}
	return false
}

// TestSlots: the composed tree has a shadow root's content in place of its host's
// children, each slot followed by what it takes.
func TestSlots(t *testing.T) {
	one := strings.NewReplacer("\n", "", "\t", "").Replace(`["HTML",{},["BODY",{},["X-CARD",{},
		["template",{"__playwright_shadow_root_":"open"},["H2",{},"Head"],["SLOT",{"name":"b"}],["SLOT",{},["P",{},"fallback"]],["SLOT",{"name":"none"},["P",{},"empty"]]],
		["P",{},"first"],["P",{"slot":"b"},"second"],["P",{"slot":"lost"},"third"]],
		["DETAILS",{},["P",{},"inside"],["SUMMARY",{},"More"]],
		["DIV",{"hidden":""},["P",{},"hidden"]],["P",{"style":"color:red;display:none !important"},"styled"],["P",{"class":"x dddk-skip"},"skipped"]]]`)
	all, _, err := readAll(t, traceOf(t, options10, click("a", one)), nil)
	require.NoError(t, err)
	var got []string
	for _, n := range all[0].Capture.Nodes {
		if n.Text != "" {
			got = append(got, fmt.Sprintf("%s %s %s", n.Text, n.Verdict, n.Shadow))
		}
	}
	require.Equal(t, []string{"Head ref open", "second content ", "first content ", "empty content open",
		"third display-none ",
		"More ref ", "inside content-hidden ", "hidden display-none ", "styled display-none ", "skipped opt-out "}, got)
}

// TestOldVersions reads the same story as versions 3 to 9 tell it, by the shapes that
// Playwright's viewer converts; these traces are written here, not recorded.
func TestOldVersions(t *testing.T) {
	options := func(v int) string {
		return fmt.Sprintf(`{"version":%d,"type":"context-options","browserName":"chromium",`+
			`"options":{"viewport":{"width":640,"height":400}},"wallTime":1795273168838,"monotonicTime":1000}`, v)
	}
	shot := `{"type":"screencast-frame","pageId":"page@1","sha1":"pic","width":640,"height":400,"timestamp":1020}`
	named := strings.Replace(strings.Replace(snap("call@7",
		`["HTML",{},["BODY",{},["INPUT",{"type":"password","__playwright_value_":"Hunter2x",`+
			`"__playwright_target__":"call@7"}]]]`), `"phase":"after"`, `"snapshotName":"after@call@7"`, 1), "\n", "", 1)
	fill := `"params":{"selector":"#pw","value":"Hunter2x"}`
	for version, lines := range map[int][]string{
		3: {`{"type":"action","metadata":{"id":"call@7","type":"Frame","method":"fill",` + fill +
			`,"startTime":1010,"endTime":1020,"log":["fill(\"Hunter2x\")"],"snapshots":[{"title":"before",` +
			`"snapshotName":"before@call@7"},{"title":"after","snapshotName":"after@call@7"}],"pageId":"page@1"}}`,
			`{"type":"event","metadata":{"type":"ConsoleMessage","method":"__create__","params":{"guid":"g",` +
				`"initializer":{"type":"log","text":"hi ` +
				`Hunter2x","location":{"url":"","lineNumber":1}}},"startTime":1012,"pageId":"page@1"}}`},
		4: {`{"type":"action","callId":"call@7","class":"Frame","method":"fill",` + fill +
			`,"startTime":1010,"endTime":1020,"log":["fill(\"Hunter2x\")"],"beforeSnapshot":"before@call@7",` +
			`"afterSnapshot":"after@call@7","pageId":"page@1"}`,
			`{"type":"object","class":"ConsoleMessage","guid":"g","initializer":{"type":"log","text":"hi ` +
				`Hunter2x","location":{"url":"","lineNumber":1}}}`,
			`{"type":"event","class":"Page","method":"console","time":1012,"params":{"message":{"guid":"g"}},` +
				`"pageId":"page@1"}`},
		5: {`{"type":"before","callId":"call@7","class":"Frame","method":"fill",` + fill +
			`,"startTime":1010,"beforeSnapshot":"before@call@7","pageId":"page@1"}`,
			`{"type":"after","callId":"call@7","endTime":1020,"log":["fill(\"Hunter2x\")"],"afterSnapshot":"after@call@7"}`,
			`{"type":"console","messageType":"log","text":"hi ` +
				`Hunter2x","time":1012,"pageId":"page@1","location":{"url":"","lineNumber":1}}`},
		8: {`{"type":"before","callId":"call@7","title":"Fill","class":"Frame","method":"fill",` + fill +
			`,"startTime":1010,"beforeSnapshot":"before@call@7","pageId":"page@1"}`,
			`{"type":"log","callId":"call@7","time":1011,"message":"fill(\"Hunter2x\")"}`,
			`{"type":"after","callId":"call@7","endTime":1020,"afterSnapshot":"after@call@7"}`,
			`{"type":"console","messageType":"log","text":"hi ` +
				`Hunter2x","time":1012,"pageId":"page@1","location":{"url":"","lineNumber":1}}`},
	} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			data := zipped(t, file{"trace.trace", strings.Join(append([]string{options(version), named, shot}, lines...), "\n")},
				file{"resources/pic", string(sampleShot(t))})
			all, rep, err := readAll(t, data, nil)
			require.NoError(t, err)
			require.Empty(t, rep.Damage)
			require.Len(t, all, 1)
			rec := all[0]
			require.Equal(t, "fill #pw [redacted: password]", rec.Action)
			require.NotNil(t, rec.Picture)
			require.Equal(t, "2026-11-21T14:59:28.859Z", rec.Capture.TakenAt.Format("2006-01-02T15:04:05.000Z07:00"))
			require.Len(t, rec.Capture.Console, 1)
			require.Equal(t, "hi [redacted]", rec.Capture.Console[0].Text)
			require.Contains(t, string(rec.Answer), `fill(\"[redacted]\")`)
			out, err := json.Marshal(rec)
			require.NoError(t, err)
			require.NotContains(t, string(out), "Hunter2x")
		})
	}
}

// sampleShot is a picture of the recorded sample.
func sampleShot(t testing.TB) []byte {
	data, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(t, err)
	for _, line := range bytes.Split(unzipped(t, data, "trace.trace"), []byte("\n")) {
		var e event
		if json.Unmarshal(line, &e) == nil && e.File != "" {
			return unzipped(t, data, e.File)
		}
	}
	t.Fatal("the sample has no picture")
	return nil
}

// TestRunnerTrace: steps of the test runner stand beside the actions that they led to, and
// none of them twice.
func TestRunnerTrace(t *testing.T) {
	runner := `{"version":10,"type":"context-options","origin":"testRunner","wallTime":1795273168838,"monotonicTime":1000}
{"type":"before","callId":"hook","startTime":1001,"class":"Test","method":"hook","title":"Before Hooks","params":{}}
{"type":"after","callId":"hook","endTime":1002}
{"type":"before","callId":"a","startTime":1009,"class":"Test","method":"pw:api","title":"Click","params":{}}
{"type":"after","callId":"a","endTime":1022}
{"type":"before","callId":"expect","startTime":1030,"class":"Test","method":"expect","title":"Expect \"toBeVisible\"","params":{}}
{"type":"after","callId":"expect","endTime":1035,"error":{"message":"not visible"}}
{"type":"error","message":"expect failed"}`
	all, rep, err := readAll(t, zipped(t, file{"0-trace.trace",
		options10 + "\n" + click("a", `["HTML",{},["BODY",{},["P",{},"one"]]]`)}, file{"test.trace", runner}), nil)
	require.NoError(t, err)
	require.Empty(t, rep.Damage)
	require.Len(t, all, 1)
	require.Contains(t, string(all[0].Steps), `"Test.hook"`)
	require.Equal(t, 2, strings.Count(string(all[0].Steps), `"action"`))
	require.Equal(t, "after this turn: Test.expect (failed)\nthe test failed: expect failed", all[0].Note)
}

// TestStops: an error of the receiver, and a context that is done, end the reading.
func TestStops(t *testing.T) {
	data, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(t, err)
	full := errors.New("full")
	n := 0
	_, err = Read(context.Background(), bytes.NewReader(data), int64(len(data)), Options{}, func(*turn.Record) error {
		if n++; n == 2 {
			return full
		}
		return nil
	})
	require.ErrorIs(t, err, full)
	require.Equal(t, 2, n)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Read(ctx, bytes.NewReader(data), int64(len(data)), Options{}, func(*turn.Record) error { return nil })
	require.ErrorIs(t, err, context.Canceled)
}

// TestTypedSecrets: what is typed into a secret field is withheld from the action, its
// parameters and its log, however short it is, also where the keyboard types it.
func TestTypedSecrets(t *testing.T) {
	for name, x := range map[string]struct{ class, method, params, field, want string }{
		"filled": {"Frame", "fill", `{"selector":"#x","value":"pw1"}`,
			`["INPUT",{"type":"password","__playwright_target__":"","__playwright_value_":"pw1"}]`, "password"},
		"typed by keyboard": {"Page", "keyboardType", `{"text":"pw1"}`,
			`["INPUT",{"type":"password","__playwright_value_":"pw1"}]`, "password"},
		"pressed": {"Frame", "press", `{"selector":"#x","key":"q"}`,
			`["INPUT",{"type":"password","__playwright_target__":"a","__playwright_value_":"q"}]`, "password"},
		"by its label": {"Frame", "fill", `{"selector":"#x","value":"1234"}`,
			`["LABEL",{},"Security code",["INPUT",{"__playwright_target__":"","__playwright_value_":"1234"}]]`, "card"},
		"by the selector": {"Frame", "type", `{"selector":"#user-password","text":"pw1"}`, `["P",{},"gone"]`,
			"password"},
		"in a shadow tree": {"Frame", "fill", `{"selector":"#x","value":"pw1"}`,
			`["X-Y",{},["template",{"__playwright_shadow_root_":"open"},["INPUT",{"type":"password",` +
				`"__playwright_target__":"","__playwright_value_":"pw1"}]]]`, "password"},
		"the marked one counts": {"Frame", "fill", `{"selector":"#x","value":"pw1"}`,
			`["FORM",{},["INPUT",{"name":"user","__playwright_target__":"","__playwright_value_":"pw1"}],["INPUT",` +
				`{"type":"password","__playwright_value_":"pw12"}]]`, ""},
		"no secret": {"Frame", "fill", `{"selector":"#x","value":"pw1"}`,
			`["INPUT",{"name":"user","__playwright_target__":"","__playwright_value_":"pw1"}]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all, _, err := readAll(t, traceOf(t, options10,
				fmt.Sprintf(`{"type":"before","callId":"a","startTime":1010,"class":%q,"method":%q,"params":%s}`, x.class, x.method,
					x.params),
				`{"type":"log","callId":"a","time":1011,"message":"typing (\"pw1\") 1234 q"}`,
				`{"type":"after","callId":"a","endTime":1020}`, snap("a", `["HTML",{},["BODY",{},`+x.field+`]]`)), nil)
			require.NoError(t, err)
			rec := all[0]
			told := rec.Action + string(rec.Steps) + string(rec.Answer)
			var p struct{ Value, Text, Key string }
			require.NoError(t, json.Unmarshal([]byte(x.params), &p))
			typed := p.Value + p.Text + p.Key
			if x.want == "" {
				require.Equal(t, 3, strings.Count(told, typed))
				return
			}
			require.Contains(t, rec.Action, "[redacted: "+x.want+"]")
			require.NotRegexp(t, `\b`+typed+`\b`, told)
		})
	}
}
