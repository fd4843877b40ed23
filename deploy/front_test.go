package deploy

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// site is the name of the service in our files.
const site = "prefer.example.org"

// front is a proxy with our file for it, in front of some servers.
type front struct {
	process *process
	client  *http.Client // knows where the site is, and whose certificate it has
}

// proxies are the programs there are files for; each renders its file into a folder and returns a command.
var proxies = map[string]func(t *testing.T, bin, dir string, at places) *exec.Cmd{"nginx": nginx, "caddy": caddy}

// places are where a rendered file differs from ours.
type places struct {
	https, http string   // addresses of the proxy
	servers     []string // addresses of prefer
}

// render replaces texts of one of our files, each of which must be there: else the test would be of another file.
func render(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	text := read(t, file)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%s has no %q", file, pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func nginx(t *testing.T, bin, dir string, at places) *exec.Cmd {
	t.Helper()
	// The addresses for IPv6, which not every machine has, go to ports of their own.
	write(t, filepath.Join(dir, "site.conf"), render(t, "nginx.conf",
		"server 127.0.0.1:8080;", "server "+strings.Join(at.servers, "; server ")+";",
		"listen 443 ", "listen "+at.https+" ", "listen [::]:443 ", "listen "+free(t)+" ",
		"listen 80;", "listen "+at.http+";", "listen [::]:80;", "listen "+free(t)+";",
		"/etc/letsencrypt/live/"+site, dir))
	var user, folders string
	if os.Getuid() == 0 {
		user = "user root;" // who may read the folder
	}
	for _, of := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		folders += fmt.Sprintf("%s_temp_path %s;\n", of, filepath.Join(dir, of))
	}
	main := filepath.Join(dir, "nginx.conf")
	write(t, main, fmt.Sprintf("daemon off;\n%s\npid %s/pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n%sinclude %s/site.conf;\n}\n", user, dir, folders, dir))
	return exec.Command(bin, "-e", "stderr", "-c", main)
}

func caddy(t *testing.T, bin, dir string, at places) *exec.Cmd {
	t.Helper()
	port := func(address string) string { _, p, _ := net.SplitHostPort(address); return p }
	global := fmt.Sprintf("{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port %s\n\thttps_port %s\n}\n", port(at.http), port(at.https))
	write(t, filepath.Join(dir, "Caddyfile"), global+render(t, "Caddyfile",
		"reverse_proxy prefer:8080 {", "reverse_proxy "+strings.Join(at.servers, " ")+" {",
		"{$PREFER_HOST} {", "{$PREFER_HOST} {\n\ttls "+dir+"/fullchain.pem "+dir+"/privkey.pem"))
	c := exec.Command(bin, "run", "--adapter", "caddyfile", "--config", filepath.Join(dir, "Caddyfile"))
	c.Env = append(os.Environ(), "PREFER_HOST="+site, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "HOME="+dir)
	return c
}

// onEach runs a test with every proxy that is installed.
func onEach(t *testing.T, test func(t *testing.T, start func(t *testing.T, servers ...string) *front)) {
	for name, render := range proxies {
		t.Run(name, func(t *testing.T) {
			bin, err := exec.LookPath(name)
			if err != nil && name == "nginx" {
				bin, err = exec.LookPath("/usr/sbin/nginx")
			}
			if err != nil {
				t.Skipf("SKIPPED: %s is not installed here, and deploy's file for it was not run", name)
			}
			test(t, func(t *testing.T, servers ...string) *front {
				t.Helper()
				dir := t.TempDir()
				at := places{free(t), free(t), servers}
				f := &front{client: &http.Client{Transport: transport(t, dir, at), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
				f.process = start(t, render(t, bin, dir, at))
				f.wait(t)
				return f
			})
		})
	}
}

// transport makes a certificate for the site, and connections to where the proxy listens.
func transport(t *testing.T, dir string, at places) *http.Transport {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{site}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(crand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	write(t, filepath.Join(dir, "fullchain.pem"), string(certificate))
	write(t, filepath.Join(dir, "privkey.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	where := map[string]string{site + ":443": at.https, site + ":80": at.http}
	tr := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, where[address])
		}}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

// wait returns when a server answers through the proxy.
func (f *front) wait(t *testing.T) {
	t.Helper()
	var last string
	var said []string
	for start := time.Now(); time.Since(start) < patience; time.Sleep(20 * time.Millisecond) {
		resp, err := f.client.Get("https://" + site + "/healthz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
			last = resp.Status
		} else {
			last = err.Error()
		}
		select {
		case line, ok := <-f.process.said:
			if !ok {
				t.Fatalf("the proxy ended: %s", strings.Join(said, "\n"))
			}
			said = append(said, line)
		default:
		}
	}
	t.Fatalf("nobody answers through the proxy: %s\n%s", last, strings.Join(said, "\n"))
}

// do sends a request through the proxy, as the owner unless the header says otherwise.
func (f *front) do(ctx context.Context, method, path, body string, header ...string) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, "https://"+site+path, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Authorization", "Bearer "+ownerToken)
	for i := 0; i < len(header); i += 2 {
		if r.Header.Del(header[i]); header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := f.client.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp, string(text), err
}

// want is do for a request that has one right reply.
func (f *front) want(t *testing.T, status int, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	resp, text, err := f.do(t.Context(), method, path, body, header...)
	if err != nil {
		t.Fatalf("%s %.60s: %v", method, path, err)
	}
	if resp.StatusCode != status {
		t.Fatalf("%s %.60s: %d %.300s, want %d", method, path, resp.StatusCode, text, status)
	}
	return resp, text
}
