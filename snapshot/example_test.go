package snapshot_test

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// A capture is plain JSON: refscopectl snap PAGE --format capture --all prints one.
func ExampleCapture_ByRef() {
	const text = `{"schema":"refscope.capture/1","url":"https://shop.example/","title":"Shop","nodes":[
		{"i":0,"parent":-1,"tag":"html","verdict":"container","box":[0,0,800,600]},
		{"i":1,"parent":0,"tag":"button","ref":12,"role":"button","name":"Pay","verdict":"ref","box":[20,40,80,30]}]}`
	var c snapshot.Capture
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&c); err != nil {
		log.Fatal(err)
	}
	n := c.ByRef(12)
	fmt.Printf("[%d] %s %q at %v\n", n.Ref, n.Role, n.Name, n.Box)
	fmt.Println(c.ByRef(13) == nil)
	// Output:
	// [12] button "Pay" at [20 40 80 30]
	// true
}
