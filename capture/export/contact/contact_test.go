package contact_test

import (
	"bytes"
	"context"
	"image"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/export/contact"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/dataset"
)

// What a set says is text on the sheet, whoever made it: no markup, no address that is asked for anything.
func TestHostileSet(t *testing.T) {
	data, err := codec.EncodePNG(image.NewRGBA(image.Rect(0, 0, 300, 200)), true)
	require.NoError(t, err)
	disk := fstest.MapFS{"images/a.png": {Data: data}, "x.json": {Data: []byte(`[
		{"img_filename":"a.png","bbox":[10,10,50,50],"instruction":"<script>alert(1)</script>\u202e","data_type":"text"},
		{"img_filename":"\"><img src=//evil.example/x onerror=x>.png","bbox":[1,1,2,2],"instruction":"x"},
		{"img_filename":"a.png","bbox":[-1e300,1e300,1,1],"instruction":"y"}]`)}}
	set, err := dataset.Read(disk, "")
	require.NoError(t, err)
	report, err := dataset.Check(context.Background(), disk, set, nil)
	require.NoError(t, err)
	var b, again bytes.Buffer
	require.NoError(t, contact.HTML(&b, "<b>set</b>", disk, set, report, 10))
	require.NoError(t, contact.HTML(&again, "<b>set</b>", disk, set, report, 10))
	require.Equal(t, b.String(), again.String())
	page := b.String()
	require.Contains(t, page, "&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}")
	require.Contains(t, page, "default-src &#39;none&#39;; img-src data:")
	for _, tag := range regexp.MustCompile(`<[a-z]+[^>]*>`).FindAllString(page, -1) {
		require.NotRegexp(t, `(?i)^<script|onerror=|<b>set`, tag)
		if strings.HasPrefix(tag, "<img") {
			require.Contains(t, tag, `src="data:image/jpeg;base64,`)
		}
	}
	require.Equal(t, 1, report.Counts[dataset.Format])
	require.Equal(t, 1, report.Counts[dataset.OutBox])
}
