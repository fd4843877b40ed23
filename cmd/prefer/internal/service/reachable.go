package service

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// place is an address of this machine that others may reach.
type place struct {
	addr netip.Addr
	kind string // of network
	nic  string // the interface
	rank int
}

// nic is a network interface of this machine.
type nic struct {
	name  string
	up    bool
	addrs []netip.Addr
}

func nics() (out []nic) {
	all, err := net.Interfaces()
	if err != nil {
		return nil // nothing is known, and the caller says so
	}
	for _, i := range all {
		one := nic{name: i.Name, up: i.Flags&net.FlagUp != 0}
		addrs, _ := i.Addrs() // an interface that has gone has none
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				one.addrs = append(one.addrs, p.Addr().Unmap())
			}
		}
		out = append(out, one)
	}
	return out
}

var (
	shared  = netip.MustParsePrefix("100.64.0.0/10")                                 // RFC 6598, which Tailscale takes its addresses from
	virtual = []string{"docker", "br-", "veth", "virbr", "cni", "flannel", "podman"} // bridges to containers on this machine
)

// places lists where a machine can be reached, the likeliest for a phone in the same room first: the local network, Tailscale, public
// addresses, IPv6. Of an interface with several IPv6 addresses the first counts: the others come and go.
func places(all []nic) (out []place) {
	for _, n := range all {
		if !n.up || slices.ContainsFunc(virtual, func(v string) bool { return strings.HasPrefix(n.name, v) }) {
			continue
		}
		six := false
		for _, a := range n.addrs {
			p := place{addr: a, nic: n.name}
			switch {
			case a.IsLoopback() || a.IsLinkLocalUnicast() || !a.IsGlobalUnicast() || a.Is6() && six:
				continue
			case a.Is4() && a.IsPrivate():
				p.kind, p.rank = "local network", 1
			case shared.Contains(a):
				p.kind, p.rank = "Tailscale", 2
			case a.Is4():
				p.kind, p.rank = "public", 3
			default:
				p.kind, p.rank, six = "IPv6", 4, true
			}
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b place) int { return cmp.Compare(a.rank, b.rank) })
	return out
}

// reachable lists the addresses at which others reach a server, as http://HOST:PORT, the likeliest first; none if it listens to this machine alone.
func reachable(at net.Addr, all []nic) (out []string, found []place) {
	tcp, ok := at.(*net.TCPAddr)
	switch {
	case !ok || tcp.IP.IsLoopback():
		return nil, nil
	case !tcp.IP.IsUnspecified():
		return []string{"http://" + at.String()}, nil
	}
	found = places(all)
	return xslices.Map(found, func(p place) string { return "http://" + net.JoinHostPort(p.addr.String(), strconv.Itoa(tcp.Port)) }), found
}

// networks counts the networks to choose from: an IPv6 address beside an IPv4 one of the same interface is in the same network.
func networks(found []place) int {
	return xslices.Count(found, func(p place) bool {
		return p.addr.Is4() || !slices.ContainsFunc(found, func(q place) bool { return q.nic == p.nic && q.addr.Is4() })
	})
}

// which asks a person which of several addresses others are told; Enter, or the end of the input, takes the first.
func which(in io.Reader, out io.Writer, found []place) int {
	fmt.Fprintln(out, "This machine has several addresses. At which one will the others reach it?")
	for i, p := range found {
		fmt.Fprintf(out, "  %d  %-24s %s, %s\n", i+1, p.addr, p.kind, p.nic)
	}
	lines := bufio.NewScanner(in)
	for {
		fmt.Fprintf(out, "1 to %d, or Enter for 1: ", len(found))
		if !lines.Scan() {
			fmt.Fprintln(out)
			return 0
		}
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			return 0
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(found) {
			return n - 1
		}
		fmt.Fprintf(out, "%.40q is not a number from 1 to %d\n", text, len(found))
	}
}

// addresses returns where others reach the server, first the printed one. Of several, --lan asks on a terminal and elsewhere lists them.
func (c Serve) addresses(ctx context.Context, s cli.Streams, at net.Addr, all []nic) []string {
	if c.PublicURL != "" {
		return []string{strings.TrimSuffix(c.PublicURL, "/")}
	}
	out, found := reachable(at, all)
	if !c.LAN {
		return out
	}
	talk := c.people(s).Err
	if len(out) == 0 {
		fmt.Fprintln(talk, "no address was found at which others reach this machine: is it on a network? --public-url names one")
	}
	switch asks := terminal.Is(s.In) && talk != io.Discard; {
	case len(found) > 1 && asks && networks(found) > 1:
		chosen := make(chan int, 1) // so that Ctrl-C ends the question, too
		go func() { chosen <- which(s.In, talk, found) }()
		select {
		case first := <-chosen:
			out = append([]string{out[first]}, slices.Delete(slices.Clone(out), first, first+1)...)
		case <-ctx.Done():
		}
	case len(found) > 1 && !asks:
		for i, p := range found {
			fmt.Fprintf(talk, "reachable at %s (%s, %s)\n", out[i], p.kind, p.nic)
		}
		fmt.Fprintln(talk, "the first is taken; --addr HOST:PORT or --public-url takes another")
	}
	return out
}
