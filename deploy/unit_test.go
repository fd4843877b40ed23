package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestUnit(t *testing.T) {
	section, keys := "", map[string]string{}
	for i, line := range strings.Split(read(t, "prefer.service"), "\n") {
		key, value, ok := strings.Cut(line, "=")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = line
		case !ok || section == "":
			t.Errorf("line %d is %q", i+1, line)
		case keys[section+key] != "" && key != "SystemCallFilter":
			t.Errorf("%s is there twice", key)
		default:
			keys[section+key] = value
		}
	}
	for key, value := range map[string]string{
		"[Service]DynamicUser": "yes", "[Service]StateDirectory": "prefer", "[Service]ProtectSystem": "strict", "[Service]NoNewPrivileges": "yes",
		"[Service]ExecStart": "/usr/local/bin/prefer serve", "[Install]WantedBy": "multi-user.target",
	} {
		if keys[key] != value {
			t.Errorf("%s=%s, want %s", key, keys[key], value)
		}
	}
}

// TestUnitVerified asks systemd itself.
func TestUnitVerified(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("SKIPPED: systemd-analyze is not installed here, and systemd was not asked about the unit")
	}
	unit := filepath.Join(t.TempDir(), "prefer.service")
	write(t, unit, render(t, "prefer.service", "/usr/local/bin/prefer", program(t))) // which must be there
	if out, err := exec.Command("systemd-analyze", "verify", unit).CombinedOutput(); err != nil || strings.Contains(string(out), "prefer.service") {
		t.Errorf("verify: %v %s", err, out)
	}
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--no-pager", unit).CombinedOutput()
	if err != nil {
		t.Skipf("SKIPPED: systemd-analyze before version 250 cannot judge a unit that is not installed: %v %s", err, out)
	}
	m := regexp.MustCompile(`exposure level for prefer.service: ([0-9.]+)`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no verdict: %s", out)
	}
	if level, err := strconv.ParseFloat(string(m[1]), 64); err != nil || level > 2 {
		t.Errorf("the exposure is %s, want at most 2 of 10", m[1])
	}
}

// TestUnitStarts runs the unit's command with its variables and nothing else, as somebody who owns its folder and nothing else.
func TestUnitStarts(t *testing.T) {
	if _, err := exec.LookPath("setpriv"); err != nil || os.Getuid() != 0 {
		t.Skip("SKIPPED: the unit's command was not run as another user, which takes root and setpriv")
	}
	// Folders on the way to it must be open to everybody; the state itself is not.
	open := func(dir string, mode os.FileMode) string {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	open(scratch, 0o755)
	state := filepath.Join(scratch, "state")
	if err := os.MkdirAll(filepath.Join(state, "prefer"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(state) })
	home := open(filepath.Join(state, "prefer"), 0o700)
	if out, err := exec.Command("chown", "65533:65533", home).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	unit := render(t, "prefer.service", "/usr/local/bin/prefer", program(t), "%S", state)
	find := func(key string) string {
		m := regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindStringSubmatch(unit)
		if m == nil {
			t.Fatalf("no %s", key)
		}
		return m[1]
	}
	args := append([]string{"--reuid", "65533", "--regid", "65533", "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"}, strings.Fields(find("ExecStart"))...)
	c := exec.Command("setpriv", args...)
	c.Dir = find("WorkingDirectory")
	c.Env = []string{find("Environment"), "PREFER_OWNER_TOKEN=" + ownerToken, "PREFER_ADDR=" + free(t)} // the last two as from /etc/prefer.env
	start(t, c).line(t, "nothing is lost")
	if _, err := os.Stat(filepath.Join(home, "studies.db")); err != nil {
		t.Errorf("no store where the unit has it: %v", err)
	}
}
