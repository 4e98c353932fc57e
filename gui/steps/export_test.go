package steps

// What only the tests of this package name from outside.

const (
	MaxDraft = maxDraft
)

type (
	ActConfirmed   = actConfirmed
	FocusSteps     = focusSteps
	PageAnswered   = pageAnswered
	StepsCompleted = stepsCompleted
	StepsEdited    = stepsEdited
	StepsLine      = stepsLine
	StepsRan       = stepsRan
	StepsRecalled  = stepsRecalled
)

var (
	ActToggled    = actToggled
	StepsChecked  = stepsChecked
	StepsHistory  = stepsHistory
	StepsRunAsked = stepsRunAsked
	StepsTaken    = stepsTaken
	StepsToggled  = stepsToggled
)
