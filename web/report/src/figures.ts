// The rows behind the tables, as selected; no screen here, and no figures: those are given.
import type {Report} from './data';

export interface Selection { solvers: number[]; problems: Set<number> }

// Rows of the solvers and problems selected, by solver.
export function rowsBySolver(report: Report, {solvers, problems}: Selection): Map<number, number[]> {
  const lists = new Map<number, number[]>(solvers.map((solver) => [solver, []]));
  for (let row = 0; row < report.meta.rows; ++row)
    if (problems.has(report.problem[row])) lists.get(report.solver[row])?.push(row);
  return lists;
}

// A problem that the solver does not take (joints, no mass matrix) is no failure of it.
export const refuses = (report: Report, row: number) => report.text('status', row) === 'invalid_input';

export interface Line {
  solver: number;
  rows: number[];                        // those of problems that it takes
  refused: number[];                     // the others
  solved: number[];                      // rows that ended converged
  own: number[][]; coulomb: number[][];  // rows that reached each tolerance at some moment
  worstOwn: number; worstOwnRow: number;
  worstVelocity: number; worstVelocityRow: number;
  statuses: Map<string, number[]>;
  paths: Map<string, number[]>;          // of the solved rows
}

export function summaryLines(report: Report, selection: Selection): Line[] {
  const {tolerances} = report.meta;
  const times = {
    own: tolerances.map((_, t) => report.toTolerance('own_error', 'iterations', t)),
    coulomb: tolerances.map((_, t) => report.toTolerance('velocity_error', 'iterations', t)),
  };
  const own = report.column('errors.own_error'), velocity = report.column('errors.velocity_error');
  const worst = (errors: ArrayLike<number>, rows: number[]) => {
    let at = -1;
    for (const row of rows) if (errors[row] >= 0 && (at < 0 || errors[row] > errors[at])) at = row;
    return at;
  };
  const by = (rows: number[], key: (row: number) => string) => {
    const groups = new Map<string, number[]>();
    for (const row of rows) {
      const name = key(row), list = groups.get(name);
      if (list) list.push(row);
      else groups.set(name, [row]);
    }
    return groups;
  };
  return [...rowsBySolver(report, selection)].map(([solver, all]) => {
    const rows = all.filter((row) => !refuses(report, row));
    const worstOwnRow = worst(own, rows), worstVelocityRow = worst(velocity, rows);
    const statuses = by(rows, (row) => report.text('status', row));
    const solved = statuses.get('converged') ?? [];
    return {
      solver, rows, solved, refused: all.filter((row) => refuses(report, row)),
      own: times.own.map((time) => rows.filter((row) => !Number.isNaN(time(row)))),
      coulomb: times.coulomb.map((time) => rows.filter((row) => !Number.isNaN(time(row)))),
      worstOwn: worstOwnRow < 0 ? NaN : own[worstOwnRow], worstOwnRow,
      worstVelocity: worstVelocityRow < 0 ? NaN : velocity[worstVelocityRow], worstVelocityRow,
      statuses,
      paths: by(solved, (row) => report.text('path', row)),
    };
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

// The command that runs this row again, alone, and prints its history.
export function rerun(report: Report, row: number): string {
  const {settings, problems, solvers} = report.meta;
  const problem = problems[report.problem[row]], solver = solvers[report.solver[row]];
  const words = ['perpend', 'solve', quoted(problem.file), '--solver', quoted(solver.name),
                 '--frames', `${problem.frame}`, '--tolerance', `${settings.tolerance}`,
                 '--error', settings.error, '--max-iterations', `${settings.max_iterations}`];
  if (solver.origin.includes('/') || solver.origin.endsWith('.so')) words.push('--plugin', quoted(solver.origin));
  if (settings.time_limit > 0) words.push('--time-limit', `${settings.time_limit}`);
  if (settings.memory_limit > 0) words.push('--memory-limit', `${settings.memory_limit}`);
  if (settings.warm_start) words.push('--warm-start');
  if (settings.facets !== 8 && solver.friction === 'pyramid') words.push('--facets', `${settings.facets}`);
  if (settings.seed !== 1) words.push('--seed', `${settings.seed}`);
  if (solver.set.length) words.push('--set', ...solver.set.map(quoted));
  return words.join(' ');
}
