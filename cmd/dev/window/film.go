package window

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// agentSession is a run of chrome-devtools-mcp in the demo shop, as refscopectl tap recorded it: the tool says
// “Successfully clicked”, and the click landed on a cookie banner. The answers of the model are written by hand.
const agentSession = "cmd/dev/testdata/agent.refscope"

// scene is a moment of the film: its picture, for how long it stands, in hundredths of a second, and its caption.
type scene struct {
	file    string
	time    int
	caption string
}

// pictured are the stories whose last pictures stand in the documents, by their names.
var pictured = []string{"review", "missing", "profile", "export", "live"}

// colours are how many a picture of the documents has: what the window draws has few, and the file is a third.
const colours = "200"

// Tour films the recorded run of an agent in the real window and writes the moving picture of the README, and
// beside it the other pictures of the documents: a moment of the film, and the ends of stories.
func Tour(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	yes := flags.Bool("y", false, "install what is missing without asking")
	out := flags.String("o", filepath.Join("assets", "readme", "tour.gif"), "the file to write")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return setup.Usagef("tour: %w", cmp.Or(err, errors.New("it takes flags only")))
	}
	if err := d.SetUp(ctx, setup.TestNeeds(d.Machine), *yes); err != nil {
		return err
	}
	t := &setup.Test{Dev: d, Begin: time.Now()}
	var scenes []scene
	chosen := []story{{name: "film", before: importAgent, do: func(ctx context.Context, d *driver) error {
		return missedClick(&scenes)(ctx, d)
	}}}
	var words []clip
	chosen = append(chosen, story{name: "words", before: importAgent, do: func(ctx context.Context, d *driver) error {
		return picturedWords(&words)(ctx, d)
	}})
	for _, s := range stories() {
		if slices.Contains(pictured, s.name) {
			chosen = append(chosen, s)
		}
	}
	if said, err := playStories(ctx, t, image.Pt(1280, 700), chosen); err != nil {
		return fmt.Errorf("%w\n%s", err, setup.Visible(said))
	}
	call := []string{"-loop", "0", "-font", "Liberation-Sans", "-pointsize", "22", "-gravity", "south"}
	for _, s := range scenes {
		call = append(call, "(", "-delay", strconv.Itoa(s.time), s.file, "-background", "#101318", "-splice", "0x46",
			"-fill", "#ffffff", "-annotate", "+0+10", s.caption, ")")
	}
	call = append(call, "+dither", "-colors", "128", "-layers", "OptimizeTransparency", filepath.Join(d.Root, *out))
	if said, err := t.Tool(ctx, nil, "convert", call...); err != nil {
		return fmt.Errorf("the moving picture: %w\n%s", err, setup.Visible(said))
	}
	d.Say("%s", *out)
	pictures := map[string]string{"window": scenes[1].file}
	for _, name := range pictured {
		pictures[name] = t.Artifact("story-" + name + ".png")
	}
	for _, name := range slices.Sorted(maps.Keys(pictures)) {
		file := filepath.Join(filepath.Dir(*out), name+".png")
		if said, err := t.Tool(ctx, nil, "convert", pictures[name], "+dither", "-colors", colours, "-strip",
			filepath.Join(d.Root, file)); err != nil {
			return fmt.Errorf("the picture %s: %w\n%s", file, err, setup.Visible(said))
		}
		d.Say("%s", file)
	}
	words = append(words, clip{"profile", t.Artifact("story-profile.png"), image.Rect(796, 74, 1280, 465)})
	for _, w := range words {
		file := filepath.Join(filepath.Dir(*out), "words", w.word+".png")
		area := fmt.Sprintf("%dx%d+%d+%d", w.area.Dx(), w.area.Dy(), w.area.Min.X, w.area.Min.Y)
		if said, err := t.Tool(ctx, nil, "convert", w.file, "-crop", area, "+repage", "+dither", "-colors", colours,
			"-strip", filepath.Join(d.Root, file)); err != nil {
			return fmt.Errorf("the picture %s: %w\n%s", file, err, setup.Visible(said))
		}
		d.Say("%s", file)
	}
	return nil
}

// clip is the part of a picture of the window that shows what a word of the glossary means.
type clip struct {
	word, file string
	area       image.Rectangle
}

// clipWide is how wide the right side of the window is on the screen of the film, in px.
const clipWide = 484

// picturedWords goes through the recorded run and clips a picture for each word of the glossary.
func picturedWords(words *[]clip) func(ctx context.Context, d *driver) error {
	return func(ctx context.Context, d *driver) error {
		at, err := d.screen.origin(ctx, "^Refscope")
		if err != nil {
			return err
		}
		shots := 0
		// shoot takes a picture and clips it where each place says; the words are the places' keys.
		shoot := func(places map[string]func(s windowState) image.Rectangle) act {
			return func(ctx context.Context) error {
				shots++
				file := fmt.Sprintf("words-%d.png", shots)
				picture, err := d.still(ctx, file)
				if err != nil {
					return err
				}
				for _, word := range slices.Sorted(maps.Keys(places)) {
					area := places[word](d.now()).Add(at).Intersect(picture.Rect)
					if area.Dx() < 60 || area.Dy() < 20 {
						return fmt.Errorf("the clip for %q is %v", word, area)
					}
					*words = append(*words, clip{word, d.test.Artifact(file), area})
				}
				return nil
			}
		}
		// part is a piece of a pane, from a point of it.
		part := func(pane func(windowState) [4]int, x, y, wide, high int) func(windowState) image.Rectangle {
			return func(s windowState) image.Rectangle {
				r := rectangle(pane(s), image.Point{})
				return image.Rect(r.Min.X+x, r.Min.Y+y, r.Min.X+x+wide, r.Min.Y+y+high).Intersect(r)
			}
		}
		// around is what lies about a mark, moved by x and y, inside the picture.
		around := func(ref, x, y, wide, high int) func(windowState) image.Rectangle {
			return func(s windowState) image.Rectangle {
				for _, m := range s.Marks {
					if m.Ref != ref {
						continue
					}
					r := rectangle(m.Rect, image.Point{})
					c := r.Min.Add(r.Max).Div(2).Add(image.Pt(x, y))
					return image.Rect(c.X-wide/2, c.Y-high/2, c.X+wide/2, c.Y+high/2).
						Intersect(rectangle(s.Picture, image.Point{}))
				}
				return image.Rectangle{}
			}
		}
		bar := func(s windowState) [4]int { return s.Bar }
		cards := func(s windowState) [4]int { return s.Cards }
		sides := func(s windowState) [4]int { return s.Sides }
		picture := func(s windowState) [4]int { return s.Picture }
		details := func(s windowState) [4]int { return s.Details }
		away := d.mouse("mousemove", "1270", "690") // over nothing that answers
		return all(
			d.open("agent", func(s windowState) bool { return s.Turns == 6 && s.Turn == 6 }),
			d.press("the failed turn", func(s windowState) bool {
				return s.Turn == 4 && len(s.Marks) > 0 && s.Selected == 29 && strings.Contains(s.LineText, "Add Heron")
			}, "n"),
			away,
			d.press("the conversation", side("Messages"), "q"),
			shoot(map[string]func(windowState) image.Rectangle{"tap": part(sides, 0, 200, clipWide, 390)}),
			d.press("the findings", side("Findings"), "a"),
			shoot(map[string]func(windowState) image.Rectangle{"finding": part(sides, 0, 200, clipWide, 250)}),
			d.press("the payload", side("Payload"), "shift+y"),
			shoot(map[string]func(windowState) image.Rectangle{
				"payload": part(sides, 0, 200, clipWide, 390), "dialect": part(sides, 0, 200, clipWide, 84)}),
			d.press("the text as it was sent", func(s windowState) bool {
				return side("Text")(s) && strings.Contains(s.LineText, "Add Heron")
			}, "t"),
			shoot(map[string]func(windowState) image.Rectangle{
				"as-sent": part(sides, 0, 200, clipWide, 250),
				"aim":     around(28, 150, 16, clipWide, 90), "ref": around(24, -120, 0, 360, 44),
				"turn": part(cards, 268, 36, 138, 98), "session": part(cards, 0, 0, 700, 136),
				"recording": part(bar, 610, 0, 400, 42), "verdict": part(details, 0, 0, clipWide, 139),
				"occlusion": around(17, -30, 0, 280, 70), "capture": part(picture, 0, 28, 791, 344),
			}),
			d.press("the text of the product", func(s windowState) bool { return s.Format == "dddk" && s.Chars > 0 },
				"ctrl+1"),
			shoot(map[string]func(windowState) image.Rectangle{"dump": part(sides, 0, 200, clipWide, 250)}),
			func(ctx context.Context) error {
				file := d.test.Artifact("words-mark.png")
				if out, err := d.run(ctx, "mark", "agent#4", "-o", file); err != nil {
					return fmt.Errorf("%w\n%s", err, out)
				}
				*words = append(*words, clip{"mark", file, image.Rect(60, 280, 480, 430)})
				return nil
			},
		)(ctx)
	}
}

// importAgent puts the agent's run into the home of a story, as the session "agent".
func importAgent(ctx context.Context, d *driver) error {
	out, err := d.run(ctx, "session", "import", filepath.Join(d.test.Root, filepath.FromSlash(agentSession)),
		"--session", "agent")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// missedClick finds out why an agent believed that a kettle was in its basket.
func missedClick(scenes *[]scene) func(ctx context.Context, d *driver) error {
	return func(ctx context.Context, d *driver) error {
		shoot := func(time int, caption string) act {
			return func(ctx context.Context) error {
				file := fmt.Sprintf("film-%d.png", len(*scenes)+1)
				_, err := d.still(ctx, file)
				*scenes = append(*scenes, scene{d.test.Artifact(file), time, caption})
				return err
			}
		}
		return all(
			d.open("agent", func(s windowState) bool { return s.Turns == 6 && s.Turn == 6 }),
			d.await("the failed turn to be counted", func(s windowState) bool { return s.Failed == 1 }),
			d.mouse("mousemove", "1270", "690"), // over nothing that answers
			shoot(250, "The agent says that the kettle is in the basket. It is not."),
			d.press("the failed turn",
				func(s windowState) bool { return s.Turn == 4 && len(s.Marks) > 0 && s.Chars > 0 }, "n"),
			d.await("the element that the answer means", func(s windowState) bool {
				return s.Selected == 29 && strings.Contains(s.LineText, "Add Heron")
			}),
			d.press("the conversation", side("Messages"), "q"), // it is read meanwhile
			d.press("the text as it was sent", side("Text"), "t"),
			shoot(450, "N goes to the red turn: the click was meant for “Add”, and a cookie banner took it."),
			d.press("the conversation", side("Messages"), "q"),
			shoot(350, "Every message is there, as the model read it, with the agent's own numbers."),
			d.press("the turn after", func(s windowState) bool { return s.Turn == 5 && len(s.Marks) > 0 }, "j"),
			d.press("the conversation", side("Messages"), "q"),
			shoot(350, "One turn later: the tool said “Successfully clicked”, and nothing changed on the page."),
		)(ctx)
	}
}
