package problem

import "math"

// Hartmann's functions are sums of four Gaussian bumps on the unit cube,
//
//	f(x) = Σᵢ αᵢ exp(−Σⱼ Aᵢⱼ(xⱼ − Pᵢⱼ)²),   i = 1, …, 4,
//
// usually printed negated, for minimisation (Dixon and Szegő 1978, Towards Global Optimisation 2;
// constants as in BoTorch 0.9.5). The optima are roots of the gradient, found by mpmath with 50
// digits from the best of 2000 local searches: testdata/optima.py. Those in circulation are rounded:
// −3.32237 puts a floor of 2e-6 under the gap of Hartmann6.

// Hartmann6 returns the 6-dimensional Hartmann function. Its second best local maximum, 3.2032, is
// near (0.405, 0.882, 0.846, 0.574, 0.139, 0.038).
func Hartmann6() Problem {
	return hartmann("hartmann6",
		[][]float64{
			{10, 3, 17, 3.5, 1.7, 8},
			{0.05, 10, 17, 0.1, 8, 14},
			{3, 3.5, 1.7, 10, 17, 8},
			{17, 8, 0.05, 10, 0.1, 14},
		},
		[][]float64{
			{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
			{0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
			{0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
			{0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381},
		},
		3.322368011415514800084312,
		[]float64{
			0.2016895110067054243329518, 0.1500106918234579687929572, 0.4768739742218969903248683,
			0.2753324304940560682433848, 0.3116516166001132424501625, 0.6573005340656203060610622,
		})
}

// Hartmann3 returns the 3-dimensional Hartmann function, which is not in the paper.
func Hartmann3() Problem {
	return hartmann("hartmann3",
		[][]float64{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}},
		[][]float64{
			{0.3689, 0.1170, 0.2673},
			{0.4699, 0.4387, 0.7470},
			{0.1091, 0.8732, 0.5547},
			{0.0381, 0.5743, 0.8828},
		},
		3.862779787332662522767447,
		[]float64{0.114588876655068968358762, 0.5556488946169300447690242, 0.8525469846866774376207107})
}

// hartmann builds the sum of bumps of weights α = (1, 1.2, 3, 3.2); a and p are 4 × d.
func hartmann(name string, a, p [][]float64, optimum float64, at []float64) Problem {
	alpha := [4]float64{1, 1.2, 3, 3.2}
	d := len(at)
	return Problem{
		Name: name, Dim: d,
		Lower: constant(d, 0), Upper: constant(d, 1),
		Optimum:    optimum,
		Maximisers: [][]float64{at},
		F: func(x []float64) float64 {
			s := 0.0
			for i, w := range alpha {
				q := 0.0
				for j, v := range x {
					q += a[i][j] * square(v-p[i][j])
				}
				s += w * math.Exp(-q)
			}
			return s
		},
	}
}
