//go:build first && !lessons

package measure

// registry holds the measures of the site's first program: the defaults and the most frequent ones. Other names
// give ErrBeyond: the program with the complete registry knows whether the measure exists.
var registry = assignPlaces([]*Info{
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
