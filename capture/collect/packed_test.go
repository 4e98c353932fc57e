package collect

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnpack(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want []int
		err  string
	}{
		"nothing":                  {data: []byte{0}, want: []int{}},
		"plain":                    {data: []byte{0, 2, 1, 4}, want: []int{1, -1, 2}},
		"two bytes":                {data: []byte{0, 0x80 | 0x58, 0x04}, want: []int{300}},
		"zeros":                    {data: []byte{0, 2, 0, 2, 2}, want: []int{1, 0, 0, 0, 1}},
		"differences":              {data: []byte{1, 2, 2, 2, 0, 1, 1}, want: []int{1, 2, 3, 3, 3, 2}},
		"differences of rows":      {data: []byte{2, 20, 40, 2, 4, 0, 1}, want: []int{10, 20, 11, 22, 11, 22}},
		"no stride":                {data: nil, err: "ends inside a number"},
		"cut":                      {data: []byte{0, 0x80}, err: "ends inside a number"},
		"zeros without a count":    {data: []byte{0, 0}, err: "ends inside a number"},
		"a stride that we lack":    {data: []byte{17, 2}, err: "stride is 17"},
		"more zeros than anything": {data: []byte{0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, err: "more than"},
		"an endless number":        {data: []byte{0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, err: "64 bits"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := unpack(c.data)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestPackedColumnsInJSON(t *testing.T) {
	var got struct {
		A ints
		B hundredths
	}
	text := `{"A":"` + base64.StdEncoding.EncodeToString([]byte{0, 2, 4}) + `","B":"` + base64.StdEncoding.EncodeToString([]byte{4, 0xc8, 1, 1}) + `"}`
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	require.Equal(t, ints{1, 2}, got.A)
	require.Equal(t, hundredths{1, -0.01}, got.B)
	require.Error(t, json.Unmarshal([]byte(`{"A":[1,2]}`), &got))
	require.Error(t, json.Unmarshal([]byte(`{"A":"%%"}`), &got))
}

// FuzzUnpack: whatever the page's world answers, a column is read or refused.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{0, 2, 1, 4})
	f.Add([]byte{4, 0, 200, 1, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64 {
			return
		}
		if values, err := unpack(data); err == nil {
			require.Less(t, len(values), maxColumn)
		}
	})
}
