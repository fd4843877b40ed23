// Package deploy holds files for running prefer as a service; docs/guides/deploy.md tells how. There is no Go in it but
// tests: these hold the files against each other and against the program's flags, the others run them.
package deploy

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/media"

	"go.yaml.in/yaml/v3"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// parse returns the one document of a YAML file. A key that is there twice is an error of the parser.
func parse(t *testing.T, path string) map[string]any {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader([]byte(read(t, path))))
	var doc map[string]any
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		t.Fatalf("%s has more than one document (%v)", path, err)
	}
	return doc
}

// at goes down a path of keys and indices: "spec.template.spec.containers.0".
func at(t *testing.T, v any, path string) any {
	t.Helper()
	for _, step := range strings.Split(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			i := slices.Index([]string{"0", "1", "2"}, step)
			if i < 0 || i >= len(in) {
				t.Fatalf("%s: no %s in a list of %d", path, step, len(in))
			}
			v = in[i]
		default:
			t.Fatalf("%s: nothing below %s", path, step)
		}
	}
	return v
}

func want(t *testing.T, doc any, path string, value any) {
	t.Helper()
	if got := at(t, doc, path); got != value {
		t.Errorf("%s is %v, want %v", path, got, value)
	}
}

// flags returns the variables that set the flags of a command, from its source.
func flags(t *testing.T, command string) []string {
	t.Helper()
	file := "../cmd/prefer/internal/service/" + strings.ToLower(command) + ".go"
	_, body, ok := strings.Cut(read(t, file), "type "+command+" struct {")
	if !ok {
		t.Fatalf("%s has no type %s", file, command)
	}
	body, _, _ = strings.Cut(body, "\n}")
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^\s+([A-Z]\w*)\s+[][\w]+\s+`+"`").FindAllStringSubmatch(body, -1) {
		names = append(names, "PREFER_"+strings.ToUpper(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(m[1], "${1}_$2")))
	}
	return names
}

// TestVariables: every variable that a file sets is a flag of a server or a worker, but for the name of the proxy's site.
func TestVariables(t *testing.T) {
	known := append(append(flags(t, "Serve"), flags(t, "Worker")...), "PREFER_HOST")
	for _, name := range []string{"PREFER_OWNER_TOKEN", "PREFER_STORE", "PREFER_QUEUE"} {
		if !slices.Contains(known, name) {
			t.Fatalf("the flags are %v, without %s", known, name)
		}
	}
	files := []string{"Containerfile", "compose.yaml", "Caddyfile", "prefer.service", "kubernetes/deployment.yaml", "kubernetes/worker.yaml"}
	for _, file := range files {
		var code strings.Builder // without comments
		for line := range strings.Lines(read(t, file)) {
			line, _, _ = strings.Cut(line, "# ")
			code.WriteString(line + "\n")
		}
		for _, name := range regexp.MustCompile(`PREFER_[A-Z_]+`).FindAllString(code.String(), -1) {
			if !slices.Contains(known, name) {
				t.Errorf("%s sets %s, and the flags are %v", file, name, known)
			}
		}
	}
}

func TestCompose(t *testing.T) {
	doc := parse(t, "compose.yaml")
	services, volumes := doc["services"].(map[string]any), doc["volumes"].(map[string]any)
	for _, name := range []string{"prefer", "worker", "postgres", "proxy"} {
		service, ok := services[name].(map[string]any)
		if !ok {
			t.Fatalf("no service %q", name)
		}
		mounts, _ := service["volumes"].([]any) // a worker has none
		for _, v := range mounts {
			from, _, _ := strings.Cut(v.(string), ":")
			if strings.HasPrefix(from, "./") {
				read(t, from)
			} else if _, ok := volumes[from]; !ok {
				t.Errorf("%s mounts the volume %q, which is not declared", name, from)
			}
		}
	}
	prefer := services["prefer"]
	for _, name := range []string{"prefer", "worker"} {
		want(t, services[name], "read_only", true)
		want(t, services[name], "tmpfs.0", "/tmp")
		want(t, services[name], "depends_on.postgres.condition", "service_healthy")
		want(t, services[name], "environment.PREFER_QUEUE", at(t, prefer, "environment.PREFER_STORE"))
		want(t, services[name], "environment.PREFER_STORE", at(t, prefer, "environment.PREFER_STORE"))
	}
	want(t, services["worker"], "command.0", "worker")
	build := at(t, prefer, "build.dockerfile").(string)
	read(t, filepath.Join(at(t, prefer, "build.context").(string), build))
	if !strings.Contains(read(t, "Caddyfile"), "reverse_proxy prefer:8080") || !strings.Contains(read(t, "Containerfile"), "PREFER_ADDR=0.0.0.0:8080") {
		t.Error("the proxy and the image do not agree on a port")
	}
}

// TestPrometheus: what collects numbers shows a token that is in no file of ours, over TLS.
func TestPrometheus(t *testing.T) {
	job := at(t, parse(t, "prometheus.yml"), "scrape_configs.0")
	want(t, job, "scheme", "https")
	want(t, job, "static_configs.0.targets.0", site)
	if file := at(t, job, "authorization.credentials_file"); file == nil || at(t, job, "authorization.credentials") != nil {
		t.Errorf("the token is in %v, want a file of its own", file)
	}
	if path := at(t, job, "metrics_path"); path != nil {
		t.Errorf("numbers are at %v, and prefer's at Prometheus' default, /metrics", path)
	}
}

func TestContainerfile(t *testing.T) {
	text := read(t, "Containerfile")
	_, last, ok := strings.Cut(text, "\nFROM scratch\n")
	if !ok || strings.Contains(last, "\nFROM ") {
		t.Fatal("the image is not from scratch")
	}
	if !strings.Contains(last, "/src/cmd/prefer/licenses.txt /licenses.txt") || !strings.Contains(read(t, "../scripts/release"), "cmd/prefer/licenses.txt") {
		t.Error("the image or a release comes without the licences of what is in it")
	}
	if !strings.Contains(last, "\nUSER 65532:65532\n") || !strings.Contains(text, "CGO_ENABLED=0") {
		t.Error("want a static program that does not run as root")
	}
	if !strings.Contains(read(t, "../cmd/prefer/main.go"), "var release, commit, committed string") || !strings.Contains(text, "-X main.release=") {
		t.Error("the version is not what the program looks for")
	}
}

// TestBodies: the largest form of files that the owner's page sends passes every proxy there is a file for.
func TestBodies(t *testing.T) {
	const page = media.MaxTogether + media.MaxCount<<10 // as page.Pages bounds it
	for file, where := range map[string]struct {
		limit string
		unit  int64
	}{
		"nginx.conf":              {`location ~ \^/\(start\|s/\[\^/\]\+\)/files\$ \{[^}]*client_max_body_size (\d+)m;`, 1 << 20},
		"Caddyfile":               {`@files path /start/files /s/\*/files\s+request_body @files \{\s+max_size (\d+)MB`, 1e6},
		"kubernetes/ingress.yaml": {`proxy-body-size: (\d+)m`, 1 << 20},
	} {
		m := regexp.MustCompile(where.limit).FindStringSubmatch(read(t, file))
		if m == nil {
			t.Errorf("%s says nothing of files that the page sends", file)
			continue
		}
		if n, err := strconv.ParseInt(m[1], 10, 64); err != nil || n*where.unit < page {
			t.Errorf("%s lets %s through, and the page promises %d bytes", file, m[1], int64(page))
		}
	}
}

func TestKubernetes(t *testing.T) {
	docs := map[string]map[string]any{}
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		doc := parse(t, file)
		name := doc["kind"].(string)
		if file == "kubernetes/worker.yaml" {
			name = "Worker"
			want(t, doc, "metadata.name", "prefer-worker")
		} else if name != "Kustomization" {
			want(t, doc, "metadata.name", "prefer")
		}
		if name == "Secret" {
			t.Errorf("%s: a secret in a file is none, and one that everybody can read is somebody's token", file)
		}
		docs[name] = doc
	}
	resources := docs["Kustomization"]["resources"].([]any)
	if len(resources) != len(files)-1 {
		t.Errorf("%d resources, %d files", len(resources), len(files))
	}
	for _, r := range resources {
		read(t, filepath.Join("kubernetes", r.(string)))
	}
	deployment, worker := docs["Deployment"], docs["Worker"]
	want(t, deployment, "spec.replicas", 3)
	label := func(v any) string { return v.(map[string]any)["app.kubernetes.io/name"].(string) }
	for name, v := range map[string]any{
		"pod": at(t, deployment, "spec.template.metadata.labels"), "deployment": at(t, deployment, "spec.selector.matchLabels"),
		"service": at(t, docs["Service"], "spec.selector"), "budget": at(t, docs["PodDisruptionBudget"], "spec.selector.matchLabels"),
	} {
		if label(v) != "prefer" {
			t.Errorf("%s is for %q, want prefer", name, label(v))
		}
	}
	for _, path := range []string{"spec.template.metadata.labels", "spec.selector.matchLabels"} {
		if got := label(at(t, worker, path)); got != "prefer-worker" {
			t.Errorf("a worker's %s is %q, want prefer-worker: requests would be sent to it", path, got)
		}
	}
	if least := at(t, docs["PodDisruptionBudget"], "spec.minAvailable").(int); least < 1 || least >= 3 {
		t.Errorf("minAvailable %d of 3 keeps nodes from being drained, or nobody", least)
	}
	keys := map[string]bool{}
	for name, command := range map[string]string{"Deployment": "serve", "Worker": "worker"} {
		checkPod(t, at(t, docs[name], "spec.template.spec"), command, keys)
	}
	for key := range keys {
		if !strings.Contains(read(t, "../docs/guides/deploy.md"), "--from-literal="+key+"=") {
			t.Errorf("docs/guides/deploy.md makes a secret without %q", key)
		}
	}
	pod := at(t, deployment, "spec.template.spec")
	container := at(t, pod, "containers.0")
	want(t, container, "readinessProbe.httpGet.path", "/readyz")
	want(t, container, "startupProbe.httpGet.path", "/readyz")
	want(t, container, "livenessProbe.httpGet.path", "/livez")
	want(t, container, "ports.0.name", at(t, docs["Service"], "spec.ports.0.targetPort"))
	want(t, docs["Ingress"], "spec.tls.0.hosts.0", at(t, docs["Ingress"], "spec.rules.0.host"))
	want(t, docs["Ingress"], "spec.rules.0.http.paths.0.backend.service.port.name", at(t, docs["Service"], "spec.ports.0.name"))
	if grace := at(t, pod, "terminationGracePeriodSeconds").(int); grace < 10+at(t, container, "lifecycle.preStop.sleep.seconds").(int) {
		t.Errorf("a pod has %d s to end, and needs more", grace)
	}
}

// checkPod holds what is true of servers and workers alike, and collects the keys of the secret they want.
func checkPod(t *testing.T, pod any, command string, keys map[string]bool) {
	t.Helper()
	want(t, pod, "enableServiceLinks", false)
	want(t, pod, "securityContext.runAsNonRoot", true)
	want(t, pod, "securityContext.runAsUser", 65532) // as in the Containerfile
	container := at(t, pod, "containers.0")
	want(t, container, "args.0", command)
	want(t, container, "securityContext.readOnlyRootFilesystem", true)
	want(t, container, "volumeMounts.0.mountPath", "/tmp")
	want(t, pod, "volumes.0.name", at(t, container, "volumeMounts.0.name"))
	var set []string
	for _, e := range at(t, container, "env").([]any) {
		if from, ok := e.(map[string]any)["valueFrom"]; ok {
			keys[at(t, from, "secretKeyRef.key").(string)] = true
			want(t, from, "secretKeyRef.name", "prefer")
		}
		set = append(set, at(t, e, "name").(string))
	}
	if !slices.Contains(set, "PREFER_QUEUE") || !slices.Contains(set, "PREFER_STORE") {
		t.Errorf("%s has %v, want the database as its store and as its queue", command, set)
	}
}
