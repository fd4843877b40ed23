package deploy

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// image is the last stage of the Containerfile, put together in a folder.
type image struct {
	root, user, dir, volume string
	env, entry, command     []string
}

// assemble does what a builder does with the last stage. What it does not know it refuses.
func assemble(t *testing.T) image {
	t.Helper()
	im := image{root: t.TempDir()}
	_, stage, ok := strings.Cut(read(t, "Containerfile"), "\nFROM scratch\n")
	if !ok {
		t.Fatal("the image is not from scratch")
	}
	for line := range strings.Lines(stage) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		words := strings.Fields(rest)
		switch verb {
		case "", "#", "EXPOSE":
		case "COPY":
			im.copy(t, words)
		case "USER":
			im.user = rest
		case "WORKDIR":
			im.dir = rest
		case "VOLUME":
			im.volume = rest
		case "ENV":
			im.env = append(im.env, words...)
		case "ENTRYPOINT", "CMD":
			into := map[string]*[]string{"ENTRYPOINT": &im.entry, "CMD": &im.command}[verb]
			if err := json.Unmarshal([]byte(rest), into); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		default:
			t.Fatalf("the image is made with %q, which this test does not know", verb)
		}
	}
	return im
}

// copy does a COPY --from=build, with what the build leaves behind.
func (im image) copy(t *testing.T, words []string) {
	t.Helper()
	var owner string
	for ; strings.HasPrefix(words[0], "--"); words = words[1:] {
		if of, ok := strings.CutPrefix(words[0], "--chown="); ok {
			owner = of
		}
	}
	from, to := words[0], filepath.Join(im.root, words[1])
	if strings.HasSuffix(words[1], "/") {
		to = filepath.Join(to, filepath.Base(from))
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	switch from {
	case "/out/prefer":
		if out, err := exec.Command("cp", program(t), to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	case "/src/cmd/prefer/licenses.txt":
		write(t, to, read(t, "../cmd/prefer/licenses.txt"))
	case "/out/data", "/out/tmp":
		if err := os.Mkdir(to, 0o755); err != nil {
			t.Fatal(err)
		}
	case "/etc/ssl/certs/ca-certificates.crt":
		write(t, to, "") // no authority is asked here
	default:
		t.Fatalf("the image takes %s from the build, which this test does not know", from)
	}
	if owner != "" {
		if out, err := exec.Command("chown", owner, to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

// run is a command in the image as a careful runtime starts it: nothing but the image to be seen, which is read only, a
// volume, a /tmp of its own, the image's user. unshare is of util-linux.
func (im image) run(volume string, env []string, args ...string) *exec.Cmd {
	const steps = `mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --bind "$2" "$1$3" && mount -t tmpfs tmpfs "$1/tmp" &&
root=$1 dir=$4 uid=${5%:*} gid=${5#*:} && shift 5 && exec unshare --root "$root" --wd "$dir" --setgid "$gid" --setuid "$uid" "$@"`
	c := exec.Command("unshare", append([]string{"--mount", "sh", "-c", steps, "sh", im.root, volume, im.volume, im.dir, im.user}, append(im.entry, args...)...)...)
	c.Env = append(append([]string{"PATH=" + os.Getenv("PATH")}, im.env...), env...)
	return c
}

// TestImage runs what the Containerfile puts together.
func TestImage(t *testing.T) {
	if out, err := exec.Command("unshare", "--mount", "mount", "--make-rprivate", "/").CombinedOutput(); err != nil || os.Getuid() != 0 {
		t.Skipf("SKIPPED: the image was not run, which takes root and unshare (%v %s)", err, out)
	}
	im := assemble(t)
	volume := filepath.Join(t.TempDir(), "volume") // a new one is the image's folder, with its owner
	if err := os.Rename(filepath.Join(im.root, im.volume), volume); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(im.root, im.volume), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := im.run(volume, nil, "version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "prefer v0-test, ") {
		t.Fatalf("version: %v %s", err, out)
	}
	if out, err := im.run(volume, nil, im.command...).CombinedOutput(); err == nil || !strings.Contains(string(out), "PREFER_OWNER_TOKEN") {
		t.Errorf("without a token: %v %s, want to be told of PREFER_OWNER_TOKEN", err, out)
	}
	at := free(t)
	env := []string{"PREFER_ADDR=" + at, "PREFER_OWNER_TOKEN=" + ownerToken}
	if out, err := im.run(volume, append(env, "PREFER_STORE=/studies.db"), im.command...).CombinedOutput(); err == nil {
		t.Errorf("the image can be written outside of its volume: %s", out)
	}
	p := start(t, im.run(volume, env, im.command...))
	p.line(t, "nothing is lost")
	resp, err := http.Get("http://" + at + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("/readyz: %s", resp.Status)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("stopped: %v", err)
	}
	if _, err := os.Stat(filepath.Join(volume, "studies.db")); err != nil {
		t.Errorf("the volume has no store: %v", err)
	}
	if out, err := im.run(volume, env, "doctor").CombinedOutput(); err != nil {
		t.Errorf("doctor: %v %s", err, out)
	}
}
