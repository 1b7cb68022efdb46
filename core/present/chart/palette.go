package chart

import "strconv"

// Role is what a colour is for. The page has a class of the same name for each.
type Role string

// The roles that are not a system's.
const (
	Ink   Role = "ink"
	Muted Role = "muted"
	Gain  Role = "gain" // better
	Loss  Role = "loss" // worse
)

// roles is how many systems have a colour of their own. The letter that stands beside the colour never repeats, nor do
// colour and shape together up to 40.
const roles = 8

// RoleOf returns the role of a system: "a" to "h", then again from "a".
func RoleOf(system int) Role { return Role(rune('a' + system%roles)) }

// Steps is how many steps the ramp has.
const Steps = 8

// Step returns the role of a step of the ramp, 0 the least.
func Step(i int) Role { return Role("r" + strconv.Itoa(min(max(i, 0), Steps-1))) }

// Colour is a colour on paper and on a dark page.
type Colour struct {
	Token       string // the custom property of the page's style sheet
	Light, Dark string
}

// In returns the colour of a theme.
func (c Colour) In(t Theme) string {
	if t == Dark {
		return c.Dark
	}
	return c.Light
}

// Theme is what a drawing is on.
type Theme int

// The themes.
const (
	Light Theme = iota
	Dark
)

// Themes names them.
func Themes() []string { return []string{"light", "dark"} }

// Palette returns the colours of all roles and of what is around them. Systems have the hues of Okabe and Ito in their
// order, darkened for text on paper and lightened for dark pages: 4.5 to 1 against both.
func Palette() map[Role]Colour { return palette }

var palette = map[Role]Colour{
	"paper": {"paper", "#fbfaf6", "#161513"},
	"sheet": {"sheet", "#ffffff", "#1f1e1b"},
	"grid":  {"rule", "#e1dcd0", "#37342e"},
	Ink:     {"ink", "#1b1a17", "#ece9e2"},
	Muted:   {"muted", "#625e56", "#aaa59b"},
	Gain:    {"good", "#0a6b4d", "#5fd0a5"},
	Loss:    {"bad", "#a33a12", "#ffa07a"},
	"a":     {"sys-a", "#0067a8", "#4db3f0"},
	"b":     {"sys-b", "#b34a00", "#ff9a52"},
	"c":     {"sys-c", "#007a59", "#3ecfa4"},
	"d":     {"sys-d", "#9c4a7d", "#e79ac8"},
	"e":     {"sys-e", "#806000", "#e8c53c"},
	"f":     {"sys-f", "#2b6c8f", "#8fd0ea"},
	"g":     {"sys-g", "#a02c2c", "#ff8f8f"},
	"h":     {"sys-h", "#5b5b5b", "#b9b9b9"},
	"r0":    {"ramp-0", "#eef1ee", "#262825"},
	"r1":    {"ramp-1", "#d3e5df", "#2a3d37"},
	"r2":    {"ramp-2", "#b0d5c8", "#2f5348"},
	"r3":    {"ramp-3", "#8ac3b0", "#356a5a"},
	"r4":    {"ramp-4", "#5fae95", "#3d836d"},
	"r5":    {"ramp-5", "#379479", "#4b9f84"},
	"r6":    {"ramp-6", "#14755a", "#62bf9f"},
	"r7":    {"ramp-7", "#07503c", "#7fe0bd"},
}
