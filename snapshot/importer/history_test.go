package importer

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// item is one item of a history in the spelling of json.dump.
func item(url, more string) string {
	return fmt.Sprintf(`    {
      "model_output": {"thinking": "about {\"model_output\": 1}", "action": [{"click": {"index": 1}}]},
      "result": [{"extracted_content": "%s"}],
      "state": {"url": %q, "title": "T", "tabs": [], "interacted_element": [null]%s},
      "metadata": {"step_start_time": 1795273100.5, "step_end_time": 1795273101.5, "step_number": 1}
    }`, url, url, more)
}

func history3() string {
	return "{\n  \"history\": [\n" + item("u1", "") + ",\n" + item("u2", "") + ",\n" + item("u3", "") + "\n  ]\n}"
}

// TestDamagedHistory: what is whole is read, what is not is counted and named.
func TestDamagedHistory(t *testing.T) {
	good := history3()
	png := base64.StdEncoding.EncodeToString([]byte(pngHeader(60000, 60000)))
	for name, x := range map[string]struct {
		data   string
		urls   string
		damage string
	}{
		"whole":             {good, "u1 u2 u3 u3", ""},
		"a byte order mark": {"\xEF\xBB\xBF" + good, "u1 u2 u3 u3", ""},
		"cut off":           {good[:strings.Index(good, `"u3", "title"`)], "u1 u2 u2", "item 3, at byte"},
		"a flipped quote": {strings.Replace(good, `"title": "T", "tabs"`, `#title": "T", "tabs"`, 1), "u2 u3 u3",
			"item 1, at byte 21"},
		"a flipped brace": {strings.Replace(good, `"state": {"url": "u2"`, `"state": ["url": "u2"`, 1), "u1 u3 u3",
			"item 2, at byte"},
		"another type": {strings.Replace(good, `"title": "T"`, `"title": 7`, 1), "u1 u2 u3 u3",
			"state.title is a number"},
		"tabs are no list": {strings.Replace(good, `"tabs": []`, `"tabs": {}`, 1), "u1 u2 u3 u3", "state.tabs is a object"},
		"no items":         {`{"history": []}`, "", ""},
		"a picture bomb": {"{\"history\": [" + item("u1", `, "screenshot": "`+png+`"`) + "]}", "u1 u1",
			"declares 60000 by 60000 px"},
		"a climbing picture": {"{\"history\": [" + item("u1", `, "screenshot_path": "../../../etc/passwd"`) + "]}", "u1 u1",
			"passwd: it is no PNG"},
		"a missing picture": {"{\"history\": [" + item("u1", `, "screenshot_path": "/a/step_1.png"`) + "]}", "u1 u1",
			"step_1.png: the file is not beside"},
		"deep nesting": {"{\"history\": [" + item("u1", `, "x": `+strings.Repeat("[", 20_000)) + "]}", "", "item 1"},
	} {
		t.Run(name, func(t *testing.T) {
			all, rep, err := readAll(t, []byte(x.data), fstest.MapFS{"passwd": {Data: []byte("root")}})
			var urls []string
			for _, rec := range all {
				urls = append(urls, rec.Capture.URL)
			}
			require.Equal(t, x.urls, strings.Join(urls, " "))
			if x.urls == "" {
				require.ErrorIs(t, err, ErrEmpty)
			} else {
				require.NoError(t, err)
			}
			if x.damage == "" {
				require.Empty(t, rep.Damage)
			} else {
				require.Len(t, rep.Damage, 1)
				require.Contains(t, rep.Damage[0], x.damage)
			}
		})
	}
}

// TestHistoryPictures: a picture in the file, and one beside it.
func TestHistoryPictures(t *testing.T) {
	data, err := os.ReadFile("testdata/screenshots/step_1.png")
	require.NoError(t, err)
	inside := "{\"history\": [" + item("u1", `, "screenshot": "data:image/png;base64,`+
		base64.StdEncoding.EncodeToString(data)+`"`) + "]}"
	all, _, err := readAll(t, []byte(inside), nil)
	require.NoError(t, err)
	require.Equal(t, data, all[0].Picture)
	beside := "{\"history\": [" + item("u1", `, "screenshot_path": "C:\\agent\\screenshots\\step_1.png"`) + "]}"
	all, _, err = readAll(t, []byte(beside), os.DirFS("testdata"))
	require.NoError(t, err)
	require.Equal(t, data, all[0].Picture)
	all, rep, err := readAll(t, []byte(beside), nil)
	require.NoError(t, err)
	require.Nil(t, all[0].Picture)
	require.Contains(t, rep.Damage[0], "was not given along")
}
