// The first table: one line per solver; and how often it reached each tolerance.
import {statusBadge} from '../detail';
import {button, choice, type Column, h, sortable} from '../dom';
import type {Line} from '../figures';
import {plural, short, swatch, time, tolerance as power, whole} from '../look';
import {type Page, Section} from './section';

export class SummarySection extends Section {
  private turn = 0;

  constructor(page: Page) {
    super(page, 'summary', 'Summary', [
      h('b', {}, 'Solved'), ': the result is converged. ',
      h('b', {}, 'Reached'), ': at some moment the error was at most the chosen tolerance, however the run ended. ',
      h('b', {}, 'Does not apply'), ': the solver does not accept these problems (joints, no mass matrix); they are not failures. ',
      h('b', {}, 'Own error'), ': did the solver solve its own problem? ',
      h('b', {}, 'Coulomb error'), ': does the answer obey Coulomb’s law? A pyramid or a box does not. ',
      h('b', {}, 'Times best'), ': on each problem, the cost to reach the tolerance, divided by that of the cheapest solver; ' +
      'the median over the problems where the solver reached it (times below 0.1 µs count as 0.1 µs, 0 iterations as 1). ' +
      'Times include only the solver itself, not converting or sending data. ' +
      'Click a number to see its results.',
    ]);
  }

  protected async draw() {
    const turn = ++this.turn, {view, report, detail} = this, {meta} = report, t = view.tolerance;
    if (!meta.tolerances.length || !meta.rows) {
      this.body.replaceChildren(h('p', {class: 'empty'}, 'There are no results yet.'));
      return;
    }
    const lines = view.lines.filter((line) => line.rows.length + line.refused.length);
    if (!lines.length) {
      this.body.replaceChildren(h('p', {class: 'empty'}, 'No solver is shown. Choose some above.'));
      return;
    }
    const {ratio, cost} = await view.figures();
    if (turn !== this.turn) return;  // something else was chosen meanwhile
    const solver = (line: Line) => meta.solvers[line.solver];
    const at = `at ${power(view.toleranceValue)} m/s`;
    const best = Math.min(...lines.map((line) => ratio[line.solver]).filter((ratio) => !Number.isNaN(ratio)));
    const share = (title: string, hint: string, word: string, of: (line: Line) => number[]): Column<Line> => ({
      title, hint, sort: (line) => of(line).length / (line.rows.length || 1),
      cell: (line) => {
        const good = of(line);
        return button([h('span', {class: 'bar', style: `--share:${good.length / (line.rows.length || 1)}`}), `${whole(good.length)}/${whole(line.rows.length)}`],
          () => {
            const set = new Set(good);
            const rest = line.rows.filter((row) => !set.has(row));
            detail.list(`${solver(line).name}: ${rest.length ? 'not' : 'all'} ${word}`, rest.length ? rest : line.rows,
                        `${plural(good.length, 'problem')} ${word}, ${whole(rest.length)} not.`);
          }, {class: 'link number'});
      },
    });
    const failures = (line: Line) => [...line.statuses].filter(([status]) => status !== 'converged');
    const costWord = view.cost === 'seconds' ? 'time' : 'iterations';
    const refused: Column<Line> =
      {title: 'does not apply', hint: 'Problems that it does not accept: joints, no mass matrix', sort: (line) => line.refused.length,
       cell: (line) => line.refused.length ? button(whole(line.refused.length), () => detail.list(`${solver(line).name}: does not apply`, line.refused), {class: 'link number'}) : '0'};
    const columns: Column<Line>[] = [
      {title: 'solver', text: true, sort: (line) => line.solver,
       cell: (line) => button([swatch(line.solver), h('span', {title: solver(line).title}, solver(line).name)],
                              () => detail.list(solver(line).name, [...line.rows, ...line.refused], `${solver(line).title}. ${solver(line).reference}`),
                              {class: 'link'})},
      {title: 'friction', text: true, hint: 'The friction model of its formulation', sort: (line) => solver(line).friction,
       cell: (line) => solver(line).friction},
      share('solved', 'Problems whose result is converged', 'solved', (line) => line.solved),
      share('reached, own error', `Problems where own error reached ${power(view.toleranceValue)} m/s at some moment`, `reached ${at} in own error`, (line) => line.own[t]),
      share('reached, Coulomb error', `Problems where Coulomb error reached ${power(view.toleranceValue)} m/s at some moment`, `reached ${at} in Coulomb error`, (line) => line.coulomb[t]),
      {title: `${costWord}, times best`, hint: `Median ${costWord} to ${power(view.toleranceValue)} m/s in ${view.errorWord}, relative to the best solver of each problem`,
       sort: (line) => ratio[line.solver],
       cell: (line) => h('span', {class: ratio[line.solver] === best ? 'best' : ''}, short(ratio[line.solver]))},
      {title: `${costWord}, median`, sort: (line) => cost[line.solver],
       cell: (line) => view.cost === 'seconds' ? time(cost[line.solver]) : short(cost[line.solver])},
      {title: 'worst own error [m/s]', hint: 'Over all its answers', sort: (line) => line.worstOwn, cell: (line) => worst(line.worstOwn, line.worstOwnRow)},
      {title: 'worst Coulomb error [m/s]', hint: 'Over all its answers', sort: (line) => line.worstVelocity, cell: (line) => worst(line.worstVelocity, line.worstVelocityRow)},
      {title: 'failures', text: true, hint: 'Results that did not converge, by status',
       sort: (line) => failures(line).reduce((n, [, rows]) => n + rows.length, 0),
       cell: (line) => h('span', {class: 'badges'}, failures(line).length ? failures(line).map(([status, rows]) =>
           button([`${whole(rows.length)} `, statusBadge(status)], () => detail.list(`${solver(line).name}: ${status.replaceAll('_', ' ')}`, rows), {class: 'link'})) : 'none')},
      ...(lines.some((line) => line.refused.length) ? [refused] : []),
      {title: 'path', text: true, hint: 'The method that really produced the converged answers', sort: (line) => line.paths.size,
       cell: (line) => paths(line)},
    ];
    const worst = (value: number, row: number) =>
        row < 0 ? '–' : button(short(value), () => detail.result(row), {class: 'link number'});
    const paths = (line: Line) => {
      const list = [...line.paths].sort((a, b) => b[1].length - a[1].length);
      if (!list.length) return '–';
      const name = (path: string) => path || 'unknown';
      return h('span', {class: 'badges'}, list.slice(0, 2).map(([path, rows]) =>
          button([h('span', {class: 'path', title: name(path)}, name(path)), `(${whole(rows.length)})`],
                 () => detail.list(`${solver(line).name}: ${name(path)}`, rows), {class: 'link'})),
        list.length > 2 ? h('span', {}, `and ${list.length - 2} more`) : null);
    };
    this.body.replaceChildren(
        h('p', {class: 'chosen'}, `${plural(lines.length, 'solver')}, ${plural(view.selection.problems.size, 'problem')}; ${at}; ${costWord} in ${view.errorWord}.`),
        sortable('Summary, one row per solver', columns, lines, {column: 0, down: false}, 200));
  }
}

export class TolerancesSection extends Section {
  private own = true;
  constructor(page: Page) {
    super(page, 'tolerances', 'Reached at each tolerance', [
      'The number of problems where the error reached each tolerance at some moment, in m/s. Runs stop at the tolerance of the comparison, so only methods that overshoot it reach smaller ones. ' +
      'Click a cell to see the problems that are missing.',
    ]);
  }

  protected draw() {
    const {view, report, detail} = this, {meta} = report;
    const lines = view.lines.filter((line) => line.rows.length + line.refused.length);
    if (!lines.length || !meta.tolerances.length) {
      this.body.replaceChildren(h('p', {class: 'empty'}, 'No result is shown.'));
      return;
    }
    const name = (line: Line) => meta.solvers[line.solver].name;
    const columns: Column<Line>[] = [
      {title: 'solver', text: true, sort: (line) => line.solver, cell: (line) => h('span', {class: 'name'}, swatch(line.solver), name(line))},
      ...meta.tolerances.map((tolerance, t): Column<Line> => {
        const of = (line: Line) => (this.own ? line.own : line.coulomb)[t];
        return {
          title: power(tolerance), sort: (line) => of(line).length / (line.rows.length || 1),
          cell: (line) => {
            const good = of(line), share = good.length / (line.rows.length || 1);
            return button(`${whole(good.length)}`, () => {
              const set = new Set(good);
              detail.list(`${name(line)}: not reached at ${power(tolerance)} m/s`, line.rows.filter((row) => !set.has(row)),
                          `${whole(good.length)} of ${plural(line.rows.length, 'problem')} reached in ${this.own ? 'own' : 'Coulomb'} error.`);
            }, {class: 'heat', style: `--share:${share}`, title: `${Math.round(share * 100)} % of ${whole(line.rows.length)}`});
          },
        };
      }).reverse(),
    ];
    this.body.replaceChildren(
        choice('Error', [{value: 'own', text: 'own'}, {value: 'coulomb', text: 'Coulomb'}], this.own ? 'own' : 'coulomb',
               (value) => { this.own = value === 'own'; this.invalidate(); }),
        sortable('Problems reached at each tolerance', columns, lines, {column: 0, down: false}, 200));
  }
}
