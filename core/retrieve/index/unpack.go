package index

// UnpackTerms, if a program installs it at start-up, decodes the terms for Read faster. It decodes prefix and
// suffix (see Format) into blob and ends. It fills table, which is zeroed and a power of two long, by open
// addressing: 1 + id at the hash of each term (see hashTerm) or the next free slot. blob has exactly the length of
// all terms, followed by 16 writable bytes. It returns false for input that it does not handle: Read then decodes
// it and finds any error.
var UnpackTerms func(prefix, suffix, blob []byte, ends, table []uint32) bool

// Unpack, if a program installs it at start-up, decodes the lists for Read faster. It returns false for input that
// it does not handle, such as frequencies above 254: Read then decodes it.
var Unpack func(p *Packed) bool

// Packed holds the encoded sections of the lists (see Format) and the memory to decode them into. Read has checked
// that Counts add up to the postings and that Low, Middle, High and TF have the right lengths.
type Packed struct {
	Docs                            int
	Counts                          []uint32 // by df: number of terms with it
	Low, Middle, High, Gap, TF, TF4 []byte
	Flags                           [2][]byte // title1, title2
	TitleTF                         []byte

	Postings []Posting   // output
	Titles   []uint8     // output; zeroed, or nil without titles
	Lengths  [2][]uint32 // of contents and titles, to add to; zeroed, or nil
}
