package dataset_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/dataset"
)

// shot is a picture of 200 x 100 px with a dark bar from 20,20 to 60,40 and another one at a place of its own.
func shot(t *testing.T, at int) *fstest.MapFile {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	draw.Draw(img, img.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for _, r := range []image.Rectangle{image.Rect(22, 22, 58, 38), image.Rect(100+at, 50, 150+at, 90)} {
		draw.Draw(img, r, image.NewUniform(color.RGBA{10, 20, 90, 255}), image.Point{}, draw.Src)
	}
	data, err := codec.EncodePNG(img, true)
	require.NoError(t, err)
	return &fstest.MapFile{Data: data}
}

// What is wrong with sets of other programs, one thing each.
func TestFindings(t *testing.T) {
	row := func(image, box, instruction, more string) string {
		return fmt.Sprintf(`{"img_filename":%q,"bbox":%s,"instruction":%q%s}`, image, box, instruction, more)
	}
	good := row("a.png", "[20,20,40,20]", "click the bar", "")
	for name, c := range map[string]struct {
		file, text string
		want       string // rules with their counts
	}{
		"nothing":           {"screenspot_web.json", "[" + good + "]", ""},
		"a missing picture": {"x.json", "[" + good + "," + row("../../none.png", "[1,1,9,9]", "x", "") + "]", "format 1"},
		"no picture at all": {"x.json", "[" + good + "," + row("broken.png", "[1,1,9,9]", "x", "") + "]", "format 1"},
		"outside":           {"x.json", "[" + row("a.png", "[180,20,40,20]", "x", "") + "]", "outside 1"},
		"no extent":         {"x.json", "[" + row("a.png", "[20,20,0,20]", "x", "") + "]", "outside 1"},
		"not a box":         {"x.json", "[" + good + "," + row("a.png", `[20,20]`, "x", "") + "]", "format 1"},
		"words as a box":    {"x.json", "[" + good + "," + row("a.png", `["a",20,3,4]`, "x", "") + "]", "format 1"},
		"a box of nothing":  {"x.json", "[" + row("a.png", "[70,60,20,20]", "x", "") + "]", "empty 1"},
		"two of one name":   {"x.json", "[" + good + "," + row("a.png", "[100,50,50,40]", "Click  the bar", "") + "]", "ambiguous 1"},
		"one twice":         {"x.json", "[" + good + "," + good + "]", "repeated 1"},
		"a truth and its opposite": {"x.json", "[" + row("a.png", "[20,20,60,40]", "x", `,"ui_type":"text"`) + "," +
			row("a.png", "[20,20,60,40]", "x", `,"ui_type":"text","gt_type":"negative"`) + "]", "ambiguous 1"},
		"corners as sizes": {"x.json", "[" + row("a.png", "[100,50,150,90]", "x", "") + "," + row("a.png", "[20,20,60,40]", "y", "") +
			"," + row("a.png", "[110,60,140,80]", "z", "") + "]", "box-form 1, outside 2"},
		"another size": {"x.json", "[" + row("a.png", "[20,20,60,40]", "x", `,"img_size":[400,200],"ui_type":"text"`) + "]", "format 1"},
		"pictures alike": {"x.json", "[" + good + "," + row("same.png", "[20,20,40,20]", "click the bar", "") + "]",
			"duplicate 1"},
		"pictures alike in two splits": {"x.json", "[" + row("a.png", "[20,20,40,20]", "x", `,"split":"train"`) + "," +
			row("same.png", "[20,20,40,20]", "x", `,"split":"test"`) + "]", "leak 1"},
		"a site in two splits": {"x.json", "[" + row("a.png", "[20,20,40,20]", "x", `,"split":"train","source":{"site":"s.example"}`) + "," +
			row("b.png", "[20,20,40,20]", "x", `,"split":"test","source":{"site":"s.example"}`) + "]", "leak 1"},
		"a picture in two splits": {"x.json", "[" + row("a.png", "[20,20,40,20]", "x", `,"split":"train"`) + "," +
			row("a.png", "[100,50,50,40]", "y", `,"split":"test"`) + "]", "leak 1"},
		"damaged in the middle": {"x.json", "[" + good + ",{]", "format 1"},
		"COCO without its rules": {"instances.json", `{"images":[{"id":1,"file_name":"a.png","width":200,"height":100}],"annotations":[
			{"id":0,"image_id":1,"category_id":1,"bbox":[20,20,40,20],"area":800,"iscrowd":0},
			{"id":2,"image_id":9,"category_id":1,"bbox":[20,20,40,20],"area":800,"iscrowd":0},
			{"id":3,"image_id":1,"category_id":7,"bbox":[20,20,40,20],"area":800,"iscrowd":0},
			{"id":4,"image_id":1,"category_id":1,"bbox":[20,20,40,20],"iscrowd":0},
			{"id":4,"image_id":1,"category_id":1,"bbox":[20,20,40,20],"area":800,"iscrowd":0},
			{"id":5,"image_id":1,"category_id":1,"bbox":[20,20,40,20],"area":800,"iscrowd":2}
			],"categories":[{"id":1,"name":"bar"},{"id":1,"name":"bar"}]}`, "format 7"},
		"YOLO": {"labels/a.txt", "0 0.2 0.3 0.2 0.2\n0 0.2 0.3\n0 0.9 0.3 0.9 0.2\n", "format 2, outside 1, duplicate 1, unlabelled 3"},
		"LLaVA": {"llava.json", `[{"image":"a.png","conversations":[{"from":"human","value":"<image>\nthe bar"},{"from":"gpt",` +
			`"value":"[0.1, 0.2, 0.3, 0.4]"},{"from":"human","value":"<image> the bar"},{"from":"gpt","value":"[0.5,0.5,0.75,0.9]"}]}]`,
			"ambiguous 1"},
		"an imagefolder": {"metadata.jsonl", `{"file_name":"a.png","objects":{"bbox":[[20,20,40,20],[20,20,400,20]],"categories":[0,0]}}`,
			"outside 1"},
	} {
		t.Run(name, func(t *testing.T) {
			disk := fstest.MapFS{"images/a.png": shot(t, 0), "images/b.png": shot(t, 20), "images/same.png": shot(t, 0),
				"images/broken.png": {Data: []byte("\x89PNG\r\n\x1a\nno")}, c.file: {Data: []byte(c.text)}}
			set, err := dataset.Read(disk, "")
			require.NoError(t, err)
			report, err := dataset.Check(context.Background(), disk, set, nil)
			require.NoError(t, err)
			var got []string
			for _, r := range dataset.Rules() {
				if n := report.Counts[r.Rule]; n > 0 {
					got = append(got, fmt.Sprint(r.Rule, " ", n))
				}
			}
			require.Equal(t, c.want, strings.Join(got, ", "), "%+v", report.Findings)
		})
	}
}

func TestNoSet(t *testing.T) {
	for name, disk := range map[string]fstest.MapFS{
		"nothing":       {},
		"pictures only": {"images/a.png": shot(t, 0)},
		"other JSON":    {"package.json": {Data: []byte(`{"name":"x"}`)}},
	} {
		_, err := dataset.Read(disk, "")
		require.ErrorContains(t, err, "no annotations", name)
		_, err = dataset.Read(disk, dataset.COCO)
		require.ErrorContains(t, err, "coco", name)
	}
}

// What can be wrong between the files of a set: classes that nobody names, labels that are gone, answers that are of
// no mark or of another one.
func TestFindingsBetweenFiles(t *testing.T) {
	const manifest = `{"images":[{"file":"m.png","width":200,"height":100}],"marks":[{"ref":7,"number":1,"status":"drawn","name":"the bar","box":[20,20,40,20]},
		{"ref":8,"number":2,"name":"the block","box":[100,50,50,40]},{"ref":9,"number":3,"role":"link","name":"both","box":[20,20,40,20]},
		{"ref":10,"number":4,"role":"button","name":"both","box":[100,50,50,40]}]}`
	sourced := func(question, answer string, ref int, status string) string {
		return fmt.Sprintf(`{"image":"images/a.png","manifest":"manifests/a.json","question":"%s","answer":"%s","bbox":[20,20,40,20],`+
			`"img_size":[200,100],"source":{"site":"a.example","ref":%d,"status":"%s"}}`+"\n", question, answer, ref, status)
	}
	som := func(first, second string) string {
		const line = `{"image":"images/a.png","manifest":"manifests/a.json","question":"%s","answer":"%s","bbox":%s,"img_size":[200,100]}` + "\n"
		return fmt.Sprintf(line, "the bar", first, "[20,20,40,20]") + fmt.Sprintf(line, "the block", second, "[100,50,50,40]")
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  []string // messages
	}{
		"classes": {map[string]string{"labels/a.txt": "0 0.2 0.3 0.2 0.2\n9 0.6 0.7 0.2 0.2\n", "labels/b.txt": "",
			"data.yaml": "names:\n  0: bar\n"}, []string{"data.yaml has no class \"9\""}},
		"classes in a list": {map[string]string{"labels/a.txt": "1 0.2 0.3 0.2 0.2\n", "labels/b.txt": "",
			"data.yaml": "nc: 1\nnames: [bar]\n"}, []string{"data.yaml has no class \"1\""}},
		"no classes": {map[string]string{"labels/a.txt": "", "labels/b.txt": "", "data.yaml": "path: .\n"},
			[]string{"it names no classes"}},
		"a label file is gone": {map[string]string{"labels/a.txt": "0 0.2 0.3 0.2 0.2\n", "data.yaml": "names: [bar]\n"},
			[]string{"no file of labels"}},
		"answers": {map[string]string{"metadata.jsonl": som("1", "2")}, nil},
		"swapped questions": {map[string]string{"metadata.jsonl": strings.NewReplacer("the bar", "“the block”", "the block",
			"“the bar”").Replace(som("1", "2"))}, []string{`its question asks for "the block"`, `its question asks for "the bar"`}},
		"questions by name": {map[string]string{"metadata.jsonl": strings.NewReplacer("the bar", "“The bar”", "the block",
			"“no such”").Replace(som("1", "2"))}, nil},
		"answers of two swapped, one of them none": {map[string]string{"metadata.jsonl": sourced("“the bar”", "none", 7, "visible") +
			sourced("“the block”", "1", 8, "covered")}, []string{"visible by its source", "covered by its source"}},
		"questions of two swapped, one of them none": {map[string]string{"metadata.jsonl": sourced("“the block”", "1", 7, "visible") +
			sourced("“the bar”", "none", 8, "covered")}, []string{`its question asks for "the block"`, "which has the number 1"}},
		"the place of what is not there": {map[string]string{"metadata.jsonl": sourced("“the bar”", "none", 7, "clipped")}, nil},
		"another element's number":       {map[string]string{"metadata.jsonl": sourced("that", "1", 8, "")}, []string{"its source is another"}},
		"one name, two roles": {map[string]string{"metadata.jsonl": sourced("click the link “both”", "3", 9, "visible") +
			sourced("click the button “both”", "3", 9, "visible")}, []string{`its answer "3" marks "both"`}},
		"a class of YOLO": {map[string]string{"labels/a.txt": "0 0.2 0.3 0.2 0.2\n1 0.6 0.7 0.2 0.2\n", "labels/b.txt": "",
			"data.yaml": "names: [bar, block]\n", "sources.jsonl": `{"image":"images/a.png","lines":[{"role":"block"},{"role":"block"}]}`},
			[]string{`its class is "bar", and its element is "block"`}},
		"a category of COCO": {map[string]string{"c.json": `{"images":[{"id":1,"file_name":"a.png","width":200,"height":100},
			{"id":2,"file_name":"b.png","width":200,"height":100}],"annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[20,20,40,20],
			"area":800,"iscrowd":0,"attributes":{"role":"block"}}],"categories":[{"id":1,"name":"bar"}]}`},
			[]string{`its class is "bar", and its element is "block"`}},
		"none":         {map[string]string{"metadata.jsonl": som("1", "none")}, nil},
		"swapped":      {map[string]string{"metadata.jsonl": som("2", "1")}, []string{`its answer "2" marks`, `its answer "1" marks`}},
		"no mark":      {map[string]string{"metadata.jsonl": som("1", "9")}, []string{`its answer "9" is no mark`}},
		"not a number": {map[string]string{"metadata.jsonl": som("1", "two")}, []string{"is not a number of a mark"}},
	} {
		t.Run(name, func(t *testing.T) {
			disk := fstest.MapFS{"images/a.png": shot(t, 0), "images/b.png": shot(t, 20), "manifests/a.json": {Data: []byte(manifest)}}
			for file, text := range c.files {
				disk[file] = &fstest.MapFile{Data: []byte(text)}
			}
			set, err := dataset.Read(disk, "")
			require.NoError(t, err)
			report, err := dataset.Check(context.Background(), disk, set, nil)
			require.NoError(t, err)
			require.Len(t, report.Findings, len(c.want), "%+v", report.Findings)
			for i, want := range c.want {
				require.Contains(t, report.Findings[i].Message, want)
			}
		})
	}
}
