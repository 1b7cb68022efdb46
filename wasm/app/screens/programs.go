package screens

// Program names one of the programs that the site is made of.
type Program string

// The programs: First answers the first search, Lessons opens a lesson, and Rich, which holds every screen, takes the
// place of either where more is needed (docs/adr/0002-one-binary.md).
const (
	First   Program = "first"
	Lessons Program = "lessons"
	Rich    Program = "rich"
)

// Build is how a program is compiled from wasm/rankbox.
type Build struct {
	Program Program
	// Tags are the compiler's: "first" leaves out of every package what the first search does not need, and a
	// program's own tag behind it takes back in what that program does. Without tags everything is in.
	Tags []string
	// Worker says that the program plays the worker too. The page of one that does not has no worker until something
	// is asked of it; that one is Rich.
	Worker bool
}

// Builds are the programs, the smallest download of each kind first. A screen is in the program that its row names, and
// in Rich.
var Builds = []Build{
	{First, []string{"first"}, true},
	{Lessons, []string{"first", "lessons"}, false},
	{Rich, nil, true},
}

// Constraint is the build constraint of what belongs to the screens of a program, "" where that is in every build.
func Constraint(p Program) (constraint string) {
	for _, b := range Builds {
		switch {
		case p == Rich:
			return "!first"
		case p == First && len(b.Tags) > 1: // the builds that replace the first program's screens by their own
			if constraint != "" {
				constraint += " && "
			}
			constraint += "!" + b.Tags[1]
		case p != First && b.Program == p:
			return "!first || " + b.Tags[1]
		}
	}
	return constraint
}
