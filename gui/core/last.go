package core

// LastRoom has the commands that stand last in their menus.
func LastRoom() Room {
	return Room{Name: "last", Commands: func(State) []Command {
		return []Command{
			{ID: "quit", Title: "Quit", Menu: "File", Key: "Ctrl+Q", Gap: true, Enabled: always, Msg: send(CloseAsked{})},
			{ID: CmdHelp, Title: "Commands and keys", Menu: "Help", Key: "?", Enabled: always,
				Checked: func(s State) bool { return s.Dialog == DialogHelp }, Msg: send(HelpToggled{})},
		}
	}}
}
