//go:build first && !lessons

package measure

// registry is what the first program of the site measures by: what a comparison shows where nothing else is asked for,
// and what is asked for most. Another name is ErrBeyond: the program that has all of registry.go knows whether there is
// such a measure.
var registry = placed([]*Info{
	&infoP,
	&infoR,
	&infoSuccess,
	&infoRR,
	&infoAP,
	&infoNDCG,
	&infoRBP,
	&infoERR,
	&infoJudged,
})
