package stage

// makeThem says nothing: in a tab, vectors that are not there are being made, or are offered beside.
const makeThem = ""
