package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

const exits = "Exit codes: 0 fine, 1 a gate failed, 2 usage, 3 bad data or output, 4 a system failed"

// help lists the commands.
func help(w io.Writer) {
	fmt.Fprint(w, "rankbox: a laboratory for search ranking\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.about)
	}
	fmt.Fprintf(w, "\nrankbox help COMMAND says how to use one, rankbox help limits how much is read.\n%s\n", exits)
}

// helpOn answers rankbox help WORD….
func helpOn(c *context, words []string) int {
	if len(words) == 0 {
		help(c.out)
		return 0
	}
	if words[0] == "limits" {
		fmt.Fprintln(c.out, "These flags of every command that reads files bound how much it reads:")
		f := flag.NewFlagSet("limits", flag.ContinueOnError)
		new(limits).flags(f)
		f.SetOutput(c.out)
		f.PrintDefaults()
		return 0
	}
	i := slices.IndexFunc(commands, func(x command) bool { return x.name == words[0] })
	if i < 0 {
		return unknown(c, words[0])
	}
	return do(c, append(words, "-h"))
}

// help prints how a command is called, and its purpose.
func (x *command) help(w io.Writer) {
	fmt.Fprintf(w, "usage: rankbox %s\n\n%s.\n\n", strings.TrimSpace(x.name+" "+x.usage),
		strings.ToUpper(x.about[:1])+x.about[1:])
}

// unknown refuses a command and names the one that was probably meant.
func unknown(c *context, name string) int {
	fmt.Fprintf(c.err, "rankbox: unknown command %q", name)
	if meant := pipeline.Nearest(name, commandNames()); meant != "" {
		fmt.Fprintf(c.err, "; did you mean %s?\n", meant)
	} else {
		fmt.Fprintln(c.err, "; rankbox help lists them")
	}
	return 2
}

func commandNames() (names []string) {
	for _, x := range commands {
		names = append(names, x.name)
	}
	return names
}

// printFlags prints flags with their defaults. The flags that raise limits are on one page of their own.
func printFlags(f *flag.FlagSet) {
	shown, left := flag.NewFlagSet("", flag.ContinueOnError), false
	f.VisitAll(func(x *flag.Flag) {
		if isLimit(x.Name) {
			left = true
			return
		}
		shown.Var(x.Value, x.Name, x.Usage)
		shown.Lookup(x.Name).DefValue = x.DefValue
	})
	shown.SetOutput(f.Output())
	shown.PrintDefaults()
	if left {
		fmt.Fprintln(f.Output(), "  -max-…\n    \tlimits of what is read: rankbox help limits")
	}
}

func isLimit(name string) bool {
	for _, flag := range limitFlags {
		if flag == name {
			return true
		}
	}
	return false
}

// meantFlag is the error of flags of which the last one in read could not be read. If that one is unknown, the error
// names the flag that was probably meant.
func meantFlag(f *flag.FlagSet, read []string, err error) error {
	nameOf := func(word string) string {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		return name
	}
	name := nameOf(read[len(read)-1])
	if f.Lookup(name) != nil || len(read) > 1 && f.Lookup(nameOf(read[len(read)-2])) != nil {
		return err // its value is wrong
	}
	var names []string
	f.VisitAll(func(x *flag.Flag) { names = append(names, x.Name) })
	if meant := pipeline.Nearest(name, names); meant != "" {
		return fmt.Errorf("unknown flag -%s; did you mean -%s?", name, meant)
	}
	return fmt.Errorf("unknown flag -%s", name)
}

// completion prints a script that completes commands and flags in a shell.
func completion(c *context, args []string) error {
	f := flag.NewFlagSet("completion", flag.ContinueOnError)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if len(words) != 1 || shells[words[0]] == "" {
		return usagef("want rankbox completion bash|zsh|fish|powershell")
	}
	script := shells[words[0]]
	head, row, found := strings.Cut(script, "{row}")
	row, tail, closed := strings.Cut(row, "{end}")
	if !found || !closed {
		panic("rankbox: the script of " + words[0] + " has no row")
	}
	names := strings.Join(commandNames(), " ")
	fmt.Fprint(c.out, strings.ReplaceAll(head, "{commands}", names))
	for _, x := range commands {
		fmt.Fprint(c.out, strings.NewReplacer("{command}", x.name, "{flags}", strings.Join(flagsOf(x.name), " "),
			"{about}", strings.ReplaceAll(x.about, "'", "’")).Replace(row))
	}
	fmt.Fprint(c.out, strings.ReplaceAll(tail, "{commands}", names))
	return nil
}

// flagsOf are the flags of a command as its help lists them.
func flagsOf(command string) (flags []string) {
	var out bytes.Buffer
	do(&context{in: strings.NewReader(""), out: &out, err: io.Discard, limits: collection.Limits{}},
		[]string{command, "-h"})
	for line := range strings.Lines(out.String()) {
		if name, ok := strings.CutPrefix(line, "  -"); ok {
			name = strings.Fields(name)[0]
			if !strings.HasPrefix(name, "max-") {
				flags = append(flags, "-"+name)
			}
		}
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}

// shells are scripts of completion. {commands} are all commands; what stands between {row} and {end} is repeated for
// each {command} with its {flags} and what it is {about}.
var shells = map[string]string{
	"bash": `# Put this into ~/.bashrc: source <(rankbox completion bash)
_rankbox() {
  local word=${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '{commands} help' -- "$word"))
    return
  fi
  case $word in -*) ;; *) return ;; esac
  case ${COMP_WORDS[1]} in
{row}    {command}) COMPREPLY=($(compgen -W '{flags}' -- "$word")) ;;
{end}  esac
}
complete -o default -F _rankbox rankbox
`,
	"zsh": `#compdef rankbox
# Put this into ~/.zshrc, after compinit: source <(rankbox completion zsh)
_rankbox() {
  if (( CURRENT == 2 )); then
    compadd {commands} help
    return
  fi
  if [[ ${words[CURRENT]} != -* ]]; then
    _files
    return
  fi
  case ${words[2]} in
{row}    {command}) compadd -- {flags} ;;
{end}  esac
}
compdef _rankbox rankbox
`,
	"fish": `# Save this as ~/.config/fish/completions/rankbox.fish
complete -c rankbox -n __fish_use_subcommand -f -a help -d 'how to use a command'
{row}complete -c rankbox -n __fish_use_subcommand -f -a {command} -d '{about}'
for flag in {flags}; complete -c rankbox -n '__fish_seen_subcommand_from {command}' -o (string sub -s 2 -- $flag); end
{end}`,
	"powershell": `# Put this into $PROFILE: rankbox completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName rankbox -ScriptBlock {
  param($word, $ast, $cursor)
  $flags = @{
{row}    '{command}' = '{flags}'
{end}  }
  $words = $ast.CommandElements | ForEach-Object { $_.ToString() }
  if ($words.Count -gt 1 -and $word -like '-*') { $all = $flags[$words[1]] } else { $all = '{commands} help' }
  $all -split ' ' | Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}
