// What the tables and profiles show, computed from the rows; no screen here.
import type {Cost, ErrorName, Report} from './data';

// Times below this count as this: a clock cannot tell them apart (src/bench/report_summary.hpp).
const LEAST = {seconds: 1e-7, iterations: 1};

export interface Selection {
  error: ErrorName;
  cost: Cost;
  tolerance: number;  // index
  solvers: number[];
  problems: Set<number>;
}

export function median(list: number[]): number {
  if (!list.length) return NaN;
  const sorted = Float64Array.from(list).sort(), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Rows of the solvers and problems selected, by solver.
export function rowsBySolver(report: Report, {solvers, problems}: Selection): Map<number, number[]> {
  const lists = new Map<number, number[]>(solvers.map((solver) => [solver, []]));
  for (let row = 0; row < report.meta.rows; ++row)
    if (problems.has(report.problem[row])) lists.get(report.solver[row])?.push(row);
  return lists;
}

export interface Reached {
  row: number;
  cost: number;   // to the tolerance
  ratio: number;  // over the least cost on that problem among the solvers selected
}

// By solver: the rows that came down to the tolerance, sorted by the ratio.
export function reached(report: Report, selection: Selection): Map<number, Reached[]> {
  const {error, cost, tolerance} = selection;
  const costOf = report.toTolerance(error, cost, tolerance);
  const rows = rowsBySolver(report, selection);
  const best = new Float64Array(report.meta.problems.length).fill(Infinity);
  const found = new Map<number, Reached[]>();
  for (const [solver, list] of rows) {
    const those: Reached[] = [];
    for (const row of list) {
      const value = Math.max(costOf(row), LEAST[cost]);
      if (Number.isNaN(value)) continue;
      those.push({row, cost: value, ratio: NaN});
      const problem = report.problem[row];
      if (value < best[problem]) best[problem] = value;
    }
    found.set(solver, those);
  }
  for (const those of found.values()) {
    for (const one of those) one.ratio = one.cost / best[report.problem[one.row]];
    those.sort((a, b) => a.ratio - b.ratio || a.row - b.row);
  }
  return found;
}

export interface Profile {
  x: number[];                   // the same for all solvers
  share: Map<number, number[]>;  // 0..1
}

// For each solver the share of `total` problems whose value (ratio or cost) is at most x. Where more
// than `most` steps would be drawn, the shares are told at as many values of x.
export function profile(found: Map<number, Reached[]>, of: 'ratio' | 'cost', total: number,
                        most = 1200): Profile {
  const all: number[] = [];
  for (const those of found.values()) for (const one of those) all.push(one[of]);
  if (!all.length) return {x: [], share: new Map()};
  const sorted = Float64Array.from(all).sort();
  let x: number[] = [...new Set(sorted)];
  if (x.length > most) {
    const low = Math.log(x[0]), high = Math.log(x[x.length - 1]);
    const steps = Array.from({length: most}, (_, i) => Math.exp(low + (high - low) * i / (most - 1)));
    steps[0] = x[0];
    steps[most - 1] = x[x.length - 1];
    x = steps;
  }
  const share = new Map<number, number[]>();
  for (const [solver, those] of found) {
    const values = Float64Array.from(those, (one) => one[of]).sort();
    let passed = 0;
    share.set(solver, x.map((limit) => {
      while (passed < values.length && values[passed] <= limit) ++passed;
      return passed / total;
    }));
  }
  return {x, share};
}

// A problem that the solver does not take (joints, no mass matrix) is no failure of it.
export const refuses = (report: Report, row: number) => report.text('status', row) === 'invalid_input';

export interface Line {
  solver: number;
  rows: number[];                        // those of problems that it takes
  refused: number[];                     // the others
  solved: number[];                      // rows that ended converged
  own: number[][]; coulomb: number[][];  // rows that reached each tolerance at some moment
  ratio: number; cost: number;           // medians over the problems reached
  worstOwn: number; worstOwnRow: number;
  worstVelocity: number; worstVelocityRow: number;
  statuses: Map<string, number[]>;
  paths: Map<string, number[]>;          // of the solved rows
}

export function summaryLines(report: Report, selection: Selection,
                             found: Map<number, Reached[]>): Line[] {
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
    const those = found.get(solver) ?? [];
    const worstOwnRow = worst(own, rows), worstVelocityRow = worst(velocity, rows);
    const statuses = by(rows, (row) => report.text('status', row));
    const solved = statuses.get('converged') ?? [];
    return {
      solver, rows, solved, refused: all.filter((row) => refuses(report, row)),
      own: times.own.map((time) => rows.filter((row) => !Number.isNaN(time(row)))),
      coulomb: times.coulomb.map((time) => rows.filter((row) => !Number.isNaN(time(row)))),
      ratio: median(those.map((one) => one.ratio)),
      cost: median(those.map((one) => one.cost)),
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
