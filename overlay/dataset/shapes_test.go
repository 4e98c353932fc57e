package dataset_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/likeness"
)

// picture draws something in each box, so that a box holds something.
func picture(c *snapshot.Capture, seed int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, int(c.Viewport.Width), int(c.Viewport.Height)))
	draw.Draw(img, img.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for i, n := range c.Nodes[2:] {
		r := image.Rect(int(n.Box.X()), int(n.Box.Y()), int(n.Box.Right()), int(n.Box.Bottom())).Inset(3)
		draw.Draw(img, r, image.NewUniform(color.RGBA{uint8(40 * seed), uint8(20 * i), 90, 255}), image.Point{}, draw.Src)
	}
	return img
}

// setOf is a set of three pages of three sites, with everything that a set can have, in memory as on disk.
func setOf(t *testing.T, o dataset.Options) (*dataset.Set, fstest.MapFS) {
	t.Helper()
	at := func(x, y float64) snapshot.Box { return snapshot.Box{x, y, 100, 30} }
	var pages []*dataset.Page
	pictures := map[*dataset.Page][]byte{}
	for k, site := range []string{"www.shop.example", "news.example", "a.forum.example"} {
		covered := element("button", "button", "Hidden <image>", at(20, 300))
		covered.Occlusion.State = snapshot.Covered
		c := pageOf(element("a", "link", "Home </s>", at(20, 20)), element("button", "button", fmt.Sprintf("Buy %d", k), at(200, 100)),
			element("input", "textbox", "Name", at(200, 200)), covered, element("button", "button", "cut", snapshot.Box{600, 400, 200, 30}))
		c.URL = "https://" + site + "/page"
		scene := dataset.Scene(c, image.Pt(640, 480), o)
		img := picture(c, k+1)
		p := &dataset.Page{
			Image: fmt.Sprintf("%05d.png", k+1), Width: 640, Height: 480, Source: dataset.NewSource(c, c.URL, false),
			Elements: dataset.Label(c, scene, img, o), Print: likeness.PrintOf(img),
		}
		if o.Marked {
			p.Marked = fmt.Sprintf("%05d-marked.png", k+1)
		}
		data, err := codec.EncodePNG(img, true)
		require.NoError(t, err)
		pages, pictures[p] = append(pages, p), data
	}
	set := dataset.Assemble(pages, o)
	require.Len(t, set.Pages, 3)
	files, err := set.Files(dataset.Making{Tool: "test"})
	require.NoError(t, err)
	again, err := dataset.Assemble(pages, o).Files(dataset.Making{Tool: "test"})
	require.NoError(t, err)
	require.Equal(t, files, again, "the same pages give the same bytes")
	disk := fstest.MapFS{}
	for _, f := range files {
		disk[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	for _, p := range set.Pages {
		disk[path.Join(set.Folder(p), p.Image)] = &fstest.MapFile{Data: pictures[p]}
		m := overlay.Manifest{Images: []overlay.ManifestImage{{Width: p.Width, Height: p.Height}}}
		for _, e := range p.Elements {
			if e.Mark > 0 {
				m.Marks = append(m.Marks, overlay.ManifestMark{Ref: e.Ref, Number: e.Mark, Box: [4]float64{
					float64(e.Box[0]), float64(e.Box[1]), float64(e.Box[2]), float64(e.Box[3])}})
			}
		}
		data, err := json.Marshal(m)
		require.NoError(t, err)
		disk[set.ManifestFile(p)] = &fstest.MapFile{Data: data}
	}
	return set, disk
}

// Every shape is recognised, read back with as many examples as were written, and nothing is found in it.
func TestShapesAreReadBack(t *testing.T) {
	for _, shape := range dataset.Shapes() {
		for _, splits := range []string{"", "train=60,test=40"} {
			t.Run(string(shape)+splits, func(t *testing.T) {
				o := dataset.Defaults(shape)
				o.Negatives = shape != dataset.ScreenSpot && shape != dataset.YOLO
				o.Marked = shape == dataset.SoM
				var err error
				o.Splits, err = dataset.ParseSplits(splits)
				require.NoError(t, err)
				set, disk := setOf(t, o)
				read, err := dataset.Read(disk, "")
				require.NoError(t, err)
				require.Equal(t, shape, read.Shape)
				require.Len(t, read.Images, 3)
				counts := set.Counts()
				require.Len(t, read.Items, counts.Examples)
				negatives := 0
				for _, it := range read.Items {
					require.Contains(t, disk, it.Image)
					if it.Negative {
						negatives++
					}
				}
				require.Equal(t, counts.Negatives, negatives)
				if o.Negatives && shape != dataset.ImageFolder {
					require.Equal(t, 6, negatives, "a covered and a clipped one of each page")
				}
				report, err := dataset.Check(context.Background(), disk, read, nil)
				require.NoError(t, err)
				require.Empty(t, report.Findings)
				if splits != "" {
					require.Equal(t, counts.Examples, counts.Splits["train"]+counts.Splits["test"])
				}
			})
		}
	}
}

// ScreenSpot-Pro's own rule, the middle of the box as the answer: a point counts where it lies between the corners, both
// as shares of the picture. Read in the form of ScreenSpot v1, which is the classic mistake, most would be wrong.
func TestScreenSpotProOracle(t *testing.T) {
	_, disk := setOf(t, dataset.Defaults(dataset.ScreenSpotPro))
	var rows []struct {
		Image       string     `json:"img_filename"`
		Box         [4]float64 `json:"bbox"`
		Size        [2]float64 `json:"img_size"`
		Kind        string     `json:"ui_type"`
		Platform    string     `json:"platform"`
		Application string     `json:"application"`
		Group       string     `json:"group"`
		Instruction string     `json:"instruction"`
		ID          string     `json:"id"`
	}
	require.NoError(t, json.Unmarshal(disk["annotations.json"].Data, &rows))
	require.Len(t, rows, 9)
	ids := map[string]bool{}
	for _, r := range rows {
		require.Contains(t, disk, "images/"+r.Image)
		require.False(t, ids[r.ID])
		ids[r.ID] = true
		require.Contains(t, []string{"text", "icon"}, r.Kind)
		for _, s := range []string{r.Platform, r.Application, r.Group, r.Instruction} {
			require.NotEmpty(t, s)
		}
		x, y := (r.Box[0]+r.Box[2])/2/r.Size[0], (r.Box[1]+r.Box[3])/2/r.Size[1]
		require.True(t, r.Box[0]/r.Size[0] <= x && x <= r.Box[2]/r.Size[0] && r.Box[1]/r.Size[1] <= y && y <= r.Box[3]/r.Size[1])
		require.True(t, x < 1 && y < 1 && r.Box[2] <= r.Size[0] && r.Box[3] <= r.Size[1])
	}
}

func TestScreenSpotIsLeftTopWidthHeight(t *testing.T) {
	_, disk := setOf(t, dataset.Defaults(dataset.ScreenSpot))
	first, _, _ := strings.Cut(strings.TrimPrefix(string(disk["annotations.json"].Data), "[\n"), "\n")
	require.True(t, strings.HasPrefix(first, `{"img_filename":"00001.png","bbox":[20,20,100,30],"instruction":"click the link “Home `+
		`</s>”","data_type":"text","data_source":"web",`), first)
	for _, has := range []string{`"url":"https://www.shop.example/page"`, `"site":"shop.example"`, `"ref":1`, `"verdict":"ref"`,
		`"capture":"`, `"device":"640x480"`} {
		require.Contains(t, first, has)
	}
}

// What pycocotools takes for granted: ids that are numbers, of annotations above 0, each once; references that lead
// somewhere; boxes with an extent in their picture, areas, iscrowd, and polygons of six numbers or more.
func TestCOCORules(t *testing.T) {
	o := dataset.Defaults(dataset.COCO)
	o.Negatives = true
	o.Splits = []dataset.Split{{Name: "train", Share: 1}, {Name: "test", Share: 1}}
	_, disk := setOf(t, o)
	type file struct {
		Info        map[string]any
		Licenses    []map[string]any
		Images      []struct{ ID, Width, Height, License int }
		Annotations []struct {
			ID           int
			ImageID      int `json:"image_id"`
			CategoryID   int `json:"category_id"`
			Bbox         []float64
			Area         float64
			Iscrowd      *int
			Segmentation [][]float64
			Attributes   struct{ Occluded, Truncated *bool }
		}
		Categories []struct {
			ID                  int
			Name, Supercategory string
		}
	}
	sum := 0
	for _, name := range []string{"annotations.json", "annotations-train.json", "annotations-test.json"} {
		var f file
		require.NoError(t, json.Unmarshal(disk[name].Data, &f), name)
		images, categories, ids, licenses := map[int]image.Point{}, map[int]bool{}, map[int]bool{}, map[int]bool{}
		for _, l := range f.Licenses {
			licenses[int(l["id"].(float64))] = true
		}
		for _, m := range f.Images {
			require.NotContains(t, images, m.ID)
			require.True(t, m.ID > 0 && licenses[m.License])
			images[m.ID] = image.Pt(m.Width, m.Height)
		}
		for _, c := range f.Categories {
			require.False(t, categories[c.ID])
			require.NotEmpty(t, c.Name)
			categories[c.ID] = true
		}
		covered := 0
		for _, a := range f.Annotations {
			require.False(t, ids[a.ID])
			ids[a.ID] = true
			require.Positive(t, a.ID)
			require.Contains(t, images, a.ImageID)
			require.True(t, categories[a.CategoryID])
			require.Len(t, a.Bbox, 4)
			require.True(t, a.Bbox[2] > 0 && a.Bbox[3] > 0 && a.Bbox[0]+a.Bbox[2] <= float64(images[a.ImageID].X))
			require.Equal(t, a.Bbox[2]*a.Bbox[3], a.Area)
			require.NotNil(t, a.Iscrowd)
			require.Zero(t, *a.Iscrowd)
			for _, polygon := range a.Segmentation {
				require.True(t, len(polygon) >= 6 && len(polygon)%2 == 0)
			}
			if *a.Attributes.Occluded {
				covered++
			}
		}
		require.Equal(t, len(f.Images), covered, "the covered button of each picture")
		if name != "annotations.json" {
			sum += len(f.Annotations)
			continue
		}
		require.Len(t, f.Annotations, 15)
	}
	require.Equal(t, 15, sum)
}

// The loader of an imagefolder reads metadata.jsonl beside the pictures: a JSON object in each line with file_name, a
// path from that file, and lists of one length in objects. Every line has the same members.
func TestImageFolderRows(t *testing.T) {
	for splits, files := range map[string][]string{"": {"metadata.jsonl"}, "train=1,test=1": {"train/metadata.jsonl", "test/metadata.jsonl"}} {
		o := dataset.Defaults(dataset.ImageFolder)
		o.Splits, _ = dataset.ParseSplits(splits)
		_, disk := setOf(t, o)
		n := 0
		for _, name := range files {
			lines := bufio.NewScanner(bytes.NewReader(disk[name].Data))
			for lines.Scan() {
				var row struct {
					File    string                       `json:"file_name"`
					Objects map[string][]json.RawMessage `json:"objects"`
				}
				require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
				n++
				require.Contains(t, disk, path.Join(path.Dir(name), row.File))
				for member, list := range row.Objects {
					require.Len(t, list, 3, member)
				}
				for _, b := range row.Objects["bbox"] {
					var box []float64
					require.NoError(t, json.Unmarshal(b, &box))
					require.Len(t, box, 4)
				}
				require.Contains(t, row.Objects, "categories")
			}
		}
		require.Equal(t, 3, n)
	}
}

func TestYOLOLabels(t *testing.T) {
	_, disk := setOf(t, dataset.Defaults(dataset.YOLO))
	require.Equal(t, "1 0.109375 0.072917 0.156250 0.062500\n0 0.390625 0.239583 0.156250 0.062500\n2 0.390625 0.447917 0.156250 "+
		"0.062500\n", string(disk["labels/00001.txt"].Data))
	var y struct {
		Path, Train, Val string
		Names            map[int]string
	}
	require.NoError(t, yaml.Unmarshal(disk["data.yaml"].Data, &y))
	require.Equal(t, map[int]string{0: "button", 1: "link", 2: "textbox"}, y.Names)
	require.Equal(t, "images", y.Train)
}

// Page text cannot hold what is a command to the trainer: a second <image>, an end of turn.
func TestLLaVAHoldsOneImage(t *testing.T) {
	o := dataset.Defaults(dataset.LLaVA)
	o.Negatives = true
	_, disk := setOf(t, o)
	var rows []struct {
		Image         string
		Conversations []struct{ From, Value string }
	}
	require.NoError(t, json.Unmarshal(disk["annotations.json"].Data, &rows))
	require.Len(t, rows, 15)
	for _, r := range rows {
		require.Contains(t, disk, r.Image)
		require.Len(t, r.Conversations, 2)
		require.Equal(t, "human", r.Conversations[0].From)
		require.Equal(t, "gpt", r.Conversations[1].From)
		require.Equal(t, 1, strings.Count(r.Conversations[0].Value, "<"))
		require.True(t, strings.HasPrefix(r.Conversations[0].Value, "<image>\n"))
	}
	require.Equal(t, "[0.0312, 0.0417, 0.1875, 0.1042]", rows[0].Conversations[1].Value)
}

func TestSoMAnswersAreMarks(t *testing.T) {
	o := dataset.Defaults(dataset.SoM)
	o.Marked, o.Negatives = true, true
	_, disk := setOf(t, o)
	answers := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(disk["metadata.jsonl"].Data)), "\n") {
		var row struct{ Question, Answer, Marked, Manifest string }
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		require.Equal(t, "images/00001-marked.png"[:8], row.Marked[:8])
		require.True(t, strings.HasPrefix(row.Manifest, "manifests/"))
		answers[row.Answer]++
	}
	require.Equal(t, map[string]int{"1": 3, "2": 3, "3": 3, "none": 6}, answers)
}

// A site stays in its split whatever else is in the set, and a page goes where its site goes.
func TestSplitsAreBySite(t *testing.T) {
	o := dataset.Defaults(dataset.ScreenSpot)
	o.Splits, _ = dataset.ParseSplits("train=80,val=10,test=10")
	of := func(sites ...string) map[string]string {
		var pages []*dataset.Page
		for i, site := range sites {
			img := image.NewRGBA(image.Rect(0, 0, 64+i, 64))
			pages = append(pages, &dataset.Page{Image: fmt.Sprint(i, ".png"), Source: dataset.Source{Site: site}, Print: likeness.PrintOf(img),
				Elements: []dataset.Element{{Ref: 1, Status: dataset.Visible, Operable: true, Phrases: []dataset.Phrase{{Form: "role", Text: "x"}}}}})
		}
		files, err := dataset.Assemble(pages, o).Files(dataset.Making{})
		require.NoError(t, err)
		var rows []struct {
			Split  string
			Source struct{ Site string }
		}
		require.NoError(t, json.Unmarshal(files[0].Data, &rows))
		out := map[string]string{}
		for _, r := range rows {
			if was, known := out[r.Source.Site]; known {
				require.Equal(t, was, r.Split)
			}
			out[r.Source.Site] = r.Split
		}
		return out
	}
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("site%d.example", i), "site7.example")
	}
	all, few := of(many...), of("site7.example", "site8.example")
	count := map[string]int{}
	for _, split := range all {
		count[split]++
	}
	require.InDelta(t, 240, count["train"], 25)
	require.InDelta(t, 30, count["test"], 20)
	require.Equal(t, all["site8.example"], few["site8.example"])
	require.Equal(t, all["site7.example"], few["site7.example"])
	for _, wrong := range []string{"train", "train=0", "train=x", "a b=1", "../x=1", "train=1,train=2", "con=1"} {
		_, err := dataset.ParseSplits(wrong)
		require.Error(t, err, wrong)
	}
}

func TestSites(t *testing.T) {
	canonical := func(href string) *snapshot.Capture {
		c := pageOf()
		c.URL = "http://127.0.0.1:4711/page.html"
		c.Nodes = append(c.Nodes, snapshot.Node{I: 2, Parent: 0, Tag: "link", Attrs: map[string]string{"rel": "canonical", "href": href}})
		return c
	}
	at := func(url string) *snapshot.Capture { return &snapshot.Capture{URL: url} }
	for name, c := range map[string]struct {
		capture *snapshot.Capture
		want    string
	}{
		"subdomain":    {at("https://www.shop.example.co.uk/x"), "example.co.uk"},
		"port":         {at("http://Shop.Example.com.:8080/"), "example.com"},
		"address":      {at("http://192.0.2.7/"), "192.0.2.7"},
		"intranet":     {at("http://wiki/"), "wiki"},
		"saved page":   {canonical("https://en.news.example/a"), "news.example"},
		"saved, local": {canonical("/page.html"), "folder pages"},
		"a file":       {at("http://127.0.0.1:9/x.html"), "folder pages"},
	} {
		require.Equal(t, c.want, dataset.SiteOf(c.capture, "saved/pages/x.html"), name)
	}
	for _, turn := range []string{"shop#1", "sessions/shop#1", `C:\sessions\shop#12`} {
		require.Equal(t, "folder shop", dataset.SiteOf(at("http://127.0.0.1:9/"), turn), "by whatever way it was named")
	}
	require.Equal(t, "folder pages", dataset.SiteOf(at("http://127.0.0.1:9/"), "pages/x#1.html"))
}

// A file is served at another port each time; its source is the same.
func TestSourceOfAFile(t *testing.T) {
	c := pageOf(element("a", "link", "Home", snapshot.Box{20, 20, 100, 30}))
	c.URL, c.Frames[0].URL = "http://127.0.0.1:4711/page.html", "http://127.0.0.1:4711/page.html"
	c.Frames = append(c.Frames, snapshot.Frame{URL: "http://127.0.0.1:4711/frame.html", Readable: true})
	d := *c
	d.URL = "http://127.0.0.1:815/page.html"
	d.Frames = []snapshot.Frame{{URL: "http://127.0.0.1:815/page.html", Readable: true},
		{URL: "http://127.0.0.1:815/frame.html", Readable: true}}
	require.Equal(t, dataset.NewSource(c, "pages/page.html", true), dataset.NewSource(&d, "pages/page.html", true))
	require.NotEqual(t, dataset.NewSource(c, "pages/page.html", true).Capture, dataset.NewSource(&d, "pages/other.html", true).Capture)
}
