# Extended skew normal by Azzalini's own package: density and cumulants on a grid.
#
#     Rscript testdata/golden_esn.R > testdata/esn_sn.json
#
# sn's tau is the tau of App. A: its density is phi(z) Phi(tau sqrt(1+alpha^2) + alpha z) / Phi(tau). Its log density
# clips log Phi(tau) near tau = -37 and its cumulants subtract, so the grid stays where both are good to 1e-9.
suppressMessages(library(sn))
row <- function(...) paste0("[", paste(sprintf('"%.17g"', c(...)), collapse = ", "), "]")
rows <- c()
for (tau in c(-6, -4, -2.5, -1, -0.3, 0, 0.4, 1, 2, 3.5, 6))
  for (alpha in c(-20, -3, -1, -0.2, 0, 0.5, 2, 7))
    for (p in list(c(0, 1), c(-1.5, 0.25), c(3, 4))) {
      xi <- p[1]; omega <- p[2]
      k <- sn.cumulants(xi, omega, alpha, tau = tau, n = 4)
      x <- k[1] + 0.7 * sqrt(k[2])
      rows <- c(rows, row(xi, omega, alpha, tau, k, x, dsn(x, xi, omega, alpha, tau = tau)))
    }
cat("{\n")
cat(sprintf('"tool": "sn %s, %s",\n', packageVersion("sn"), R.version.string))
cat('"command": "Rscript testdata/golden_esn.R > testdata/esn_sn.json",\n')
cat('"columns": ["xi", "omega", "alpha", "tau", "k1", "k2", "k3", "k4", "x", "prob"],\n"rows": [\n')
cat(paste(rows, collapse = ",\n"))
cat("\n]}\n")
