// Performance profiles (Dolan, More 2002) and data profiles (More, Wild 2009).
import {Chart, type Series} from '../chart';
import {h} from '../dom';
import {profile} from '../figures';
import {plural, short, time, tolerance as power, whole} from '../look';
import {type Page, Section} from './section';

export class ProfilesSection extends Section {
  private performance = new Chart();
  private data = new Chart();

  constructor(page: Page) {
    super(page, 'profiles', 'Profiles', [
      h('b', {}, 'Performance profile'), ' (Dolan and Moré): the share of all problems on which a solver reached the tolerance at no more than τ times the cost of the ' +
      'cheapest solver on that problem. Height at τ = 1 tells how often it is the quickest, height at the right how often it reaches it at all. ',
      h('b', {}, 'Data profile'), ': the share reached within a budget per problem. ' +
      'Both shares are of all problems shown: what a solver does not take (joints, no mass matrix) it does not reach, which favours general ' +
      'solvers; choose a tag to compare on what all of them take. Click a line for the problems it misses there.',
    ]);
    this.performance.element.id = 'performance';
    this.data.element.id = 'data';
    this.body.append(h('div', {class: 'charts two'}, this.performance.element, this.data.element));
  }

  protected draw() {
    const {view, report} = this, {solvers} = report.meta, total = view.selection.problems.size;
    const time_ = view.cost === 'seconds';
    const empty = !view.selection.solvers.length ? 'No solver is shown. Choose some above.' :
        `No solver shown reached ${power(view.toleranceValue)} m/s in ${view.errorWord} on any of these problems. Choose a larger tolerance.`;
    for (const [chart, of] of [[this.performance, 'ratio'], [this.data, 'cost']] as const) {
      const {x, share} = profile(view.reached, of, total);
      const series: Series[] = x.length ? view.selection.solvers.map((solver) => ({solver, x, y: share.get(solver)!})) : [];
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
          const good = new Set(view.reached.get(solver)!.filter((one) => one[of] <= x[i]).map((one) => one.row));
          const line = view.lines.find((one) => one.solver === solver)!;
          const rest = [...line.rows, ...line.refused].filter((row) => !good.has(row));
          this.detail.list(
              `${solvers[solver].name}: ${rest.length ? 'not reached' : 'all reached'} within ${within(x[i])}`,
              rest.length ? rest : line.rows,
              `${whole(good.size)} of ${plural(total, 'problem')} came down to ${power(view.toleranceValue)} m/s in ${view.errorWord} within ${within(x[i])}.`);
        },
      });
    }
  }
  protected override emphasize(solver: number) {
    this.performance.emphasize(solver);
    this.data.emphasize(solver);
  }
}
