// What the reader has chosen, and who must be told when that changes.
import type {Cost, ErrorName, Report} from './data';
import {type Selection, summaryLines, type Line} from './figures';

export class View {
  error: ErrorName = 'own_error';
  cost: Cost = 'seconds';
  tolerance = 0;
  hidden = new Set<number>();  // solvers
  group = 0;                   // of problems: an index into the report's groups
  problem = 0;                 // of the convergence plots
  private listeners: (() => void)[] = [];
  private cache?: {selection: Selection; lines: Line[]};

  constructor(readonly report: Report) {
    const {settings, tolerances} = report.meta;
    if (settings.error === 'velocity_error') this.error = 'velocity_error';
    while (this.tolerance + 1 < tolerances.length &&
           tolerances[this.tolerance] < settings.tolerance * (1 - 1e-9)) ++this.tolerance;
  }

  onChange(listener: () => void) { this.listeners.push(listener); }
  change(what: Partial<Pick<View, 'error' | 'cost' | 'tolerance' | 'group' | 'problem'>> = {}) {
    Object.assign(this, what);
    this.cache = undefined;
    this.keepProblem();
    for (const listener of this.listeners) listener();
  }
  // The problem of the convergence plots stays among those shown.
  private keepProblem() {
    const {problems} = this.selection;
    if (!problems.has(this.problem)) this.problem = problems.values().next().value ?? 0;
  }

  private get selected() {
    if (this.cache) return this.cache;
    const {problems, solvers, groups} = this.report.meta, {kind, name} = groups[this.group];
    const chosen = new Set<number>();
    problems.forEach((problem, p) => {
      if (kind === 'all' || (kind === 'tag' ? problem.tags.includes(name) : problem.file === name)) chosen.add(p);
    });
    const selection: Selection = {
      problems: chosen,
      solvers: solvers.map((_, s) => s).filter((s) => !this.hidden.has(s)),
    };
    return this.cache = {selection, lines: summaryLines(this.report, selection)};
  }
  get selection() { return this.selected.selection; }
  get lines() { return this.selected.lines; }
  // Precondition: there are tolerances.
  figures() { return this.report.figures(this.group, this.error, this.cost, this.tolerance); }

  get errorWord() { return this.error === 'own_error' ? 'own error' : 'Coulomb error'; }
  get toleranceValue() { return this.report.meta.tolerances[this.tolerance]; }
}
