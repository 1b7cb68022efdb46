package index

// UnpackTerms does the work of Read on the terms, where a program puts a faster equal in its place at start-up: it
// decodes prefix and suffix (see Format) into blob and ends, and fills table, which is zero and whose length is a power
// of two, by open addressing with 1 + id at the hash of each term (see hashTerm) or the first free slot behind it. blob
// has exactly the length of all terms, and 16 bytes behind it that may be written to. It returns false where it does
// not understand: Read then does it itself and finds out what is wrong.
var UnpackTerms func(prefix, suffix, blob []byte, ends, table []uint32) bool

// Unpack does the work of Read on the lists, where a program puts a faster equal in its place at start-up. It returns
// false where it does not understand, as when a frequency is above 254: Read then does it itself.
var Unpack func(p *Packed) bool

// Packed are the sections that lists are decoded from (see Format), and what they are decoded to. Read has made sure
// that Counts add up to the postings, and that Low, Middle, High and TF have the lengths that follow from them.
type Packed struct {
	Docs                            int
	Counts                          []uint32 // by df: how many terms have it
	Low, Middle, High, Gap, TF, TF4 []byte
	Flags                           [2][]byte // title1, title2
	TitleTF                         []byte

	Postings []Posting   // to be filled in
	Titles   []uint8     // likewise; zero, or nil where there are no titles
	Lengths  [2][]uint32 // of contents and titles, to be added to; zero, or nil
}
