package gate

import (
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// TestAddress: a proxy that is believed says where a request comes from; nobody else does.
func TestAddress(t *testing.T) {
	g := New(Config{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}})
	for _, c := range []struct{ from, says, want string }{
		{"192.0.2.1:9", "", "192.0.2.1"}, {"192.0.2.1:9", "198.51.100.7", "192.0.2.1"},
		{"10.1.1.1:9", "198.51.100.7", "198.51.100.7"}, {"10.1.1.1:9", "", "10.1.1.1"}, {"[::ffff:10.1.1.1]:9", "198.51.100.7", "198.51.100.7"},
		{"10.1.1.1:9", "203.0.113.9, 198.51.100.7", "198.51.100.7"}, {"10.1.1.1:9", "203.0.113.9, 198.51.100.7, 10.2.2.2", "198.51.100.7"},
		{"10.1.1.1:9", "198.51.100.7, nonsense", "10.1.1.1"}, {"10.1.1.1:9", "10.3.3.3", "10.3.3.3"},
		{"[::1]:9", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"}, {"[2001:db8:1:2::9%eth0]:9", "198.51.100.7", "2001:db8:1:2::/64"},
		{"@", "198.51.100.7", "@"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.from
		if c.says != "" {
			for hop := range strings.SplitSeq(c.says, ", ") { // as several headers, or as one
				r.Header.Add("X-Forwarded-For", hop)
			}
		}
		if got := clientNetwork(g.address(r)); got != c.want {
			t.Errorf("from %s, which says %q: %s, want %s", c.from, c.says, got, c.want)
		}
		r.Header.Set("X-Forwarded-For", c.says)
		if got := clientNetwork(g.address(r)); got != c.want {
			t.Errorf("from %s, which says %q at once: %s, want %s", c.from, c.says, got, c.want)
		}
	}
}

// TestSteady: a body that stops is given up after seconds, one that comes drop by drop as well, and a megabyte over a slow line arrives.
func TestSteady(t *testing.T) {
	start := time.Unix(1e9, 0)
	s := &steady{stall: 5 * time.Second, start: start}
	for _, c := range []struct {
		read      int64
		now, want time.Duration
	}{
		{0, 0, 5 * time.Second},
		{15 << 20, time.Second, 6 * time.Second},            // much, and then nothing
		{1 << 10, 4 * time.Second, 5125 * time.Millisecond}, // drop by drop
		{600 << 10, 60 * time.Second, 65 * time.Second},     // ten kilobytes a second
		{1 << 20, 127 * time.Second, 132 * time.Second},
		{1 << 20, 130 * time.Second, 133 * time.Second},
	} {
		s.read = c.read
		if got := s.due(start.Add(c.now)).Sub(start); got != c.want {
			t.Errorf("after %d bytes in %v: due at %v, want %v", c.read, c.now, got, c.want)
		}
	}
}
