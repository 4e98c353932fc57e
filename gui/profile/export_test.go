package profile

// What only the tests of this package name from outside.

const (
	ProfileFront = profileFront
)

type (
	FocusProfile    = focusProfile
	ForgetUnsaved   = forgetUnsaved
	LookAgain       = lookAgain
	RecipeRun       = recipeRun
	RecoverUnsaved  = recoverUnsaved
	Reverted        = reverted
	RevisionsListed = revisionsListed
	Undone          = undone
)

var (
	CanRunRecipes    = canRunRecipes
	DraftChosen      = draftChosen
	DraftOf          = draftOf
	Fill             = fill
	Find             = find
	ImportAsked      = importAsked
	LookedAgain      = lookedAgain
	Made             = made
	MakeAsked        = makeAsked
	Recovered        = recovered
	Restored         = restored
	RuleAsked        = ruleAsked
	UnsavedForgotten = unsavedForgotten
	WithSection      = withSection
)
