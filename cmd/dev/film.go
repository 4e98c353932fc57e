package main

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

// tourTask films the recorded run of an agent in the real window and writes the moving picture of the README, and
// beside it the other pictures of the documents: a moment of the film, and the ends of stories.
func tourTask(ctx context.Context, d *dev, args []string) error {
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	yes := flags.Bool("y", false, "install what is missing without asking")
	out := flags.String("o", filepath.Join("assets", "readme", "tour.gif"), "the file to write")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return usageError{fmt.Errorf("tour: %w", cmp.Or(err, errors.New("it takes flags only")))}
	}
	if err := d.setUp(ctx, testNeeds(d.machine), *yes); err != nil {
		return err
	}
	t := &test{dev: d, begin: time.Now()}
	var scenes []scene
	chosen := []story{{name: "film", before: importAgent, do: func(ctx context.Context, d *driver) error {
		return missedClick(&scenes)(ctx, d)
	}}}
	for _, s := range stories() {
		if slices.Contains(pictured, s.name) {
			chosen = append(chosen, s)
		}
	}
	if said, err := playStories(ctx, t, image.Pt(1280, 700), chosen); err != nil {
		return fmt.Errorf("%w\n%s", err, visible(said))
	}
	call := []string{"-loop", "0", "-font", "Liberation-Sans", "-pointsize", "22", "-gravity", "south"}
	for _, s := range scenes {
		call = append(call, "(", "-delay", strconv.Itoa(s.time), s.file, "-background", "#101318", "-splice", "0x46",
			"-fill", "#ffffff", "-annotate", "+0+10", s.caption, ")")
	}
	call = append(call, "+dither", "-colors", "128", "-layers", "OptimizeTransparency", filepath.Join(d.root, *out))
	if said, err := t.tool(ctx, nil, "convert", call...); err != nil {
		return fmt.Errorf("the moving picture: %w\n%s", err, visible(said))
	}
	d.say("%s", *out)
	pictures := map[string]string{"window": scenes[1].file}
	for _, name := range pictured {
		pictures[name] = t.artifact("story-" + name + ".png")
	}
	for _, name := range slices.Sorted(maps.Keys(pictures)) {
		file := filepath.Join(filepath.Dir(*out), name+".png")
		if said, err := t.tool(ctx, nil, "convert", pictures[name], "+dither", "-colors", colours, "-strip",
			filepath.Join(d.root, file)); err != nil {
			return fmt.Errorf("the picture %s: %w\n%s", file, err, visible(said))
		}
		d.say("%s", file)
	}
	return nil
}

// importAgent puts the agent's run into the home of a story, as the session "agent".
func importAgent(ctx context.Context, d *driver) error {
	out, err := d.run(ctx, "session", "import", filepath.Join(d.test.root, filepath.FromSlash(agentSession)),
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
				*scenes = append(*scenes, scene{d.test.artifact(file), time, caption})
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
