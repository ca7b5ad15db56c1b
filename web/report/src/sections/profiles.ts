// Performance profiles (Dolan, More 2002) and data profiles (More, Wild 2009).
import {Chart, type Series} from '../chart';
import type {Figures} from '../data';
import {h} from '../dom';
import {plural, short, time, tolerance as power, whole} from '../look';
import {type Page, Section} from './section';

export class ProfilesSection extends Section {
  private performance = new Chart();
  private data = new Chart();
  private turn = 0;

  constructor(page: Page) {
    super(page, 'profiles', 'Profiles', [
      h('b', {}, 'Performance profile'), ' (Dolan and Moré): the share of all problems on which a solver reached the tolerance at no more than τ times the cost of the ' +
      'cheapest solver on that problem. The height at τ = 1 is how often it is the cheapest, the height at the right how often it reaches the tolerance at all. ',
      h('b', {}, 'Data profile'), ': the share reached within a budget per problem. ' +
      'Problems that a solver does not accept (joints, no mass matrix) count as not reached, which favours general solvers. ' +
      'To compare fairly, choose problems that all of them accept. Click a line to see the problems it misses.',
    ]);
    this.performance.element.id = 'performance';
    this.data.element.id = 'data';
    this.body.append(h('div', {class: 'charts two'}, this.performance.element, this.data.element));
  }

  protected async draw() {
    const turn = ++this.turn, {view, report} = this, {solvers, tolerances} = report.meta, total = view.selection.problems.size;
    const figures: Figures | undefined = tolerances.length ? await view.figures() : undefined;
    if (turn !== this.turn) return;  // something else was chosen meanwhile
    const time_ = view.cost === 'seconds';
    const empty = !view.selection.solvers.length ? 'No solver is shown. Choose some above.' :
        `No solver reached ${power(view.toleranceValue)} m/s in ${view.errorWord} on any of these problems. Choose a larger tolerance.`;
    const costOf = tolerances.length ? report.toTolerance(view.error, view.cost, view.tolerance) : () => NaN;
    const best = tolerances.length ? report.best(view.error, view.cost, view.tolerance) : () => NaN;
    for (const [chart, of] of [[this.performance, 'ratio'], [this.data, 'cost']] as const) {
      const {x, counts} = (of === 'ratio' ? figures?.performance : figures?.data) ?? {x: new Float32Array(), counts: []};
      const series: Series[] = x.length ? view.selection.solvers.map((solver) => ({solver, x, y: Float64Array.from(counts[solver], (n) => n / total)})) : [];
      const within = (value: number) => of === 'ratio' ? `${short(value)} times the best` : time_ ? time(value) : plural(value, 'iteration');
      chart.draw({
        title: of === 'ratio' ? `Performance profile, ${time_ ? 'time' : 'iterations'} to ${power(view.toleranceValue)} m/s in ${view.errorWord}` :
            `Data profile, reached ${power(view.toleranceValue)} m/s in ${view.errorWord} within a budget`,
        kind: 'steps', series, empty,
        x: {label: of === 'ratio' ? `τ, ${time_ ? 'time' : 'iterations'} over best` : time_ ? 'time per problem' : 'iterations per problem',
            log: true, kind: of === 'cost' && time_ ? 'seconds' : 'number'},
        y: {label: 'problems reached', log: false, kind: 'share'},
        describe: ({solver, y}, i) => [
          solvers[solver].name, `${Math.round(y[i] * 1000) / 10} % reached within ${within(x[i])}`,
          `${whole(Math.round(y[i] * total))} of ${plural(total, 'problem')}`],
        open: ({solver}, i) => {
          const line = view.lines.find((one) => one.solver === solver)!;
          const value = (row: number) => costOf(row) / (of === 'ratio' ? best(report.problem[row]) : 1);
          const rest = [...line.rows, ...line.refused].filter((row) => !(value(row) <= x[i]));
          this.detail.list(
              `${solvers[solver].name}: ${rest.length ? 'not reached' : 'all reached'} within ${within(x[i])}`,
              rest.length ? rest : line.rows,
              `${whole(counts[solver][i])} of ${plural(total, 'problem')} came down to ${power(view.toleranceValue)} m/s in ${view.errorWord} within ${within(x[i])}.`);
        },
      });
    }
  }
  protected override emphasize(solver: number) {
    this.performance.emphasize(solver);
    this.data.emphasize(solver);
  }
}
