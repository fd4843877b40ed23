package live

import (
	"context"
	"maps"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// UtilityMap is the utility on a grid of two parameters through the best option.
type UtilityMap struct {
	X    []space.Value `json:"x" nullable:"false"`
	Y    []space.Value `json:"y" nullable:"false"`
	Mean [][]*float64  `json:"mean" doc:"A row for each y; null where the constraints allow no option."`
	SD   [][]*float64  `json:"sd"`

	Below   [][]*float64 `json:"below" doc:"How far it is below the best option, in units of the noise; null as in mean."`
	BelowSD [][]*float64 `json:"below_sd"`

	Best space.Option `json:"best"`
}

// NewUtilityMap works out the map over the parameters x and y, with n points along each, or as many as one has.
func NewUtilityMap(ctx context.Context, b *prefer.Belief, x, y string, n int) (UtilityMap, error) {
	if err := b.Find(ctx); err != nil {
		return UtilityMap{}, err
	}
	out := UtilityMap{Best: b.Best()}
	for name, values := range map[string]*[]space.Value{x: &out.X, y: &out.Y} {
		walk, err := b.Slice(name, n)
		if err != nil {
			return out, err
		}
		*values = xslices.Map(walk, func(p prefer.SlicePoint) space.Value { return p.Value })
	}
	point := maps.Clone(out.Best)
	for _, up := range out.Y {
		var rows [4][]*float64
		for i := range rows {
			rows[i] = make([]*float64, len(out.X))
		}
		for i, across := range out.X {
			point[x], point[y] = across, up
			var v [4]float64
			err := error(nil)
			if v[0], v[1], err = b.Utility(point); err == nil {
				v[2], v[3], err = b.Below(point)
			}
			switch {
			case err == nil:
				for k := range rows {
					rows[k][i] = &v[k]
				}
			case errcode.Of(err) != "option":
				return out, err
			}
		}
		for k, to := range []*[][]*float64{&out.Mean, &out.SD, &out.Below, &out.BelowSD} {
			*to = append(*to, rows[k])
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
	}
	return out, nil
}
