module tofutypes.example/benchmarks/reference

go 1.23

require github.com/zclconf/go-cty v1.18.1
