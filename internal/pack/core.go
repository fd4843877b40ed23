//go:build !js

package pack

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Core is the program that runs in a packed file: internal/pack/wasm built for js/wasm, and what Go needs to run in a page.
type Core struct {
	Program []byte // WebAssembly, compressed by gzip
	Runtime string // wasm_exec.js of the Go that built it
}

// ErrNoCore is that this program carries no core and cannot build one.
var ErrNoCore = errors.New("pack: this program was built without the core that packed files carry: take a release, or run it from a checkout of prefer with Go installed (go run ./cmd/prefer pack …)")

// CoreError is that there is no core, and why.
type CoreError struct{ Err error }

func (e *CoreError) Error() string { return e.Err.Error() }

func (e *CoreError) Unwrap() error { return e.Err }

// FindCore returns the core of a release, else one built from the sources of this program with the Go at hand and kept in the user's cache.
func FindCore(ctx context.Context) (Core, error) {
	if len(embedded.Program) > 0 {
		return embedded, nil
	}
	dir, err := sources(ctx)
	if err != nil {
		return Core{}, err
	}
	key, err := keyOf(ctx, dir)
	if err != nil {
		return Core{}, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "prefer")
	kept := filepath.Join(cache, "core-"+key+".wasm.gz")
	if c, err := read(ctx, dir, kept); err == nil {
		return c, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return Core{}, err
	}
	if err := Build(ctx, dir, kept); err != nil {
		return Core{}, err
	}
	return read(ctx, dir, kept)
}

// Has reports whether FindCore is likely to find one, without trying.
func Has() bool {
	_, err := exec.LookPath("go")
	return len(embedded.Program) > 0 || err == nil && checkout() != ""
}

// Build builds the core from a checkout and writes it, compressed, to a file, whole or not at all. The same sources and the same Go are the same bytes.
func Build(ctx context.Context, dir, to string) error {
	half, err := os.MkdirTemp(filepath.Dir(to), "core-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(half)
	plain := filepath.Join(half, "core.wasm")
	if _, err := tool(ctx, dir, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", plain, "./internal/pack/wasm"); err != nil {
		return fmt.Errorf("pack: the core cannot be built: %w", err)
	}
	program, err := os.ReadFile(plain)
	if err != nil {
		return err
	}
	var small bytes.Buffer
	z, _ := gzip.NewWriterLevel(&small, gzip.BestCompression) // a level there is
	_, err = z.Write(program)
	if err = errors.Join(err, z.Close()); err != nil {
		return err
	}
	packed := filepath.Join(half, "core.wasm.gz")
	if err := os.WriteFile(packed, small.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(packed, to)
}

func read(ctx context.Context, dir, from string) (c Core, err error) {
	if c.Program, err = os.ReadFile(from); err != nil {
		return c, err
	}
	root, err := tool(ctx, dir, "env", "GOROOT")
	if err != nil {
		return c, err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"))
	c.Runtime = string(text)
	return c, err
}

// sources returns the checkout that this program was built from, or the one it is run in.
func sources(ctx context.Context) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", ErrNoCore
	}
	if dir := checkout(); dir != "" {
		return dir, nil
	}
	out, err := tool(ctx, "", "list", "-m", "-f", "{{.Dir}}", "github.com/prefer-bo/prefer")
	if dir := strings.TrimSpace(out); err == nil && dir != "" {
		return dir, nil
	}
	return "", ErrNoCore
}

// checkout returns the folder of the sources that this program was built from, if they are still there.
func checkout() string {
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(dir, "internal", "pack", "wasm", "main.go")); err != nil {
		return ""
	}
	return dir
}

// keyOf names what a core is built of: every file of this module that goes into it, the versions of others, and the Go.
func keyOf(ctx context.Context, dir string) (string, error) {
	list, err := tool(ctx, dir, "list", "-deps", "-f", `{{$d := .Dir}}{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range $.EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`, "./internal/pack/wasm")
	if err != nil {
		return "", err
	}
	version, err := tool(ctx, dir, "version")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, version)
	for _, name := range append(strings.Fields(list), filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")) {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", strings.TrimPrefix(name, dir), len(data))
		h.Write(data)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12]), nil
}

// tool runs go for a browser in a folder.
func tool(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-buildvcs=false")
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return string(out), err
}
