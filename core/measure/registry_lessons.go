//go:build lessons

package measure

// registry is what the program of lessons measures by: what lessons, their figures and their exercises name. Another
// name is ErrBeyond, as in the first program.
var registry = placed([]*Info{
	&infoP,
	&infoR,
	&infoSuccess,
	&infoRR,
	&infoAP,
	&infoIPrec,
	&infoNDCG,
	&infoDCG,
	&infoRBP,
	&infoERR,
	&infoJudged,
})
