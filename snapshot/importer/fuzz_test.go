package importer

import (
	"bytes"
	"os"
	"testing"
	"testing/fstest"
)

// FuzzTrace reads any lines as the events of a trace: whatever they say, each record keeps
// to the rules of a capture.
func FuzzTrace(f *testing.F) {
	data, err := os.ReadFile("testdata/trace-v10.zip")
	if err != nil {
		f.Fatal(err)
	}
	lines := unzipped(f, data, "trace.trace")
	for part := range bytes.SplitSeq(lines, []byte(`"type":"before"`)) {
		f.Add([]byte(options10 + "\n" + `{"type":"before"` + string(part)))
	}
	f.Add([]byte(options10 + "\n" + click("a", `["HTML",{},["BODY",{},["P",{},"one"],["IFRAME",{"src":"/snapshot/f"}]]]`) +
		click("b", `["HTML",{},[[1,2]],[[1,0]],[[0,1]]]`)))
	f.Add([]byte(options10 + "\n" + click("a",
		`["HTML",{},["X",{},["template",{"__playwright_shadow_root_":"open"},["SLOT",{},["SLOT",{}]]],["X",{},["template",`+
			`{"__playwright_shadow_root_":""}]]]]`)))
	f.Fuzz(func(t *testing.T, lines []byte) {
		if len(lines) > 1<<16 {
			return
		}
		_, _, _ = readAll(t, zipped(t, file{"trace.trace", string(lines)}), nil)
	})
}

// FuzzZip reads any bytes as a file.
func FuzzZip(f *testing.F) {
	data, err := os.ReadFile("testdata/trace-v10.zip")
	if err != nil {
		f.Fatal(err)
	}
	small := zipped(f, file{"trace.trace", options10 + "\n" + click("a", `["HTML",{},["P",{},"one"]]`)},
		file{"resources/s", "x"})
	f.Add(small)
	f.Add(small[:len(small)/2])
	f.Add(data[:4096])
	f.Add(zipped(f, file{"session.json", "{}"}))
	f.Fuzz(func(t *testing.T, data []byte) { _, _, _ = readAll(t, data, nil) })
}

// FuzzHistory reads any text as a history.
func FuzzHistory(f *testing.F) {
	for _, name := range []string{"history.json", "history-old.json"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(history3()))
	pictures := fstest.MapFS{"step_1.png": {Data: []byte(pngHeader(3, 3))}}
	f.Fuzz(func(t *testing.T, data []byte) { _, _, _ = readAll(t, data, pictures) })
}
