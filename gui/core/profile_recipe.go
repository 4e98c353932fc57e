package core

// ProfileRecipeRun runs a recipe of the text in the editor, by its place in the list, in
// the tab in use. What it does is a turn, and its answer is in the console of steps (C-17).
type ProfileRecipeRun struct{ Index int }

func (m ProfileRecipeRun) Apply(s State) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil || d.Check == nil || d.Check.Seq != d.Seq || m.Index < 0 || m.Index >= len(d.Check.Recipes) {
		return s, nil // the list is of another text
	}
	s.Drawer = DrawerSteps // its answer comes there; what is being written in it stays
	return s.runSteps(d.Check.Recipes[m.Index].Steps, false, false)
}

// canRunRecipes: the editor has recipes, and they are those of its text.
func (s State) canRunRecipes() bool {
	d := s.OpenDraft()
	return s.Side == SideProfile && d != nil && d.Check != nil && d.Check.Seq == d.Seq && len(d.Check.Recipes) > 0 && ready(s)
}

// CmdProfileRecipes moves the keyboard to the recipes that can be run.
const CmdProfileRecipes = "profile.recipes"

// FocusRecipes does so.
type FocusRecipes struct{}
