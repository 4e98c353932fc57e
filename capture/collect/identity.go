package collect

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// Identity is what is known of the element that a ref represents: which object it is,
// and its properties when it was last seen. A zero value of a field means
// unknown.
type Identity struct {
	Ref int
	// Spelled is the ref as it was written, "" for its number.
	Spelled string
	// Frame, Loader and UID name the object; Node is its backendNodeId.
	Frame, Loader string
	UID           int
	Node          int64

	Tag, Role, Name string
	Path            string
	Box             snapshot.Box // top viewport, CSS px
}

// Called names the element in an error: by its ref as it was written.
func (id Identity) Called() string {
	switch {
	case id.Spelled != "":
		return "ref " + id.Spelled
	case id.Ref > 0:
		return "ref " + strconv.Itoa(id.Ref)
	}
	return "the element"
}

// IdentityOf is the identity of a node as a capture has it.
func IdentityOf(c *snapshot.Capture, n *snapshot.Node) Identity {
	id := Identity{
		Ref: n.Ref, UID: n.UID, Node: n.BackendNodeID,
		Tag: n.Tag, Role: n.Role, Name: called(n), Path: n.Path, Box: n.Box,
	}
	if n.Frame >= 0 && n.Frame < len(c.Frames) {
		id.Frame, id.Loader = c.Frames[n.Frame].ID, c.Frames[n.Frame].Loader
	}
	return id
}

// called is the element in words for a person: its name, or its text.
func called(n *snapshot.Node) string {
	if n.Name != "" {
		return n.Name
	}
	return n.Text
}

// Element is a live element of a page, for as long as its document lives.
type Element struct {
	Realm *browser.Realm
	Node  int64 // backendNodeId
	UID   int
}

// errNotThere is the error of a lookup by identity that finds nothing.
var errNotThere = errors.New("the element is not there")

// byUIDs finds, in the registry of our world, the elements with these uids that are still in
// the document, closed shadow roots that are known included: in the order of the uids, null for
// what is not there.
//
//go:embed js/byuids.js
var byUIDs string

// Nodes are the backendNodeIds of the elements with these uids, which must differ from one
// another, in the document that the realm is of: in their order, 0 for one that is not there.
func Nodes(ctx context.Context, realm *browser.Realm, uids []int) ([]int64, error) {
	if len(uids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(uids)
	if err != nil {
		return nil, fmt.Errorf("encoding uids: %w", err)
	}
	facts, err := realm.Describe(ctx, "("+byUIDs+")("+string(list)+")")
	if err != nil {
		return nil, err
	}
	if len(facts) != len(uids) {
		return nil, fmt.Errorf("the browser described %d of %d elements", len(facts), len(uids))
	}
	nodes := make([]int64, len(facts))
	for k, f := range facts {
		nodes[k] = f.Node
	}
	return nodes, nil
}

// uidOf answers the uid and tag of the node that it is called with, if it is still
// in the document.
const uidOf = `function(node) {
	if (!node || !node.isConnected) return '';
	return JSON.stringify([globalThis.__refscope.ids.get(node) || 0, node.localName]);
}`

// live finds the very object that an identity names, by its uid or else by its
// backendNodeId. Where the two disagree it is not there: never another element.
func live(ctx context.Context, tab *browser.Tab, id Identity) (Element, string, error) {
	realm, err := enterFrame(ctx, tab, id.Frame, id.Loader)
	if err != nil {
		return Element{}, "", err
	}
	el, stage, err := liveIn(ctx, realm, id)
	if errors.Is(err, browser.ErrNavigated) {
		err = errNotThere
	}
	return el, stage, err
}

// enterFrame is our world of a frame, in whichever process it lives; errNotThere where the frame is gone or shows
// another document than loader.
func enterFrame(ctx context.Context, tab *browser.Tab, frame, loader string) (*browser.Realm, error) {
	remote, _ := tab.FrameSessions(ctx)
	sessions := []*browser.Session{tab.Session()}
	if own := remote[frame]; own != nil {
		sessions = []*browser.Session{own}
	} else {
		// A frame of the same process as one of the others.
		for _, other := range remote {
			sessions = append(sessions, other)
		}
	}
	for _, s := range sessions {
		realm, err := s.Known(ctx, frame)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			continue
		}
		if realm.Loader != loader {
			return nil, errNotThere
		}
		return realm, nil
	}
	return nil, errNotThere
}

func liveIn(ctx context.Context, realm *browser.Realm, id Identity) (Element, string, error) {
	defer realm.Release(ctx)
	if id.UID != 0 {
		nodes, err := Nodes(ctx, realm, []int{id.UID})
		if err != nil {
			return Element{}, "", err
		}
		if nodes[0] != 0 && (id.Node == 0 || nodes[0] == id.Node) {
			return Element{Realm: realm, Node: nodes[0], UID: id.UID}, StageRegistry, nil
		}
	}
	if id.Node == 0 {
		return Element{}, "", errNotThere
	}
	text, err := realm.Call(ctx, uidOf, []int64{id.Node})
	if err != nil {
		return Element{}, "", err
	}
	if text == "" {
		return Element{}, "", errNotThere
	}
	var uid int
	var tag string
	if err := json.Unmarshal([]byte(text), &[]any{&uid, &tag}); err != nil {
		return Element{}, "", fmt.Errorf("decoding an element's identity: %w", err)
	}
	if tag != id.Tag || uid != 0 && id.UID != 0 && uid != id.UID {
		return Element{}, "", errNotThere
	}
	return Element{Realm: realm, Node: id.Node, UID: uid}, StageBackend, nil
}
