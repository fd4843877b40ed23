package coding

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

type constraint struct {
	text    string
	program *vm.Program
	Steps   float64 // that computing it takes at most
}

// compile reads the constraints of a space. They see the parameters by name, numbers as float64, and the
// functions of the expression language that are functions of their arguments alone.
func Compile(s space.Space) ([]constraint, error) {
	env := map[string]any{}
	words := map[string]float64{}
	if s.Crossed() {
		env[itemAxisName] = ""
		for _, it := range s.Items {
			words[itemAxisName] = max(words[itemAxisName], float64(len(it.ID)))
		}
	}
	for _, p := range s.Parameters {
		for _, v := range p.Choices {
			words[p.Name] = max(words[p.Name], float64(len(v.String())))
		}
		switch {
		case IsNumber(p):
			env[p.Name] = 0.0
		case p.Type == "bool":
			env[p.Name] = false
		case !slices.ContainsFunc(p.Choices, func(v space.Value) bool { return reflect.TypeOf(v.Any()) != reflect.TypeOf(p.Choices[0].Any()) }):
			env[p.Name] = p.Choices[0].Any()
		default:
			env[p.Name] = any(nil) // numbers and words mixed: checked when it runs
		}
	}
	var out []constraint
	for i, text := range s.Constraints {
		program, err := expr.Compile(text, expr.Env(env), expr.AsBool(), expr.DisableBuiltin("now"))
		if err != nil {
			return nil, fmt.Errorf("prefer: constraint %d, %s: %w", i, quoted(text), brief(err, text))
		}
		out = append(out, constraint{text, program, (&meter{words: words, vars: map[string]cost{}}).of(program.Node()).steps})
	}
	return out, nil
}

const maxQuoted = 120

// quoted returns a constraint as an error names it: its beginning, if it is long.
func quoted(text string) string {
	if r := []rune(text); len(r) > maxQuoted {
		return strconv.Quote(string(r[:maxQuoted])+"…") + fmt.Sprintf(" (%d characters)", len(r))
	}
	return strconv.Quote(text)
}

// brief returns an error of the expression language without the whole of a long text.
func brief(err error, text string) error {
	if at, ok := errors.AsType[*file.Error](err); ok && len(text) > maxQuoted {
		return fmt.Errorf("%.*s (line %d, character %d)", maxQuoted, at.Message, at.Line, at.Column+1)
	}
	return err
}

// scratch is what computing constraints needs, kept from one time to the next: a search asks about thousands of points.
type scratch struct {
	env     map[string]any
	machine vm.VM
}

// unmet returns the first constraint that the values of an option do not meet, "" if there is none.
func (c *Coding) unmet(value func(Axis) space.Value) (string, error) {
	if len(c.Constraints) == 0 {
		return "", nil
	}
	s, ok := c.scratch.Get().(*scratch)
	if !ok {
		s = &scratch{env: make(map[string]any, len(c.Axes))}
	}
	defer c.scratch.Put(s)
	for _, a := range c.Axes {
		s.env[a.Name] = value(a).Any()
	}
	for _, k := range c.Constraints {
		out, err := s.machine.Run(k.program, s.env)
		if err != nil {
			o := space.Option{}
			for _, a := range c.Axes {
				o[a.Name] = value(a)
			}
			return k.text, fmt.Errorf("prefer: constraint %s cannot be computed for %v: %w", quoted(k.text), o, brief(err, k.text))
		}
		if met, _ := out.(bool); !met { // AsBool promises it
			return k.text, nil
		}
	}
	return "", nil
}

func (c *Coding) unmetAt(x []float64) (string, error) {
	return c.unmet(func(a Axis) space.Value { return a.Decode(x) })
}

// maxSteps is how many steps computing a constraint once may take: as many as the longest expression without a loop has, for the
// language takes no more than 10⁴ nodes. A step is 50 ns, and a search computes a constraint up to 300,000 times.
const maxSteps = 10_000

// unbounded is a length that nothing bounds beforehand: any beyond maxSteps will do.
const unbounded = 1e9

// cost is what computing an expression takes at most, and how large its value is at most: length items, or bytes of a word, of item
// parts each. A number is 1 of 1.
type cost struct{ steps, length, item float64 }

func (c cost) total() float64 { return c.length * c.item }

// value returns a cost of nothing, with the size of a value.
func value(length, item float64) cost { return cost{0, max(1, length), max(1, item)} }

// meter works out costs without computing anything, so whatever the options are they are not exceeded. Loops are counted
// as often as their lists are long, words and lists by their length.
type meter struct {
	words map[string]float64 // lengths of the parameters' longest words
	vars  map[string]cost
	item  cost // # in a loop
	acc   cost // #acc
}

// scalar reports whether an expression is a number or a truth for certain.
func scalar(n ast.Node) bool {
	k := n.Type().Kind()
	return k >= reflect.Bool && k <= reflect.Float64
}

func (m *meter) of(n ast.Node) cost {
	if n == nil {
		return value(1, 1)
	}
	c := m.sized(n)
	c.steps++
	if scalar(n) {
		c.length, c.item = 1, 1
	}
	return c
}

// sized is of without the step of the node itself, and with lengths of whatever it may be.
func (m *meter) sized(n ast.Node) cost {
	switch n := n.(type) {
	case *ast.StringNode:
		return value(float64(len(n.Value)), 1)
	case *ast.BytesNode:
		return value(float64(len(n.Value)), 1)
	case *ast.ConstantNode:
		return constantSize(reflect.ValueOf(n.Value))
	case *ast.IdentifierNode:
		if c, ok := m.vars[n.Value]; ok {
			return value(c.length, c.item)
		}
		if n.Value == "$env" {
			return value(float64(len(m.words)), m.longest())
		}
		return value(m.words[n.Value], 1)
	case *ast.PointerNode:
		switch n.Name {
		case "acc":
			return value(m.acc.length, m.acc.item)
		case "index":
			return value(1, 1)
		}
		return value(m.item.length, m.item.item)
	case *ast.UnaryNode:
		return m.of(n.Node)
	case *ast.ChainNode:
		return m.of(n.Node)
	case *ast.PredicateNode:
		return m.of(n.Node)
	case *ast.BinaryNode:
		return m.binary(n)
	case *ast.MemberNode:
		c, at := m.of(n.Node), m.of(n.Property)
		return cost{c.steps + at.steps, c.item, 1}
	case *ast.SliceNode:
		c := m.of(n.Node)
		return cost{c.steps + m.of(n.From).steps + m.of(n.To).steps + c.length, c.length, c.item}
	case *ast.ConditionalNode:
		yes, no := m.of(n.Exp1), m.of(n.Exp2)
		return cost{m.of(n.Cond).steps + max(yes.steps, no.steps), max(yes.length, no.length), max(yes.item, no.item)}
	case *ast.VariableDeclaratorNode:
		was, had := m.vars[n.Name]
		c := m.of(n.Value)
		m.vars[n.Name] = c
		out := m.of(n.Expr)
		if delete(m.vars, n.Name); had {
			m.vars[n.Name] = was
		}
		return cost{c.steps + out.steps, out.length, out.item}
	case *ast.SequenceNode:
		each := m.all(n.Nodes)
		last := each[len(each)-1]
		return cost{together(each).steps, last.length, last.item}
	case *ast.ArrayNode:
		c := together(m.all(n.Nodes))
		return cost{c.steps, max(1, float64(len(n.Nodes))), c.item}
	case *ast.MapNode:
		c := together(m.all(n.Pairs))
		return cost{c.steps, max(1, float64(len(n.Pairs))), c.item}
	case *ast.PairNode:
		key, c := m.of(n.Key), m.of(n.Value)
		return cost{key.steps + c.steps, max(key.total(), c.total()), 1}
	case *ast.CallNode: // a method of a time
		c := together(m.all(append([]ast.Node{n.Callee}, n.Arguments...)))
		return cost{c.steps, 100 + c.length*c.item, 1}
	case *ast.BuiltinNode:
		return m.builtin(n)
	}
	return value(1, 1)
}

// all returns the costs of several expressions, each worked out once: they may be nested a thousand deep.
func (m *meter) all(nodes []ast.Node) []cost {
	return xslices.Map(nodes, m.of)
}

// together returns the cost of several: as long as they are together, with the largest of them as its item.
func together(cs []cost) cost {
	out := cost{item: 1}
	for _, c := range cs {
		out.steps += c.steps
		out.length += c.length
		out.item = max(out.item, c.total())
	}
	return out
}

func (m *meter) longest() float64 {
	most := 1.0
	for _, n := range m.words {
		most = max(most, n)
	}
	return most
}

// constantSize is the size of what was computed beforehand. Whether a map has something takes one look.
func constantSize(v reflect.Value) cost {
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Array:
		return value(float64(v.Len()), 1)
	}
	return value(1, 1)
}

func (m *meter) binary(n *ast.BinaryNode) cost {
	l, r := m.of(n.Left), m.of(n.Right)
	out := cost{l.steps + r.steps, 1, 1}
	plain := scalar(n.Left) && scalar(n.Right)
	switch n.Operator {
	case "..":
		from, begins := n.Left.(*ast.IntegerNode)
		to, ends := n.Right.(*ast.IntegerNode)
		out.length = unbounded
		if begins && ends {
			out.length = max(1, float64(to.Value)-float64(from.Value)+1)
		}
		out.steps += out.length
	case "matches", "in", "not in":
		out.steps += l.total() * r.total()
	case "+":
		if !plain {
			out.length, out.item = l.length+r.length, max(l.item, r.item)
			out.steps += out.total() - 2
		}
	case "??":
		out.length, out.item = max(l.length, r.length), max(l.item, r.item)
	default:
		if !plain {
			out.steps += l.total() + r.total() - 2
		}
	}
	return out
}

func (m *meter) builtin(n *ast.BuiltinNode) cost {
	if len(n.Arguments) > 1 {
		if _, loops := n.Arguments[1].(*ast.PredicateNode); loops {
			return m.loop(n)
		}
	}
	each := m.all(n.Arguments)
	c, first, size := together(each), value(1, 1), 0.0 // size is that of all it looks at
	for _, a := range each {
		size += a.total()
	}
	if len(each) > 0 {
		first = each[0]
	}
	c.steps += size
	switch n.Name {
	case "first", "last", "get":
		c.length, c.item = first.item, 1
	case "sort", "reverse", "take":
		c.steps += size * math.Log2(size+1)
		c.length, c.item = first.length, first.item
	case "uniq", "concat", "flatten", "split", "splitAfter", "fromJSON", "fromPairs", "toPairs", "keys", "values":
		if n.Name == "uniq" {
			c.steps += size * size
		}
		c.length = size
	case "repeat":
		times, known := n.Arguments[1].(*ast.IntegerNode)
		c.length = unbounded
		if known {
			c.length = first.total() * max(1, float64(times.Value))
		}
		c.steps += c.length
	case "replace", "join":
		c.length, c.item = size*(1+size), 1
		c.steps += c.length
	case "string", "toJSON", "toBase64", "type":
		c.length, c.item = 32+8*size, 1 // a number has up to 24 characters, a character up to 6 when it is escaped
		c.steps += c.length
	}
	return c
}

// loop returns the cost of a function that computes something for every item of a list.
func (m *meter) loop(n *ast.BuiltinNode) cost {
	list := m.of(n.Arguments[0])
	item, acc := m.item, m.acc
	defer func() { m.item, m.acc = item, acc }()
	m.item = value(list.item, 1)
	if n.Name == "reduce" {
		return m.reduce(n, list)
	}
	each := m.of(n.Arguments[1])
	out := cost{list.steps + list.length*each.steps, list.length, list.item}
	for _, a := range n.Arguments[2:] {
		out.steps += m.of(a).steps
	}
	switch n.Name {
	case "map":
		out.item = each.total()
	case "find", "findLast":
		out.length, out.item = list.item, 1
	case "sortBy":
		out.steps += list.length * math.Log2(list.length+1)
	}
	if n.Map != nil { // a map of what was filtered, in one
		each := m.of(n.Map)
		out.steps, out.item = out.steps+list.length*each.steps, each.total()
	}
	return out
}

// reduce follows what a loop gathers from one item to the next, as far as it is affordable: it may double each time.
func (m *meter) reduce(n *ast.BuiltinNode, list cost) cost {
	out := cost{list.steps, list.item, 1}
	if len(n.Arguments) > 2 {
		first := m.of(n.Arguments[2])
		out = cost{list.steps + first.steps, max(list.item, first.length), first.item}
	}
	for i := 0.0; i < list.length; i++ {
		m.acc = value(out.length, out.item)
		each := m.of(n.Arguments[1])
		out = cost{out.steps + each.steps, each.length, each.item}
		if out.steps+out.total() > maxSteps {
			return cost{unbounded, unbounded, 1}
		}
	}
	return out
}

// costly reports constraints that take too many steps, together: every option is held against all of them.
func costly(cs []constraint) error {
	steps := 0.0
	for i, c := range cs {
		if steps += c.Steps; steps > maxSteps {
			which := fmt.Sprintf("constraint %d, %s,", i, quoted(c.text))
			if i > 0 {
				which = fmt.Sprintf("constraints 0 to %d, the last of them %s, together", i, quoted(c.text))
			}
			return Refuse("costly", "%s may take %s steps to compute, want at most %d, for a search does so 100,000 times: shorten its loops, "+
				"and give ranges ends that are numbers", which, roughly(steps), maxSteps)
		}
	}
	return nil
}

func roughly(steps float64) string {
	if steps >= unbounded {
		return "any number of"
	}
	return fmt.Sprintf("%.0f", steps)
}

// Affordable reports a constraint of a new study that has a loop or takes too many steps. Only logs written before may have loops. What else is wrong
// with the space Validate says.
func Affordable(s space.Space) error {
	if len(s.Constraints) == 0 || s.Validate() != nil {
		return nil
	}
	cs, err := Compile(s)
	if err != nil {
		return nil
	}
	for i, c := range cs {
		braces := func(n ast.Node) bool { _, ok := n.(*ast.PredicateNode); return ok }
		if ast.Find(c.program.Node(), braces) != nil {
			return Refuse("costly", "constraint %d, %s, has a loop: write out what {…} says of each parameter", i, quoted(c.text))
		}
	}
	return costly(cs)
}
