package sentinel

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
)

// probeJS queries one document; ASK is the placeholder of the query.
//
//go:embed probe.js
var probeJS string

// maxFrames are asked, the main frame first: a page of a thousand frames has its
// messages in one of the first.
const maxFrames = 20

// wanted is one thing that is looked for in a document.
type wanted struct {
	Text     string  `json:"text,omitempty"`
	Selector string  `json:"selector,omitempty"`
	UID      int     `json:"uid,omitempty"`
	Value    *string `json:"value,omitempty"`
}

// found is the answer of one document.
type found struct {
	Seen  int   `json:"seen"`  // how many can be seen
	There int   `json:"there"` // how many there are; not of texts
	Wrong bool  `json:"wrong"` // it is no selector
	Holds *bool `json:"holds"` // the first one holds the value
	// Value and State are hashes of those of the first one.
	Value uint32 `json:"value"`
	State uint32 `json:"state"`
}

// add merges the answers of two documents about the same thing.
func (f *found) add(o found) {
	if f.There == 0 {
		f.Value, f.State = o.Value, o.State
	}
	if f.Holds == nil {
		f.Holds = o.Holds
	}
	f.Seen, f.There, f.Wrong = f.Seen+o.Seen, f.There+o.There, f.Wrong || o.Wrong
}

// document is how one document is.
type document struct {
	Unknown   bool            `json:"unknown"` // our observer is not in it
	At        float64         `json:"at"`      // ms of its own clock
	Mutations int             `json:"mutations"`
	Scroll    uint32          `json:"scroll"`
	Rendered  int             `json:"rendered"` // elements that a person could see, scrolled to
	URL       string          `json:"url"`
	Values    uint32          `json:"values"`
	States    uint32          `json:"states"`
	Focus     int             `json:"focus"`
	Strayed   bool            `json:"strayed"` // the element that is clicked is here, and is not in what has the focus
	Counts    []found         `json:"counts"`
	Errors    []string        `json:"errors"`
	Successes []string        `json:"successes"`
	Notes     []collect.Noted `json:"notes"`
	// elapsed is the time since the action began, ms, when the answer came: a busy page answers late, and the notes'
	// ages are those of its answer.
	elapsed float64
}

// scene is how the page is: its documents by frame and loader.
type scene struct {
	url  string
	main string // loader of the main document
	docs map[string]*document
	keys []string // of docs, in the order of the frames
	tabs int      // that the page opened
}

// probe asks all documents of the page. What they noted is requested from the time that
// since has for them, and from their beginning for those that it does not know.
func (w *Watcher) probe(ctx context.Context) (*scene, error) {
	frames, err := w.page.KnownFrames(ctx)
	if err != nil {
		return nil, err
	}
	s := &scene{docs: map[string]*document{}}
	frames = frames[:min(len(frames), maxFrames)]
	docs, errs := make([]*document, len(frames)), make([]error, len(frames))
	realms := make([]*browser.Realm, len(frames))
	var work sync.WaitGroup
	defer work.Wait()
	for i, f := range frames {
		work.Go(func() {
			if realms[i], errs[i] = f.Enter(ctx); errs[i] == nil {
				docs[i], errs[i] = w.ask(ctx, realms[i], f.ID+" "+realms[i].Loader)
			}
		})
	}
	list, err := w.page.Tab().Browser().Tabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		if t.Opener == w.page.Tab().ID() {
			s.tabs++
		}
	}
	work.Wait()
	for i, f := range frames {
		d := docs[i]
		if errs[i] != nil {
			if i == 0 || ctx.Err() != nil {
				return nil, errs[i]
			}
			continue // a frame that cannot be read, or is going
		}
		if i == 0 {
			s.url, s.main = d.URL, realms[0].Loader
			if d.Unknown {
				return nil, errors.New("the page's document is not observed")
			}
		}
		if key := f.ID + " " + realms[i].Loader; !d.Unknown {
			s.docs[key] = d
			s.keys = append(s.keys, key)
		}
	}
	return s, nil
}

func (w *Watcher) ask(ctx context.Context, realm *browser.Realm, key string) (*document, error) {
	question := struct {
		Since   float64  `json:"since"`
		Wanted  []wanted `json:"wanted"`
		Pressed int      `json:"pressed"`
	}{Wanted: []wanted{}}
	if w.pressed.key == key {
		question.Pressed = w.pressed.uid
	}
	if w.before != nil {
		if d := w.before.docs[key]; d != nil {
			question.Since = d.At
		}
	}
	for _, x := range w.wanted {
		q := wanted{Text: x.e.Text, Selector: x.e.Selector, Value: x.e.Value}
		if x.uid != 0 {
			if x.key != key {
				q.UID = -1 // it is of another document
			} else {
				q.UID = x.uid
			}
		}
		question.Wanted = append(question.Wanted, q)
	}
	b, err := json.Marshal(question)
	if err != nil {
		return nil, fmt.Errorf("asking the page: %w", err)
	}
	text, err := realm.Eval(ctx, strings.Replace(probeJS, "(ASK)", "("+string(b)+")", 1))
	if err != nil {
		return nil, err
	}
	d := &document{elapsed: float64(w.sinceBegan().Milliseconds())}
	if err := json.Unmarshal([]byte(text), d); err != nil {
		return nil, fmt.Errorf("what the page answered: %w", err)
	}
	if d.Unknown {
		return d, nil
	}
	if len(d.Counts) != len(w.wanted) {
		return nil, errors.New("the page did not answer all that was asked")
	}
	for _, list := range [][]string{d.Errors, d.Successes} {
		for i := range list {
			list[i] = w.redactor.Clean(list[i])
		}
	}
	for i := range d.Notes {
		d.Notes[i].Text = w.redactor.Clean(d.Notes[i].Text)
	}
	return d, nil
}

// of merges the answers of all documents about one wanted thing.
func (s *scene) of(i int) found {
	var sum found
	for _, k := range s.keys {
		sum.add(s.docs[k].Counts[i])
	}
	return sum
}
