package service

import (
	"bytes"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

func fakeNIC(name string, up bool, addrs ...string) nic {
	out := nic{name: name, up: up}
	for _, a := range addrs {
		out.addrs = append(out.addrs, netip.MustParseAddr(a))
	}
	return out
}

// TestReachable: what others are told never leads back to themselves, and the likeliest comes first.
func TestReachable(t *testing.T) {
	lo := fakeNIC("lo", true, "127.0.0.1", "::1")
	wlan := fakeNIC("wlan0", true, "169.254.3.4", "fe80::1", "192.168.1.5", "2001:db8::5", "2001:db8::6")
	tail := fakeNIC("tailscale0", true, "100.101.2.3", "fd7a:115c:a1e0::1")
	eth := fakeNIC("eth0", true, "203.0.113.9")
	docker, down := fakeNIC("docker0", true, "172.17.0.1"), fakeNIC("eth1", false, "10.0.0.1")
	any := &net.TCPAddr{IP: net.IPv6unspecified, Port: 80}
	for name, c := range map[string]struct {
		at       net.Addr
		nics     []nic
		want     string
		networks int // to choose from
	}{
		"home":           {any, []nic{lo, docker, down, wlan}, "http://192.168.1.5:80 http://[2001:db8::5]:80", 1},
		"university":     {any, []nic{lo, eth}, "http://203.0.113.9:80", 1},
		"tailscale":      {any, []nic{lo, tail}, "http://100.101.2.3:80 http://[fd7a:115c:a1e0::1]:80", 1},
		"everything":     {any, []nic{eth, tail, wlan, lo}, "http://192.168.1.5:80 http://100.101.2.3:80 http://203.0.113.9:80 http://[fd7a:115c:a1e0::1]:80 http://[2001:db8::5]:80", 3},
		"IPv6 alone":     {any, []nic{lo, fakeNIC("eth0", true, "fe80::2", "2001:db8::9")}, "http://[2001:db8::9]:80", 1},
		"no network":     {any, []nic{lo, docker, down}, "", 0},
		"one of several": {&net.TCPAddr{IP: net.IPv4(100, 101, 2, 3), Port: 8080}, []nic{lo, wlan, tail}, "http://100.101.2.3:8080", 0},
		"this machine":   {&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}, []nic{lo, wlan}, "", 0},
	} {
		if got, found := reachable(c.at, c.nics); strings.Join(got, " ") != c.want || networks(found) != c.networks {
			t.Errorf("%s: %v in %d networks, want %s in %d", name, got, networks(found), c.want, c.networks)
		}
	}
}

// TestWhich: a number is that one, nothing the first, and anything else asks again.
func TestWhich(t *testing.T) {
	_, found := reachable(&net.TCPAddr{IP: net.IPv4zero, Port: 1}, []nic{fakeNIC("a", true, "10.0.0.1"), fakeNIC("b", true, "100.64.0.1")})
	for text, want := range map[string]int{"2\n": 1, "\n": 0, "": 0, "3\nb\n0\n 2 \n": 1} {
		var out bytes.Buffer
		if got := which(strings.NewReader(text), &out, found); got != want || !strings.Contains(out.String(), "2  100.64.0.1               Tailscale, b\n") {
			t.Errorf("%q is %d: %s", text, got, out.String())
		}
	}
}

// TestAddresses: where nobody can be asked all are printed and the first is taken; a public address comes before all that is found.
func TestAddresses(t *testing.T) {
	all := []nic{fakeNIC("a", true, "100.64.0.1"), fakeNIC("b", true, "10.0.0.1")}
	at := &net.TCPAddr{IP: net.IPv4zero, Port: 80}
	for _, c := range []struct {
		serve      Serve
		want, said string
	}{
		{Serve{LAN: true}, "http://10.0.0.1:80 http://100.64.0.1:80", "reachable at http://100.64.0.1:80 (Tailscale, a)\n"},
		{Serve{LAN: true, PublicURL: "https://a.example/"}, "https://a.example", ""},
		{Serve{}, "http://10.0.0.1:80 http://100.64.0.1:80", ""},
	} {
		var talk bytes.Buffer
		got := c.serve.addresses(t.Context(), cli.Streams{In: strings.NewReader("2\n"), Err: &talk}, at, slices.Clone(all))
		if strings.Join(got, " ") != c.want || !strings.Contains(talk.String(), c.said) || c.said == "" && talk.Len() > 0 {
			t.Errorf("%+v: %v, %q", c.serve, got, talk.String())
		}
	}
	var talk bytes.Buffer
	if got := (Serve{LAN: true}).addresses(t.Context(), cli.Streams{Err: &talk}, at, nil); len(got) != 0 || !strings.Contains(talk.String(), "no address was found") {
		t.Errorf("without a network: %v, %q", got, talk.String())
	}
}
