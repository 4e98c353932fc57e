package overlay_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"log"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/turn"
)

// A scene decides what is drawn where; the picture, the manifest and the legend are views of it.
func ExampleNewScene() {
	s, err := turn.OpenPath("../snapshot/turn/testdata/releases/0.1.0.refscope")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	r, err := s.Load(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(r.Picture))
	if err != nil {
		log.Fatal(err)
	}
	scene := overlay.NewScene(r.Capture, picture.Bounds().Size(), overlay.Options{View: overlay.ViewModel})
	for _, m := range scene.Manifest("marked.png").Marks {
		fmt.Printf("%d %s %q %s\n", m.Ref, m.Role, m.Name, m.Status)
	}
	// Output:
	// 1 heading "Order tea" still
	// 2 form "" container
	// 3 label "Name" same_thing
	// 4 textbox "Name" drawn
	// 5 label "Password" same_thing
	// 6 textbox "Password" drawn
	// 7 button "Order" drawn
}
