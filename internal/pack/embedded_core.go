//go:build core && !js

package pack

import _ "embed"

//go:embed core.wasm.gz
var program []byte

//go:embed wasm_exec.js
var execJS string

// embedded is the core that a release carries; scripts/release builds both files before the program.
var embedded = Core{Program: program, Runtime: execJS}
