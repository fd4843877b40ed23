package chaos

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// fleet is the servers. Each keeps its address when it is killed and started again.
type fleet struct {
	program, store string
	logs           string
	client         *http.Client
	members        []*member

	mu  sync.Mutex
	cpu time.Duration // of processes that have ended
}

// member is one place in the fleet.
type member struct {
	address string
	process *exec.Cmd
}

// startFleet builds the program and starts the servers.
func startFleet(ctx context.Context, p plan, dir, store string) (*fleet, error) {
	f := &fleet{program: filepath.Join(dir, "prefer"), store: store, logs: p.keep, client: &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{MaxIdleConnsPerHost: 1000, MaxConnsPerHost: 1000, DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext},
	}}
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-ldflags", "-s -w", "-o", f.program, "./cmd/prefer")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("prefer was not built: %w", err)
	}
	for range p.servers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		f.members = append(f.members, &member{address: l.Addr().String()})
		if err := l.Close(); err != nil {
			return nil, err
		}
	}
	for i := range f.members {
		if err := f.start(i); err != nil {
			return nil, errors.Join(err, f.stop())
		}
		if err := f.ready(ctx, i); err != nil {
			return nil, errors.Join(err, f.stop())
		}
	}
	return f, nil
}

// start starts a server at its address.
func (f *fleet) start(i int) error {
	m := f.members[i]
	m.process = exec.Command(f.program, "serve", "--store", f.store, "--addr", m.address)
	if f.logs != "" {
		file, err := os.OpenFile(filepath.Join(f.logs, fmt.Sprintf("server%d.log", i)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer file.Close()
		m.process.Stderr = file
	}
	return m.process.Start()
}

// ready waits until a server says that it is healthy.
func (f *fleet) ready(ctx context.Context, i int) error {
	for start := time.Now(); time.Since(start) < time.Minute; {
		resp, err := f.client.Get("http://" + f.members[i].address + "/healthz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("server %d is not healthy after a minute", i)
}

// kill ends a server at once, wherever it is in its work.
func (f *fleet) kill(i int) error {
	p := f.members[i].process
	if err := p.Process.Kill(); err != nil {
		return err
	}
	return f.wait(p)
}

func (f *fleet) wait(p *exec.Cmd) error {
	var exit *exec.ExitError
	if err := p.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cpu += p.ProcessState.UserTime() + p.ProcessState.SystemTime()
	return nil
}

// stop asks the servers that run to finish.
func (f *fleet) stop() error {
	var errs []error
	for _, m := range f.members {
		if m.process == nil || m.process.Process == nil || m.process.ProcessState != nil {
			continue
		}
		errs = append(errs, m.process.Process.Signal(syscall.SIGTERM))
	}
	for _, m := range f.members {
		if m.process != nil && m.process.Process != nil && m.process.ProcessState == nil {
			errs = append(errs, f.wait(m.process))
		}
	}
	return errors.Join(errs...)
}

// any returns the address of a server, be it up or down, as a load balancer that does not look would.
func (f *fleet) any(r *rand.Rand) string { return f.members[r.IntN(len(f.members))].address }

// memory returns the largest resident size of each server that runs, in bytes, where the system tells.
func (f *fleet) memory() (peaks []int64) {
	for _, m := range f.members {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.process.Process.Pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				if kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64); err == nil {
					peaks = append(peaks, kb<<10)
				}
			}
		}
	}
	return peaks
}

// counters are what the servers count that tells how they got on with each other.
var counters = []string{
	"prefer_conflicts_total", "prefer_out_of_turn_total", "prefer_prefetch_hits_total",
	"prefer_shared_total", "prefer_partial_total", "prefer_background_dropped_total",
}

// counted returns the sums of the counters over the servers that run; of those that were killed they are lost.
func (f *fleet) counted() map[string]float64 {
	sums := map[string]float64{}
	for _, m := range f.members {
		resp, err := f.client.Get("http://" + m.address + "/metrics")
		if err != nil {
			continue
		}
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			name, value, _ := strings.Cut(s.Text(), " ")
			if v, err := strconv.ParseFloat(value, 64); err == nil && slices.Contains(counters, name) {
				sums[name] += v
			}
		}
		resp.Body.Close()
	}
	return sums
}
