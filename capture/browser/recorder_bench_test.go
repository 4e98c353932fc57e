package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// lifeOf are the events of a request as Chrome reports one with twenty headers each way.
func lifeOf(id int) map[string]string {
	var headers []string
	for i := range 20 {
		headers = append(headers, fmt.Sprintf(`"x-header-%d":"%s"`, i, strings.Repeat("v", 40)))
	}
	all := "{" + strings.Join(headers, ",") + "}"
	url := fmt.Sprintf("https://shop.example/static/chunks/%d.js?v=%d", id, id*7919)
	return map[string]string{
		"Network.requestWillBeSent": fmt.Sprintf(`{"requestId":"77.%d","loaderId":"L","documentURL":"https://shop.example/","request":{"url":%q,"method":"GET","headers":%s,"mixedContentType":"none","initialPriority":"High","referrerPolicy":"strict-origin-when-cross-origin","isSameSite":true,"isAdRelated":false},"timestamp":100.5,"wallTime":1790000000.5,"initiator":{"type":"script","stack":{"callFrames":[{"functionName":"load","scriptId":"12","url":"https://shop.example/app.js","lineNumber":10,"columnNumber":3}]}},"redirectHasExtraInfo":false,"type":"Fetch","frameId":"F","hasUserGesture":false}`, id, url, all),
		"Network.responseReceived":  fmt.Sprintf(`{"requestId":"77.%d","loaderId":"L","timestamp":100.6,"type":"Fetch","response":{"url":%q,"status":200,"statusText":"","headers":%s,"mimeType":"text/javascript","charset":"utf-8","connectionReused":true,"connectionId":12,"remoteIPAddress":"127.0.0.1","remotePort":443,"fromDiskCache":false,"fromServiceWorker":false,"fromPrefetchCache":false,"encodedDataLength":300,"timing":{"requestTime":100.5,"proxyStart":-1,"proxyEnd":-1,"dnsStart":-1,"dnsEnd":-1,"connectStart":-1,"connectEnd":-1,"sslStart":-1,"sslEnd":-1,"workerStart":-1,"workerReady":-1,"workerFetchStart":-1,"workerRespondWithSettled":-1,"sendStart":1,"sendEnd":2,"pushStart":0,"pushEnd":0,"receiveHeadersStart":50,"receiveHeadersEnd":51},"protocol":"h2","securityState":"secure"},"hasExtraInfo":true,"frameId":"F"}`, id, url, all),
		"Network.dataReceived":      fmt.Sprintf(`{"requestId":"77.%d","timestamp":100.7,"dataLength":30000,"encodedDataLength":0}`, id),
		"Network.loadingFinished":   fmt.Sprintf(`{"requestId":"77.%d","timestamp":100.8,"encodedDataLength":9000}`, id),
	}
}

// BenchmarkRequest is what one request costs from its first event to its last.
func BenchmarkRequest(b *testing.B) {
	t := &Tab{net: newTraffic(), log: newJournal()}
	s := &Session{handlers: map[string][]func(jsonv2.Value){}, queues: map[string][]*queue{}}
	follow(t, s)
	events := make([]map[string]string, 500)
	for i := range events {
		events[i] = lifeOf(i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		life := events[i%len(events)]
		for _, method := range []string{"Network.requestWillBeSent", "Network.responseReceived", "Network.dataReceived", "Network.loadingFinished"} {
			s.publish(method, jsonv2.Value(life[method]))
		}
	}
}

func follow(t *Tab, s *Session) {
	t.requests = newRecorder(t.log)
	t.watch(s, "")
}

// BenchmarkLayer is what the layer of a page with 200 requests costs at a capture.
func BenchmarkLayer(b *testing.B) {
	t := &Tab{net: newTraffic(), log: newJournal()}
	s := &Session{handlers: map[string][]func(jsonv2.Value){}, queues: map[string][]*queue{}}
	follow(t, s)
	for i := range 200 {
		for _, method := range []string{"Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished"} {
			s.publish(method, jsonv2.Value(lifeOf(i)[method]))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if got := len(t.Network(time.Now()).Requests); got != 200 {
			b.Fatal(got)
		}
	}
}
