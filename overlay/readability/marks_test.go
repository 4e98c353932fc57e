package readability

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

// benchDevices are the windows of the table: px of the picture for each CSS px are 1, 2 and 3.
func benchDevices(t *testing.T) []device.Device {
	t.Helper()
	phone, ok := device.Find("iphone-14")
	require.True(t, ok)
	return []device.Device{
		{Name: "1280x720", Width: 1280, Height: 720, Scale: 1}, {Name: "1280x720@2", Width: 1280, Height: 720, Scale: 2}, phone,
	}
}

// benchModels are the models of the table, one for each way in which vendors resize.
func benchModels() []string {
	return []string{"gpt-4o", "gpt-5.4", "claude-sonnet-4", "claude-opus-4-8", "qwen2.5-vl"}
}

// legible is the height of a digit in px from which on a reader of a resized picture makes it out: som.md 4.3.
const legible = 5

// TestMarks prints the table of `go run ./cmd/dev bench -marks`: for each device and model what the marks of this project,
// agent-browser and BrowserGym do on the same elements of all pages. Ours are drawn after the model's resize, as
// mark --model does, and their numbers are read by Tesseract, once for each size; the others draw on the picture as it
// is, which the vendor then resizes. REFSCOPE_MARKS is 1, or the folder that keeps the captures for the next time;
// REFSCOPE_MARKS_DEVICE one device alone, and REFSCOPE_MARKS_MODEL one model.
func TestMarks(t *testing.T) {
	keep := os.Getenv("REFSCOPE_MARKS")
	if keep == "" {
		testneed.Extra(t, "REFSCOPE_MARKS measures marked pictures of all pages, devices and models")
	}
	if keep == "1" {
		keep = t.TempDir()
	}
	t.Setenv("REFSCOPE_SLOW", "1") // all pages
	t.Logf("%-10s %-16s %-14s %5s %6s %7s %6s %6s %6s %6s %6s %6s %8s", "device", "model", "marks by", "pages", "labels",
		"letters", "buried", "nearer", "alike", "small", "none", "read", "ms")
	r := reader(t)
	for _, d := range benchDevices(t) {
		if only := os.Getenv("REFSCOPE_MARKS_DEVICE"); only != "" && only != d.Name {
			continue
		}
		pages := benchPages(t, d, keep)
		read := map[string]int{} // numbers that are read, by page and size
		for _, name := range benchModels() {
			if only := os.Getenv("REFSCOPE_MARKS_MODEL"); only != "" && only != name {
				continue
			}
			model, known := vision.Lookup(name)
			require.True(t, known, name)
			of := func(by string, mark func(p pictured) (Page, int)) {
				var sum score
				seen := "-"
				small := 0
				var took time.Duration
				for _, p := range pages {
					began := time.Now()
					page, n := mark(p)
					took += time.Since(began)
					var eyes *tesseract
					at := fmt.Sprint(p.name, page.Marked.Rect)
					known, before := read[at]
					if by == "Refscope" && !before {
						eyes = r
					}
					s, err := measure(t.Context(), page, eyes)
					require.NoError(t, err, p.name)
					if eyes != nil {
						read[at] = s.Read
						if s.Read < s.Labels {
							t.Logf("  %s at %v: %d of %d numbers read", p.name, page.Marked.Rect.Max, s.Read, s.Labels)
						}
					} else {
						s.Read = known
					}
					sum.add(s)
					small += n
					if os.Getenv("REFSCOPE_MARKS_EACH") == by && s.Hidden+s.Missed+s.Labels-s.Own > 0 {
						t.Logf("  %s: letters %d, nearer %d, alike %d, none %d", p.name, s.Hidden, s.Labels-s.Own-s.Alike, s.Alike, s.Missed)
					}
				}
				if by == "Refscope" {
					seen = fmt.Sprint(sum.Read)
				}
				t.Logf("%-10s %-16s %-14s %5d %6d %7d %6d %6d %6d %6d %6d %6s %8.1f", d.Name, name, by, len(pages), sum.Labels,
					sum.Hidden, sum.Buried, sum.Labels-sum.Own-sum.Alike, sum.Alike, small, sum.Missed, seen,
					took.Seconds()*1000/float64(max(1, len(pages))))
			}
			of("Refscope", func(p pictured) (Page, int) {
				to := model.Fit(p.clean.Rect.Size(), vision.Auto)
				return ours(p, to, overlay.Options{View: overlay.ViewModel}), 0
			})
			for _, s := range Systems() {
				if s.Name != "agent-browser" && s.Name != "BrowserGym" {
					continue
				}
				of(s.Name, func(p pictured) (Page, int) {
					size := p.clean.Rect.Size()
					page := theirs(p, s)
					if to := model.Fit(size, vision.Auto); s.digitPx(image.Rectangle{Max: size})*to.X < legible*size.X {
						return page, len(page.Marks)
					}
					return page, 0
				})
			}
		}
	}
}

// benchPages are all pages as a device shows them, from the folder where an earlier run kept them.
func benchPages(t *testing.T, d device.Device, keep string) []pictured {
	t.Helper()
	var out []pictured
	for _, k := range testpages.Kinds() {
		for _, f := range testpages.Folders(t, k) {
			for _, name := range f.Pages(t) {
				file := filepath.Join(keep, strings.ReplaceAll(d.Name+"-"+f.Name+"-"+name, "/", "-"))
				p := pictured{name: f.Name + "/" + strings.TrimSuffix(name, ".html")}
				data, err := os.ReadFile(file + ".json")
				picture, err2 := os.ReadFile(file + ".png")
				if err != nil || err2 != nil {
					t.Run(d.Name+"/"+name, func(t *testing.T) { data, picture, err = benchTake(t, d, f, name) })
					if err != nil {
						t.Logf("%s: %v: left out", p.name, err)
						continue
					}
					require.NoError(t, os.WriteFile(file+".json", data, 0o600))
					require.NoError(t, os.WriteFile(file+".png", picture, 0o600))
				}
				p.capture = new(snapshot.Capture)
				require.NoError(t, json.Unmarshal(data, p.capture))
				p.clean, err = codec.DecodePNG(picture)
				require.NoError(t, err)
				out = append(out, p)
			}
		}
	}
	require.NotEmpty(t, out)
	return slices.Clip(out)
}

// benchTake captures one page in a tab that passes for a device.
func benchTake(t *testing.T, d device.Device, f testpages.Folder, name string) (capture, picture []byte, err error) {
	t.Helper()
	site, tab := chrometest.Folder(t, f.Path), chrome.Tab(t)
	ctx := chrometest.Context(t)
	if err := tab.Emulate(ctx, &d); err != nil {
		return nil, nil, fmt.Errorf("emulating %s: %w", d.Name, err)
	}
	if err := tab.Navigate(ctx, site+name); err != nil {
		return nil, nil, fmt.Errorf("opening %s: %w", name, err)
	}
	shot, err := session.Take(ctx, tab, session.Options{})
	if err != nil {
		return nil, nil, fmt.Errorf("capturing %s: %w", name, err)
	}
	img, err := shot.Image()
	if err != nil {
		return nil, nil, fmt.Errorf("the picture of %s: %w", name, err)
	}
	if picture, err = codec.EncodePNG(img, true); err != nil {
		return nil, nil, fmt.Errorf("the picture of %s: %w", name, err)
	}
	capture, err = json.Marshal(shot.Capture)
	return capture, picture, err
}
