package main

import (
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/target"
)

// checkAttach reads --attach and --attach-header. A single browser that is reached by HOST:PORT or its own
// WebSocket address is attached to as it is, by every command; gateways, and several browsers, are a pool.
func (a *app) checkAttach() error {
	list, header, err := target.ReadAttach(a.attached, a.attachHeader, a.remark)
	if err != nil {
		return err
	}
	a.attach = target.PlainBrowser(list, header)
	if a.attach == "" && len(list) > 0 && a.pool == nil {
		a.pool = browser.NewPool(browser.Options{Header: header, Width: a.width, Height: a.height, Log: a.log()},
			list...)
	}
	return nil
}

// oneBrowser refuses a pool where a command keeps to one browser.
func (a *app) oneBrowser() error {
	if a.pool == nil {
		return nil
	}
	return usagef("this command attaches to one browser by HOST:PORT: gateways, and several browsers, are for " +
		"commands that capture pages, such as snap, mark, turn, audit, golden and batch, without --keep")
}
