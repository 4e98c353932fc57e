package query

// What steps answer, for tests.
type (
	QueryOutput   = queryOutput
	InspectOutput = inspectOutput
	Custom        = custom
	TableOutput   = tableOutput
	ListOutput    = listOutput
	DomOutput     = domOutput
	BoxOutput     = boxOutput
	ElementAt     = elementAt
	BatchOutput   = batchOutput
	NearbyOutput  = nearbyOutput
)
