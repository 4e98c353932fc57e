package loopback

import (
	"context"
	"errors"
	"net/http"
)

// Server serves HTTP at an address of this computer until [Server.Close].
type Server struct {
	Addr  string // HOST:PORT
	web   *http.Server
	ended chan struct{} // closed when nothing is served any more
}

// Serve serves at HOST:PORT, under the first of the addresses that a name means. failed is called where serving ends
// before it is closed.
func Serve(ctx context.Context, hostPort string, web *http.Server, failed func(error)) (*Server, error) {
	l, err := listen(ctx, hostPort)
	if err != nil {
		return nil, err
	}
	s := &Server{l.Addr().String(), web, make(chan struct{})}
	go func() { // ends with web; Close waits for it
		defer close(s.ended)
		if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			failed(err)
		}
	}()
	return s, nil
}

// Close lets the requests in progress end, as long as the context lasts; then it breaks them off: streams may have no
// end of their own.
func (s *Server) Close(ctx context.Context) {
	if s.web.Shutdown(ctx) != nil {
		_ = s.web.Close() // nobody reads the rest
	}
	<-s.ended
}
