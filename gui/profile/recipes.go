package profile

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/steps"
)

// recipeRun runs a recipe of the text in the editor, by its place in the list, in
// the tab in use. What it does is a turn, and its answer is in the console of steps (C-17).
type recipeRun struct{ Index int }

func (m recipeRun) Apply(s core.State) (core.State, []core.Effect) {
	d := OpenDraft(s)
	if d == nil || d.Check == nil || d.Check.Seq != d.Seq || m.Index < 0 || m.Index >= len(d.Check.Recipes) {
		return s, nil // the list is of another text
	}
	s.Drawer = steps.Drawer // its answer comes there; what is being written in it stays
	return steps.RunText(s, d.Check.Recipes[m.Index].Steps, false, false)
}

// canRunRecipes reports whether the editor has recipes, and they are those of its text.
func canRunRecipes(s core.State) bool {
	d := OpenDraft(s)
	return s.Side == Side && d != nil && d.Check != nil && d.Check.Seq == d.Seq && len(d.Check.Recipes) > 0 &&
		core.Ready(s)
}

// CmdProfileRecipes moves the keyboard to the recipes that can be run.
const CmdProfileRecipes = "profile.recipes"

// focusRecipes does so.
type focusRecipes struct{}
