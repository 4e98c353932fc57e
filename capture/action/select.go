package action

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/refscope/refscope/capture/collect"
)

// Choice selects options of a list box. Exactly one member is set.
type Choice struct {
	Values []string // by value
	Labels []string // by the text that a person sees
	Index  *int     // by place, from 0
	Either []string // by value, or else by label
}

func (c Choice) String() string {
	switch {
	case c.Index != nil:
		return fmt.Sprintf("at place %d", *c.Index)
	case len(c.Labels) > 0:
		return "labelled " + listed(c.Labels)
	case len(c.Values) > 0:
		return "with the value " + listed(c.Values)
	}
	return listed(c.Either)
}

func listed(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(quoted, ", ")
}

// Option is one option of a list box.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// chosenFrom is what an element cannot be that is no list box, see [NotEditableError].
const chosenFrom = "chosen from"

// Selected is the present selection of a list box.
type Selected struct {
	Values   []string
	Multiple bool
	// Kept: the page has left it as it was chosen.
	Kept bool
}

//
//go:embed js/select.js
var selectJS string

// Select chooses options of a list box and fires the events once, if anything changed.
// No such option is a [*NoOptionError] that lists what there is.
func (p *Page) Select(ctx context.Context, el collect.Element, c Choice) (*Selected, error) {
	if err := p.nowPrepared(ctx); err != nil {
		return nil, err
	}
	var answer struct {
		Wrong, Disabled string
		Missing, Single bool
		Locked          bool
		Total           int
		Options         []Option
		Values          []string
		Multiple, Kept  bool
	}
	if err := call(ctx, el, selectJS, c, &answer); err != nil {
		return nil, unrun(err)
	}
	if answer.Wrong == "label" {
		if field, err := p.fieldOf(ctx, el); err == nil && field != nil {
			return p.Select(ctx, *field, c)
		}
	}
	switch {
	case answer.Wrong != "":
		return nil, &NotEditableError{To: chosenFrom, Why: "it is <" + answer.Wrong +
			">, no <select>: click it, and then the option that it shows"}
	case answer.Locked:
		return nil, &NotEditableError{To: chosenFrom, Why: "it is disabled"}
	case answer.Missing:
		return nil, &NoOptionError{Want: c.String(), Options: answer.Options, Total: answer.Total}
	case answer.Disabled != "":
		return nil, fmt.Errorf("the option %q is disabled", answer.Disabled)
	case answer.Single:
		return nil, &NotEditableError{To: chosenFrom, Why: "its list box takes one option"}
	}
	return &Selected{Values: answer.Values, Multiple: answer.Multiple, Kept: answer.Kept}, nil
}

// chooserWithin is how long after a click on "Upload" its file chooser may open.
const chooserWithin = 3 * time.Second

// Upload gives a file input its files, by their absolute paths. Any other element is clicked, as a person clicks an
// "Upload" whose input is hidden, and the input whose chooser opens gets the files.
func (p *Page) Upload(ctx context.Context, el collect.Element, files []string) error {
	var kind struct {
		File, Multiple, Folder bool
	}
	if err := call(ctx, el,
		`(node) => ({ File: node.matches('input[type=file]'), Multiple: !!node.multiple,
			Folder: !!node.webkitdirectory })`,
		nil, &kind); err != nil {
		return err
	}
	node, many := el.Node, kind.Multiple || kind.Folder
	if !kind.File {
		chooser, err := el.Realm.Session().OpensChooser(ctx, func() error {
			_, err := p.Click(ctx, el, ClickOptions{Options: Options{Strict: true}})
			return err
		}, chooserWithin)
		switch {
		case err != nil:
			return err
		case chooser == nil:
			return &NotEditableError{To: "given files",
				Why: "it is not a file input, and a click on it opens no file chooser"}
		}
		node, many = chooser.Node, chooser.Multiple
	}
	if len(files) > 1 && !many {
		return &NotEditableError{To: "given files", Why: fmt.Sprintf("it takes one file, not %d", len(files))}
	}
	_, err := cdp.Call(ctx, el.Realm.Session(), dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files,
		BackendNodeID: cdp.BackendNodeID(node)})
	if err != nil {
		return fmt.Errorf("giving the input its files: %w", err)
	}
	return nil
}
