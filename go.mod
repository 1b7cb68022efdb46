module github.com/rankbox/rankbox

go 1.26
