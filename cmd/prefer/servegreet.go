package main

import (
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"runtime"

	"github.com/prefer-bo/prefer/server"
	"github.com/skip2/go-qrcode"
)

// greet prints where the server is: on the standard output the address, and for people how to get in.
func (c serveCommand) greet(s streams, srv *server.Server, at net.Addr, token string) error {
	address := url.URL{Scheme: "http", Host: reachable(at)}
	if !s.json {
		fmt.Fprintln(s.out, address.String())
	}
	served := map[string]string{"address": address.String()}
	if u, err := url.Parse(c.PublicURL); err == nil && c.PublicURL != "" { // the server has checked it
		address = *u
	}
	enter := address.JoinPath("/").String()
	if token != "" {
		enter = address.JoinPath(srv.OwnerLink()).String()
		served["owner"] = enter
		fmt.Fprintf(s.err, "the owner's address, good for one browser: %s\n", enter)
	}
	if s.json {
		if err := writeJSON(s.out, served); err != nil {
			return err
		}
	}
	if c.LAN {
		if code, err := qrcode.New(enter, qrcode.Medium); err == nil {
			fmt.Fprint(s.err, code.ToSmallString(false))
		}
		if c.OwnerToken == "" {
			fmt.Fprintf(s.err, "programs send \"Authorization: Bearer %s\"\n", token)
		}
	}
	fmt.Fprintln(s.err, "Ctrl-C stops; nothing is lost")
	if c.Open {
		if err := browse(enter); err != nil {
			fmt.Fprintf(s.err, "no browser could be opened (%v): go to %s\n", err, enter)
		}
	}
	return nil
}

// reachable returns an address that others can use: of a server that listens everywhere, this machine's on
// the local network.
func reachable(at net.Addr) string {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return at.String()
	}
	host := "127.0.0.1"
	if all, err := net.InterfaceAddrs(); err == nil {
		for _, a := range all {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsPrivate() {
				host = n.IP.String()
				break
			}
		}
	}
	return net.JoinHostPort(host, fmt.Sprint(tcp.Port))
}

// browse opens an address as the system does.
func browse(address string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", address).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Start()
	}
	return exec.Command("xdg-open", address).Start()
}
