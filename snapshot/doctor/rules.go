package doctor

import "github.com/refscope/refscope/snapshot/audit"

// Ids of the rules.
const (
	PictureMissing     = "request-picture-missing"
	PicturePlaceholder = "request-picture-placeholder"
	PictureStale       = "request-picture-stale"
	PictureScaled      = "request-picture-scaled"
	PictureCropped     = "request-picture-cropped"
	PictureTwice       = "request-picture-twice"
	RefUnknown         = "answer-ref-unknown"
	RefGone            = "answer-ref-gone"
	RefHidden          = "answer-ref-hidden"
	RefCovered         = "answer-ref-covered"
	RefAmbiguous       = "answer-ref-ambiguous"
	PointOutside       = "answer-point-outside"
	TextCut            = "request-text-cut"
	TextStale          = "request-text-stale"
	TextBase           = "request-text-base"
	ToolUnknown        = "answer-tool-unknown"
	Refused            = "answer-refused"
	NoAnswer           = "answer-missing"
	AnswerCut          = "answer-cut"
	Secret             = "request-secret"
	PageSecret         = "request-page-secret"
	HistoryCost        = "request-history-cost"
	CacheBroken        = "request-cache-broken"
	Instructions       = "request-instructions"
)

// Rules lists what the doctor looks for, in the order in which findings of one severity are
// printed.
func Rules() []audit.Rule {
	rule := func(id, title, why, action string, worst audit.Severity) audit.Rule {
		return audit.Rule{ID: id, Title: title, Why: why, Action: action, Worst: worst}
	}
	return []audit.Rule{
		rule(Secret, "A secret was sent to the model",
			"It is with the vendor, and in whatever records the vendor's traffic.",
			"Keep it out of what the agent reads of the page, then change the secret.", audit.Error),
		rule(Refused, "The vendor refused the request",
			"The model was not asked at all, and the agent stands still or tries again.",
			"Read the vendor's message: wait as long as it says, ask for less, or mend the request.", audit.Error),
		rule(NoAnswer, "The request had no answer",
			"The agent waits, gives up or tries again, and does not know what was wanted.",
			"Look at the connection and at the agent's own time limit.", audit.Error),
		rule(AnswerCut, "The answer is cut off",
			"What comes after the cut is not there: the arguments of a call cannot be read, or an action is missing.",
			"Raise the limit of the answer's tokens, ask for less, or look at what stands between agent and vendor.",
			audit.Error),
		rule(ToolUnknown, "The answer calls a tool that was not offered", "The agent cannot run it.",
			"Offer the tool, or tell the model in the next message which tools there are.", audit.Error),
		rule(RefUnknown, "The answer names an element that the request did not hold",
			"The model made the number up, or read it from another turn.",
			"Refuse the action and tell the model which numbers there are.", audit.Error),
		rule(RefGone, "The answer names an element that is gone", "The action fails, or hits what has taken its place.",
			"Read the page again before the action, and drop old dumps from the history.", audit.Error),
		rule(RefHidden, "The answer names an element that is hidden", "Nobody can operate it as the page is.",
			"Leave hidden elements out of the dump, or open what holds them first.", audit.Error),
		rule(RefCovered, "The answer clicks an element that something covers", "The click lands on what lies over it.",
			"Close what covers it first, and mark covered elements in the dump.", audit.Warning),
		rule(RefAmbiguous, "The answer names more than one element", "Which of them is meant is left to chance.",
			"Give every element a number of its own, and have the model use it.", audit.Warning),
		rule(PointOutside, "The answer points outside of the picture", "No element lies there.",
			"Check in which space the model writes coordinates: px of the picture, of the declared screen, or "+
				"thousandths.",
			audit.Error),
		rule(PictureMissing, "The picture is missing", "The model answers about a picture that it was not given.",
			"Send the picture with the message that speaks of it.", audit.Error),
		rule(PicturePlaceholder, "A placeholder is in the place of the picture",
			"The model sees a text or an empty picture where a person sees the page.",
			"Send the picture itself; let only old messages lose theirs.", audit.Error),
		rule(PictureStale, "The picture is older than the text", "Picture and text contradict each other.",
			"Take both at one moment, after the page has settled.", audit.Error),
		rule(TextStale, "The text is older than the picture", "Text and picture contradict each other.",
			"Read the page again whenever a new picture is taken.", audit.Error),
		rule(TextBase, "Changes to a text that is not in the request",
			"The model is told that elements are as they were, and not "+
				"what they are.", "Keep the whole text as long as changes to it are sent, or send it whole again.",
			audit.Warning),
		rule(PictureScaled, "The picture has another scale than the page",
			"Coordinates in the answer count px of the picture as the model saw it, not px of the page.",
			"Scale the answer's coordinates back, or send the picture in CSS px at a size that the vendor does not "+
				"change.",
			audit.Warning),
		rule(PictureCropped, "The picture shows a part of the page",
			"Coordinates are shifted by the crop, and what lies outside of it cannot be seen.",
			"Send the whole view, or add the crop's place to the answer's coordinates.", audit.Warning),
		rule(PictureTwice, "The same picture twice", "It is paid for twice and shows nothing more.",
			"Send it once.", audit.Note),
		rule(TextCut, "The text of the page is cut off", "What comes after the cut does not exist for the model.",
			"Raise the limit, leave out what is off screen, or cut at the end of a line and say so.", audit.Warning),
		rule(Instructions, "Text of the page gives instructions to the model",
			"A model cannot tell a page's text from its user's wishes for sure.",
			"Filter the element, or mark page text as data in the prompt.", audit.Error),
		rule(PageSecret, "The page itself shows what looks like a secret",
			"Whoever opens the page reads it. It is often an example or a public key, and now and then a person's own.",
			"If it is yours, keep the page out of what the agent reads, and change it.", audit.Warning),
		rule(CacheBroken, "The prompt cache broke", "Everything after the first change is read and paid for again.",
			"Put what changes (times, ids, state) behind what stays, and append to the conversation only.",
			audit.Warning),
		rule(HistoryCost, "Old pictures cost most of the request", "Each turn pays for all of them again.",
			"Keep the newest pictures only, and replace older ones by a line of text.", audit.Note),
	}
}
