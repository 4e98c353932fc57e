package cli

import (
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/target"
)

// checkAttach reads --attach and --attach-header. A single browser that is reached by HOST:PORT or its own
// WebSocket address is attached to as it is, by every command; gateways, and several browsers, are a pool.
func (a *App) checkAttach() error {
	list, header, err := target.ReadAttach(a.attached, a.attachHeader, a.Remark)
	if err != nil {
		return err
	}
	a.Attach = target.PlainBrowser(list, header)
	if a.Attach == "" && len(list) > 0 && a.Pool == nil {
		a.Pool = browser.NewPool(browser.Options{Header: header, Width: a.Width, Height: a.Height, Log: a.Log()},
			list...)
	}
	return nil
}

// OneBrowser refuses a pool where a command keeps to one browser.
func (a *App) OneBrowser() error {
	if a.Pool == nil {
		return nil
	}
	return Usagef("this command attaches to one browser by HOST:PORT: gateways, and several browsers, are for " +
		"commands that capture pages, such as snap, mark, turn, audit, golden and batch, without --keep")
}
