package sentinel

// Default is the expectation for a plain action (the seed's quickVerify) where the agent
// gives none: the action is its verb in any of the agents' spellings, the element is its
// number (0 for none) and its role ("" where it is unknown).
//
//	click                                              any change, of the focus that it goes elsewhere
//	click on a field of text                           any change, the focus counted
//	double click, scroll, drag                         any change
//	press                                              any change, the focus counted
//	click on a checkbox, radio button, switch, option  its state changes
//	fill, set value, type, select                      the element's value changes
//	check, uncheck, toggle                             the element's state changes
//	navigate, go to, back, forward, reload             a navigation
//	everything else                                    no error
func Default(action string, ref int, role string) *Expectation {
	switch action {
	case "fill", "setValue", "set_value", "type", "select", "upload":
		return &Expectation{Type: ValueChanges, Ref: ref}
	case "check", "uncheck", "toggle":
		return &Expectation{Type: StateChanges, Ref: ref}
	case "navigate", "goto", "goBack", "goForward", "back", "forward", "reload":
		return &Expectation{Type: Navigation}
	case "click":
		switch role {
		case "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "tab":
			// A click on them may also lead on, as a tab's does that is a link.
			return &Expectation{Type: StateChanges, Ref: ref, Or: &Expectation{Type: AnyChange}}
		}
		switch role {
		case "textbox", "searchbox", "combobox", "spinbutton": // to write there is what a click on it is for
			return &Expectation{Type: AnyChange, focus: true}
		}
		return &Expectation{Type: AnyChange, pressed: ref}
	case "press", "keypress":
		return &Expectation{Type: AnyChange, focus: true}
	case "doubleClick", "scroll", "scroll_to", "drag":
		return &Expectation{Type: AnyChange}
	}
	return &Expectation{Type: NoChange}
}
