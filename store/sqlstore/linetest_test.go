package sqlstore

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// echo is a database that says everything twice.
func echo(t *testing.T, mark string) (address string, heard chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	heard = make(chan string, 100)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				buf := make([]byte, 100)
				for {
					n, err := c.Read(buf)
					if err != nil {
						heard <- "hung up"
						return
					}
					heard <- string(buf[:n])
					if _, err := io.WriteString(c, mark+string(buf[:n])); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "postgres://ann@" + listener.Addr().String() + "/db?application_name=x", heard
}

// caller is a client of a line.
type caller struct {
	t *testing.T
	c net.Conn
}

func call(t *testing.T, l *Line) caller {
	t.Helper()
	c, err := dial(l.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return caller{t, c}
}

func (c caller) say(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.c, text); err != nil {
		c.t.Fatal(err)
	}
}

// hears waits for a text; empty stands for a line that is silent, "cut" for one that is cut.
func (c caller) hears(want string) {
	c.t.Helper()
	patience := 20 * time.Second
	if want == "" {
		patience = 50 * time.Millisecond
	}
	_ = c.c.SetReadDeadline(time.Now().Add(patience))
	buf := make([]byte, 100)
	n, err := c.c.Read(buf)
	got := string(buf[:n])
	if e, ok := err.(net.Error); err != nil && (!ok || !e.Timeout()) {
		got = "cut"
	}
	if got != want {
		c.t.Fatalf("heard %q (%v), want %q", got, err, want)
	}
}

func TestLine(t *testing.T) {
	first, _ := echo(t, "1")
	second, _ := echo(t, "2")
	l := NewLine(t, first)
	if a := l.Address(); !strings.HasPrefix(a, "postgres://ann@127.0.0.1:") || !strings.Contains(a, "/db?application_name=x&sslmode=disable") {
		t.Errorf("the address is %s", a)
	}
	c := call(t, l)
	c.say("a")
	c.hears("1a")

	l.Freeze()
	c.say("b")
	c.hears("")
	late := call(t, l) // accepted, and that is all
	late.say("c")
	late.hears("")
	l.Thaw()
	c.hears("1b")
	late.hears("1c")

	l.Delay(30 * time.Millisecond)
	start := time.Now()
	c.say("d")
	c.hears("1d")
	if took := time.Since(start); took < 60*time.Millisecond {
		t.Errorf("there and back took %v, want 2 × 30 ms", took)
	}
	l.Delay(0)

	l.Move(second)
	moved := call(t, l)
	moved.say("e")
	moved.hears("2e")
	c.say("f")
	c.hears("1f")

	l.Refuse(true)
	call(t, l).hears("cut")
	c.say("g")
	c.hears("1g")
	l.Refuse(false)

	if n := l.Connections(); n != 3 {
		t.Errorf("%d connections, want 3", n)
	}
	l.Cut()
	c.hears("cut")
	moved.hears("cut")

	// A client that hangs up on a frozen line is not missed until it thaws.
	third, heard := echo(t, "3")
	l.Move(third)
	c = call(t, l)
	c.say("h")
	c.hears("3h")
	if got := <-heard; got != "h" {
		t.Errorf("the database heard %q", got)
	}
	l.Freeze()
	c.c.Close()
	time.Sleep(20 * time.Millisecond)
	if len(heard) > 0 {
		t.Errorf("the database heard %q through a frozen line", <-heard)
	}
	l.Thaw()
	if got := <-heard; got != "hung up" {
		t.Errorf("the database heard %q", got)
	}
}

// TestTrap: the line is cut at the message that was named, before the database gets it or after it has replied.
func TestTrap(t *testing.T) {
	address, heard := echo(t, "")
	l := NewLine(t, address)
	for _, after := range []bool{false, true} {
		c := call(t, l)
		l.Trap(1, after, l.Cut)
		c.say("a")
		c.hears("a")
		if got := <-heard; got != "a" {
			t.Errorf("heard %q", got)
		}
		c.say("b")
		c.hears("cut")
		got := <-heard
		if (got == "b") != after {
			t.Errorf("the database heard %q; after its reply: %t", got, after)
		}
		if after {
			<-heard // that it was hung up
		}
		if !l.Disarm() {
			t.Error("the trap did not spring")
		}
	}
	l.Trap(3, false, l.Cut)
	if l.Disarm() {
		t.Error("the trap has sprung without a message")
	}
}

// TestDisarm: a trap that was taken away while it waited for a reply does nothing when that comes.
func TestDisarm(t *testing.T) {
	address, _ := echo(t, "1")
	l := NewLine(t, address)
	l.Trap(0, true, l.Freeze)
	c := &lineConn{}
	l.spring(c)
	if !l.Disarm() {
		t.Error("the message was not counted")
	}
	c.reply()
	if l.frozen {
		t.Error("the line freezes though the trap was taken away")
	}
}
