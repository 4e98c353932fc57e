package bulk

import (
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// datasetFlags are the flags of dataset build.
type datasetFlags struct {
	dir, shape, model, detail, forms, splits string
	pictures                                 string
	devices, scales, themes, locales         []string
	page                                     cli.CaptureFlags
	options                                  dataset.Options
}

// Dataset makes and measures training data for vision models (V-1 to V-3).
func Dataset(a *cli.App) *cobra.Command {
	return cli.Family("dataset build|check", "training data for vision models, made of pages and turns, and measured",
		`  refscopectl dataset build assets/demo/index.html --as screenspot-pro -o out/set
  refscopectl dataset check out/set --sheet out/set.html`,
		new(datasetFlags).command(a), datasetCheckCommand(a))
}

// command is dataset build, which f has the flags of.
func (f *datasetFlags) command(a *cli.App) *cobra.Command {
	f.options = dataset.Defaults("")
	c := &cobra.Command{
		Use: "build TARGET… -o DIR --as SHAPE", Short: "a data set of sessions, turns, pages or lists of them",
		Long: `A TARGET here is also a whole session (by its name or folder), ` +
			`a .txt file with a target in each line, or -
for such a list on standard input. Sessions and turns need no browser and are used as they were recorded; a page
is captured once for each combination of --device, --scale, --theme and --locale.

A build that was interrupted goes on when the same command is run again. The same pages give the same bytes.`,
		Example: `  refscopectl dataset build assets/demo/index.html --as screenspot-pro -o out/set
  refscopectl dataset build pages.txt --as coco --device 1280x720,iphone-14 --theme light,dark --jobs 4 -o out/coco
  refscopectl dataset build out/session --as som --model claude-opus-4-8 --splits train=80,test=20 -o out/som`,
		ValidArgsFunction: a.Targets(),
		RunE:              func(c *cobra.Command, args []string) error { return buildDataset(c.Context(), a, f, args) },
	}
	fs := c.Flags()
	fs.StringVarP(&f.dir, "output", "o", "", "the folder `DIR` of the set; created if missing")
	cli.Must(c.MarkFlagDirname("output"))
	fs.StringVar(&f.shape, "as", "", "the form of the set: `SHAPE` is "+strings.Join(cli.Strings(dataset.Shapes()),
		"|"))
	fs.StringVar(&f.model, "model", "",
		"the vision model to be trained, by `NAME`: pictures get the size to which its vendor resizes")
	fs.StringVar(&f.detail, "detail", "",
		"how closely it looks, of what the model takes: `auto|low|medium|high|ultra_high|original`")
	fs.StringVar(&f.pictures, "pictures", "png", "the `png|webp|jpg` of the pictures; jpg blurs text")
	fs.BoolVar(&f.options.Marked, "marked", false, "write the marked picture and its manifest too; som has them anyway")
	fs.StringVar(&f.splits, "splits", "", "divide the sites, never the pages of one, as in `train=80,test=20`")
	fs.StringVar(&f.options.Name, "name", "", "`NAME` of the set, for its card")
	fs.StringVar(&f.options.License, "license", "", "its license, for the card: an SPDX `IDENTIFIER`")
	cli.CompleteFlag(c, "as", cli.Strings(dataset.Shapes())...)
	cli.CompleteFlag(c, "pictures", "png", "webp", "jpg")
	cli.CompleteFlag(c, "detail", "auto", "low", "medium", "high", "ultra_high", "original")
	labels := pflag.NewFlagSet("", pflag.ContinueOnError)
	labels.StringVar(&f.forms, "forms", string(dataset.ByRole),
		"`FORMS` of instructions, with commas: "+strings.Join(cli.Strings(dataset.Forms()), ", "))
	labels.BoolVar(&f.options.Negatives, "negatives", false,
		"keep what is covered, cut off or tiny as examples of what is not to be found, where the shape has a place "+
			"for them")
	labels.Float64Var(&f.options.MinVisible, "min-visible", f.options.MinVisible,
		"the `SHARE` of an element, 0 to 1, that must be visible for it to be a target")
	labels.IntVar(&f.options.MinSide, "min-size", f.options.MinSide,
		"the `PX` of its shorter side that a target must have")
	cli.AddSection(c, "What is a target", labels)
	looks := pflag.NewFlagSet("", pflag.ContinueOnError)
	looks.StringSliceVar(&f.devices, "device", nil,
		"`DEVICES` or WIDTHxHEIGHT, with commas; default that of --viewport")
	looks.StringSliceVar(&f.scales, "scale", nil,
		"`NUMBERS` of device px for one CSS px, with commas; default the device's")
	looks.StringSliceVar(&f.themes, "theme", nil, "`light,dark`, or one of them, as prefers-color-scheme")
	looks.StringSliceVar(&f.locales, "locale", nil,
		"`LOCALES` such as en-US,de-DE, as Accept-Language and navigator.language")
	cli.AddSection(c, "How pages are shown", looks)
	cli.CompleteFlag(c, "device", cli.Viewports()...)
	cli.CompleteFlag(c, "theme", "light", "dark")
	cli.OfPages(c, "device", "scale", "theme", "locale")
	f.page.Register(c)
	f.page.RegisterJobs(c)
	return c
}

// check reads the flags that are words.
func (f *datasetFlags) check() (err error) {
	o := &f.options
	switch {
	case f.dir == "":
		return cli.Usagef("dataset build: name the folder of the set with -o DIR")
	case f.shape == "":
		return cli.Usagef("dataset build: choose the form with --as %s", strings.Join(cli.Strings(dataset.Shapes()),
			"|"))
	case f.options.Marked && f.shape == string(dataset.SoM):
		return cli.Usagef("dataset build: --marked changes nothing with --as som, which has the marked pictures " +
			"anyway: leave it out")
	case f.detail != "" && f.model == "":
		return cli.Usagef("dataset build: --detail is how closely a model looks: name it with --model")
	case f.pictures != "png" && f.pictures != "webp" && f.pictures != "jpg":
		return cli.Usagef("dataset build: --pictures %q: choose png, webp or jpg", f.pictures)
	}
	if o.Shape, err = dataset.ParseShape(f.shape); err != nil {
		return cli.Usagef("dataset build: --as: %v", err)
	}
	if o.Forms, err = dataset.ParseForms(f.forms); err != nil {
		return cli.Usagef("dataset build: --forms: %v", err)
	}
	if o.Splits, err = dataset.ParseSplits(f.splits); err != nil {
		return cli.Usagef("dataset build: --splits: %v", err)
	}
	if f.model != "" {
		var known bool
		if o.Model, known = vision.Lookup(f.model); !known {
			return cli.Usagef("dataset build: --model %q is not known: refscopectl mark --help lists the models",
				f.model)
		}
		if o.Detail, err = vision.ParseDetail(f.detail); err != nil {
			return cli.Usagef("dataset build: --detail: %v", err)
		}
	}
	o.Marked = o.Marked || o.Shape == dataset.SoM
	if err := o.Check(); err != nil {
		return cli.Usagef("dataset build: %v", err)
	}
	return f.page.CheckJobs("dataset build")
}

// looks are all combinations of devices, scales, themes and locales. Where none of them is given there is one, which
// is that of the global flags.
func (f *datasetFlags) looks(a *cli.App) ([]target.Appearance, error) {
	orOne := func(list []string, one string) []string {
		if len(list) == 0 {
			return []string{one}
		}
		return list
	}
	var out []target.Appearance
	for _, name := range orOne(f.devices, a.Viewport) {
		d, _, ok := cli.ViewportOf(name)
		if !ok {
			return nil, cli.Usagef("dataset build: --device %q: name a device such as iphone-14, or WIDTHxHEIGHT in "+
				"CSS px",
				name)
		}
		for _, scale := range orOne(f.scales, "") {
			own := d
			if scale != "" {
				var err error
				if own.Scale, err = strconv.ParseFloat(scale, 64); err != nil || !(own.Scale > 0) {
					return nil, cli.Usagef("dataset build: --scale %q: write a number above 0, such as 2", scale)
				}
			}
			if err := own.Check(); err != nil {
				return nil, cli.Usagef("dataset build: --scale: %v", err)
			}
			for _, theme := range orOne(f.themes, "") {
				if theme != "" && theme != "light" && theme != "dark" {
					return nil, cli.Usagef("dataset build: --theme %q: choose light or dark", theme)
				}
				for _, locale := range orOne(f.locales, "") {
					if strings.Trim(locale, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
						return nil, cli.Usagef("dataset build: --locale %q: write it as in en-US or de", locale)
					}
					out = append(out, target.Appearance{Device: &own, Media: browser.Media{Scheme: theme},
						Locale: locale})
				}
			}
		}
	}
	return out, nil
}
