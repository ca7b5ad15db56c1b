// What the reader has chosen, and who must be told when that changes.
import type {Cost, ErrorName, Report} from './data';
import {reached, type Reached, type Selection, summaryLines, type Line} from './figures';

export class View {
  error: ErrorName = 'own_error';
  cost: Cost = 'seconds';
  tolerance = 0;
  hidden = new Set<number>();  // solvers
  tag = '';                    // empty: all
  file = '';
  problem = 0;                 // of the convergence plots
  private listeners: (() => void)[] = [];
  private cache?: {selection: Selection; reached: Map<number, Reached[]>; lines: Line[]};

  constructor(readonly report: Report) {
    const {settings, tolerances} = report.meta;
    if (settings.error === 'velocity_error') this.error = 'velocity_error';
    while (this.tolerance + 1 < tolerances.length &&
           tolerances[this.tolerance] < settings.tolerance * (1 - 1e-9)) ++this.tolerance;
  }

  onChange(listener: () => void) { this.listeners.push(listener); }
  change(what: Partial<Pick<View, 'error' | 'cost' | 'tolerance' | 'tag' | 'file' | 'problem'>> = {}) {
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

  private get figures() {
    if (this.cache) return this.cache;
    const {problems, solvers} = this.report.meta;
    const chosen = new Set<number>();
    problems.forEach((problem, p) => {
      if ((!this.tag || problem.tags.includes(this.tag)) && (!this.file || problem.file === this.file))
        chosen.add(p);
    });
    const selection: Selection = {
      error: this.error, cost: this.cost, tolerance: this.tolerance, problems: chosen,
      solvers: solvers.map((_, s) => s).filter((s) => !this.hidden.has(s)),
    };
    const found = this.report.meta.tolerances.length ? reached(this.report, selection) : new Map<number, Reached[]>();
    return this.cache = {selection, reached: found, lines: summaryLines(this.report, selection, found)};
  }
  get selection() { return this.figures.selection; }
  get reached() { return this.figures.reached; }
  get lines() { return this.figures.lines; }

  get errorWord() { return this.error === 'own_error' ? 'own error' : 'Coulomb error'; }
  get toleranceValue() { return this.report.meta.tolerances[this.tolerance]; }
}
