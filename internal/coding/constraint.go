package coding

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
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
		out = append(out, constraint{text, program, (&meter{sizes: maps.Clone(words)}).of(program.Node()).steps})
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
// language takes no more than 10⁴ nodes, and a quarter more, because a former estimate of lists of words was that much lower and its studies still open.
// A step is 50 ns, and a search computes a constraint up to 300,000 times.
const maxSteps = 12_500

// unbounded is a length that nothing bounds beforehand: any beyond maxSteps will do.
const unbounded = 1e9

// cost is what computing an expression takes at most, and how large its value is at most: numbers, and bytes of words, in all that it has. A number is 1.
type cost struct{ steps, size float64 }

// meter works out costs without computing anything, so whatever the options are they are not exceeded. Loops are counted as often as their lists are
// large, words and lists by their size.
type meter struct {
	sizes map[string]float64 // of the parameters' longest words, and of variables
	item  float64            // the size of # in a loop
	acc   float64            // and of #acc
}

// scalar reports whether an expression is a number or a truth for certain.
func scalar(n ast.Node) bool {
	k := n.Type().Kind()
	return k >= reflect.Bool && k <= reflect.Float64
}

// parts returns the expressions that another is made of.
func parts(n ast.Node) (out []ast.Node) {
	for _, v := range reflect.ValueOf(n).Elem().Fields() {
		if !v.CanInterface() {
			continue
		}
		switch field := v.Interface().(type) {
		case ast.Node:
			out = append(out, field)
		case []ast.Node:
			out = append(out, field...)
		}
	}
	return out
}

func (m *meter) of(n ast.Node) cost {
	c := m.sized(n)
	if c.size = max(1, c.size); scalar(n) {
		c.size = 1
	}
	return c
}

// sized is of with the size of whatever the value may be: a step, the costs of the parts, and as many steps as those that are no numbers are large.
func (m *meter) sized(n ast.Node) cost {
	switch n := n.(type) {
	case *ast.VariableDeclaratorNode:
		was := m.sizes[n.Name]
		value := m.of(n.Value)
		m.sizes[n.Name] = value.size
		out := m.of(n.Expr)
		m.sizes[n.Name] = was
		return cost{1 + value.steps + out.steps, out.size}
	case *ast.ConditionalNode:
		yes, no := m.of(n.Exp1), m.of(n.Exp2)
		return cost{1 + m.of(n.Cond).steps + max(yes.steps, no.steps), max(yes.size, no.size)}
	case *ast.BuiltinNode:
		if len(n.Arguments) > 1 {
			if _, loops := n.Arguments[1].(*ast.PredicateNode); loops {
				return m.loop(n)
			}
		}
	}
	out, product := cost{steps: 1}, 1.0
	for _, part := range parts(n) {
		c := m.of(part)
		out.steps, out.size, product = out.steps+c.steps+c.size-1, out.size+c.size, product*c.size
	}
	switch n := n.(type) {
	case *ast.StringNode:
		out.size = float64(len(n.Value))
	case *ast.BytesNode:
		out.size = float64(len(n.Value))
	case *ast.ConstantNode: // computed beforehand; whether a map has something takes one look
		if v := reflect.ValueOf(n.Value); v.Kind() == reflect.String || v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
			out.size = float64(v.Len())
		}
	case *ast.IdentifierNode:
		if out.size = m.sizes[n.Value]; n.Value == "$env" {
			for _, size := range m.sizes {
				out.size += size
			}
		}
	case *ast.PointerNode:
		if out.size = m.item; n.Name == "acc" {
			out.size = m.acc
		}
	case *ast.CallNode: // a method of a time
		out.size += 100
	case *ast.BinaryNode:
		switch n.Operator {
		case "..":
			out.size = span(n)
			out.steps += out.size
		case "matches", "in", "not in":
			out.steps += product
		}
	case *ast.BuiltinNode:
		return m.builtin(n, out)
	}
	return out
}

// span is the length of a range.
func span(n *ast.BinaryNode) float64 {
	from, begins := n.Left.(*ast.IntegerNode)
	to, ends := n.Right.(*ast.IntegerNode)
	if !begins || !ends {
		return unbounded
	}
	return float64(to.Value) - float64(from.Value) + 1
}

// builtin returns the cost of a function, given that of its arguments.
func (m *meter) builtin(n *ast.BuiltinNode, c cost) cost {
	c.steps += float64(len(n.Arguments)) // it looks at all of them
	switch n.Name {
	case "sort", "reverse", "take":
		c.steps += c.size * math.Log2(c.size+1)
	case "uniq":
		c.steps += c.size * c.size
	case "repeat":
		times, known := n.Arguments[1].(*ast.IntegerNode)
		if c.size = unbounded; known {
			c.size = m.of(n.Arguments[0]).size * float64(times.Value)
		}
		c.steps += c.size
	case "replace", "join":
		c.size *= 1 + c.size
		c.steps += c.size
	case "string", "toJSON", "toBase64", "type":
		c.size = 32 + 8*c.size // a number has up to 24 characters, a character up to 6 when it is escaped
		c.steps += c.size
	}
	return c
}

// loop returns the cost of a function that computes something for every item of a list.
func (m *meter) loop(n *ast.BuiltinNode) cost {
	list := m.of(n.Arguments[0])
	item, acc := m.item, m.acc
	defer func() { m.item, m.acc = item, acc }()
	m.item = list.size
	out := cost{1 + list.steps, list.size}
	for _, a := range n.Arguments[2:] {
		first := m.of(a)
		out.steps, m.acc = out.steps+first.steps, first.size
	}
	if n.Name == "reduce" {
		return m.reduce(n, list, out)
	}
	each := m.of(n.Arguments[1])
	out.steps += list.size * each.steps
	switch n.Name {
	case "map":
		out.size = list.size * each.size
	case "sortBy":
		out.steps += list.size * math.Log2(list.size+1)
	}
	if n.Map != nil { // a map of what was filtered, in one
		each := m.of(n.Map)
		out.steps, out.size = out.steps+list.size*each.steps, list.size*each.size
	}
	return out
}

// reduce follows what a loop gathers from one item to the next, as far as it is affordable: it may double each time.
func (m *meter) reduce(n *ast.BuiltinNode, list, out cost) cost {
	if len(n.Arguments) < 3 {
		m.acc = list.size
	}
	for i := 0.0; i < list.size; i++ {
		each := m.of(n.Arguments[1])
		out.steps, out.size, m.acc = out.steps+each.steps, each.size, each.size
		if out.steps+out.size > maxSteps {
			return cost{unbounded, unbounded}
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
	cs, _ := Compile(s) // what does not compile New reports
	for i, c := range cs {
		braces := func(n ast.Node) bool { _, ok := n.(*ast.PredicateNode); return ok }
		if ast.Find(c.program.Node(), braces) != nil {
			return Refuse("costly", "constraint %d, %s, has a loop: write out what {…} says of each parameter", i, quoted(c.text))
		}
	}
	return costly(cs)
}
