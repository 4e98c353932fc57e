package tap

// Keeps is the address of the page that would be kept if the tab left it now, "" for none.
func (w *Watcher) Keeps(id string) string {
	w.mu.Lock()
	t := w.tabs[id]
	w.mu.Unlock()
	if t == nil {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stable == nil {
		return ""
	}
	return t.stable.URL
}
