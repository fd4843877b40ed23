// Package breath lets a program go on with other things in the middle of long arithmetic, where one thread is all there is: in a browser. Go has a
// single thread there and interrupts nothing, so a search would keep messages, timers and deadlines waiting until it ends. Everywhere else it does nothing.
package breath
