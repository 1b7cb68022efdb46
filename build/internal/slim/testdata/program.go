// Command program does what a program of the page does with its tables: it allocates until the garbage has been collected, grows
// stacks, recovers from panics, uses interfaces, maps and goroutines, and says who called.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
)

type node struct {
	left, right *node
	name        string
}

func grow(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{grow(depth - 1), grow(depth - 1), fmt.Sprint("n", depth)}
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.left.count() + n.right.count()
}

func fall(list []int) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	return fmt.Sprint(list[3])
}

func deep(n int, buffer [64]int) int {
	if n == 0 {
		return buffer[7]
	}
	buffer[n%64] = n
	return deep(n-1, buffer) + buffer[n%64]%2
}

func main() {
	total := 0
	for range 20 {
		total += grow(12).count()
		runtime.GC()
	}
	fmt.Println(total, fall([]int{1, 2}), deep(10_000, [64]int{}))
	words := map[string]int{}
	for _, w := range strings.Fields("a rose is a rose is a rose") {
		words[w]++
	}
	keys := make([]string, 0, len(words))
	for w := range words {
		keys = append(keys, w)
	}
	sort.Strings(keys)
	c := make(chan string)
	for _, k := range keys {
		go func() { c <- k }()
	}
	sum := 0
	for range keys {
		sum += words[<-c]
	}
	fmt.Println(keys, sum)
	pc, _, _, _ := runtime.Caller(0)
	fmt.Println(runtime.FuncForPC(pc).Name())
	trace := traced(41, "a rose")
	fmt.Println("trace:", strings.Contains(trace, "main.main()"), "lines:", strings.Contains(trace, "program.go:"), "arguments:", strings.Contains(trace, "main.traced(0x29"))
}

//go:noinline
func traced(n int, _ string) string {
	stack := make([]byte, 100*n)
	return string(stack[:runtime.Stack(stack, false)])
}
