package mcp

// Written waits until the turns of all answers that were given are on disk.
func (s *Server) Written() {
	s.mu.Lock()
	var list []*clientSession
	for _, c := range s.clients {
		list = append(list, c)
	}
	s.mu.Unlock()
	for _, c := range list {
		c.written()
	}
}
