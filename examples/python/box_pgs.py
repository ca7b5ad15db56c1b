"""box/pgs in Python: projected Gauss-Seidel on the box model (Silcowitz-Hansen et al. 2010, eq. 17).

    perpend solve FILE --plugin box_pgs.py --solver box/pgs,box/pgs-in-python
"""

import numpy as np
import perpend


@perpend.solver("box/pgs-in-python", reference="Silcowitz-Hansen, Niebe, Erleben 2010, eq. 17")
def pgs(problem):
    "projected Gauss-Seidel, friction as two bounds, in Python"
    z, b, mu = problem.start.copy(), problem.b, problem.mu
    rows = [problem.A.row(i) for i in range(problem.size)]
    diagonal = problem.A.diagonal()

    def relax(i, lower, upper):
        columns, values = rows[i]
        if diagonal[i] > 0:
            w = values @ z[columns] + b[i]
            z[i] = min(max(z[i] - w / diagonal[i], lower), upper)

    while True:
        for j in range(problem.joint_rows):
            relax(3 * problem.contacts + j, problem.lower[j], problem.upper[j])
        for i in range(problem.contacts):
            relax(3 * i, 0.0, np.inf)
            most = mu[i] * z[3 * i]
            relax(3 * i + 1, -most, most)
            relax(3 * i + 2, -most, most)
        problem.count("sweeps")
        yield z
