package browser

import (
	"encoding/json"
	"sync"

	"github.com/chromedp/cdproto/runtime"
)

// worlds knows the execution contexts of a session's frames, as the browser
// announces them: ours, and the page's own. It saves asking for the world before
// every evaluation. A context lives exactly as long as its document.
type worlds struct {
	mu   sync.Mutex
	ours map[string]world // by frame
	page map[string]world
}

// world is one execution context. The number alone may come again after a move to
// another renderer process; the unique name does not.
type world struct {
	id     runtime.ExecutionContextID
	unique string
}

func (w *worlds) listen(s *Session) {
	on(s, runtime.ExecutionContextCreated, func(ev runtime.EventExecutionContextCreated) {
		if ev.Context == nil {
			return
		}
		var aux struct {
			Frame   string `json:"frameId"`
			Default bool   `json:"isDefault"`
		}
		if json.Unmarshal(ev.Context.AuxData, &aux) != nil || aux.Frame == "" {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.ours == nil {
			w.ours, w.page = map[string]world{}, map[string]world{}
		}
		switch {
		case aux.Default:
			w.page[aux.Frame] = world{ev.Context.ID, ev.Context.UniqueID}
		case ev.Context.Name == World:
			w.ours[aux.Frame] = world{ev.Context.ID, ev.Context.UniqueID}
		}
	})
	on(s, runtime.ExecutionContextDestroyed, func(ev runtime.EventExecutionContextDestroyed) {
		w.forget(ev.ExecutionContextUniqueID)
	})
	on(s, runtime.ExecutionContextsCleared, func(runtime.EventExecutionContextsCleared) {
		w.mu.Lock()
		defer w.mu.Unlock()
		clear(w.ours)
		clear(w.page)
	})
}

// of is our world of the frame and the page's own; zero where they are not known.
func (w *worlds) of(frame string) (ours, page world) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ours[frame], w.page[frame]
}

// forget drops a world that is gone.
func (w *worlds) forget(unique string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range []map[string]world{w.ours, w.page} {
		for frame, known := range m {
			if known.unique == unique {
				delete(m, frame)
			}
		}
	}
}
