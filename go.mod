module github.com/prefer-bo/prefer

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	golang.org/x/sys v0.49.0
	gonum.org/v1/gonum v0.17.0
)
