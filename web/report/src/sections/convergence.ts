// Errors against iteration or time on one problem, or their median over all problems shown: the
// measure that is chosen, and where the histories have them normal and friction error. With
// total_error or lcp_merit, if they were asked for, these are the three plots of Lu et al. 2013,
// Figs. 8-14.
import {Chart, type Series} from '../chart';
import type {History} from '../data';
import {problemName} from '../detail';
import {button, choice, h, select} from '../dom';
import {plural, short, time, whole} from '../look';
import {capital, measureLabel, measureWords, onLogAxis, selectMeasure} from '../measures';
import {type Page, Section} from './section';

type Axis = 'iteration' | 'seconds';
// The first shows what is chosen.
const PANELS: {id: string; measure?: string}[] = [
  {id: 'convergence-error'},
  {id: 'convergence-normal', measure: 'normal_error'},
  {id: 'convergence-friction', measure: 'friction_error'},
];

export class ConvergenceSection extends Section {
  private charts = PANELS.map(({id}) => {
    const chart = new Chart();
    chart.element.id = id;
    return chart;
  });
  private head = h('div', {class: 'fields'});
  private note = h('p', {class: 'chosen', 'aria-live': 'polite'});
  private axis: Axis = 'iteration';
  private log = true;
  private measure: string;
  private all = false;
  private turn = 0;

  constructor(page: Page) {
    super(page, 'convergence', 'Convergence', [
      'How the error falls. Time to measure it does not count. The first plot shows the measure you choose, the others normal and ' +
      'friction error where they were measured. A hollow diamond marks a ', h('b', {}, 'restart'), ' of the method, a filled marker the last iterate. On a log axis, zero and the start are at the edge.',
    ]);
    this.measure = this.view.error;
    this.body.append(this.head, this.note, h('div', {class: 'charts three'}, this.charts.map((chart) => chart.element)));
  }

  show(problem: number) {
    this.all = false;
    this.view.change({problem});
    this.element.scrollIntoView();
  }

  private controls() {
    const {view, report} = this, problems = [...view.selection.problems];
    const at = problems.indexOf(view.problem);
    const step = (by: number, text: string, name: string) => {
      const go = button(text, () => { this.all = false; view.change({problem: problems[at + by]}); }, {class: 'quiet', 'aria-label': name});
      go.disabled = this.all || problems[at + by] === undefined;
      return go;
    };
    const contacts = (problem: number) => plural(report.meta.problems[problem].contacts, 'contact');
    this.head.replaceChildren(
        h('span', {class: 'joined'}, select('Problem', [
          {value: -1, text: `all ${problems.length} shown: median`},
          ...problems.map((problem) => ({value: problem, text: `${problemName(report, problem)}, ${contacts(problem)}`})),
        ], this.all ? -1 : view.problem, (problem) => {
          this.all = problem < 0;
          if (this.all) this.invalidate();
          else view.change({problem});
        }, {id: 'problem'}), step(-1, '‹', 'Previous problem'), step(1, '›', 'Next problem')),
        selectMeasure(report.meta, this.measure, (name) => { this.measure = name; this.invalidate(); }, 'measure'),
        choice('Against', [{value: 'iteration', text: 'iteration'}, {value: 'seconds', text: 'time'}], this.axis,
               (axis) => { this.axis = axis; this.invalidate(); }),
        choice('Scale', [{value: 'log', text: 'log'}, {value: 'linear', text: 'linear'}], this.log ? 'log' : 'linear',
               (value) => { this.log = value === 'log'; this.invalidate(); }));
  }

  protected async draw() {
    const turn = ++this.turn, {view, report} = this;
    this.controls();
    if (!view.selection.problems.size) {
      this.note.textContent = '';
      for (const chart of this.charts)
        chart.draw({title: '', kind: 'lines', series: [], empty: 'There is no problem.', x: {label: '', log: true, kind: 'number'},
                    y: {label: '', log: true, kind: 'number'}, describe: () => [], open: () => {}});
      return;
    }
    const {problem} = view;
    const histories = this.all ? await this.medians(turn) :
        (await report.histories(problem)).filter(({row}) => !view.hidden.has(report.solver[row]));
    if (turn !== this.turn) return;  // something else was chosen meanwhile
    const restarts = histories.reduce((n, {restart}) => n + restart.reduce((a, b) => a + b, 0), 0);
    this.note.textContent = this.all ? `Median over ${plural(view.selection.problems.size, 'problem')} of the error at each ${this.axis === 'iteration' ? 'iteration' : 'moment'}; a solver that has ended keeps its last error.` :
        `${problemName(report, problem)}: ${plural(report.meta.problems[problem].contacts, 'contact')}, ` +
        `${plural(report.meta.problems[problem].joint_rows, 'joint row')}; ${plural(restarts, 'restart')}.`;
    const listed = report.meta.settings.history_measures;
    PANELS.forEach((panel, p) => {
      const measure = panel.measure ?? this.measure, title = capital(measureWords(measure));
      this.charts[p].element.hidden = !listed.includes(measure);
      if (this.charts[p].element.hidden) return;
      const series: (Series & {row: number})[] = [];
      for (const history of histories) {
        const errors = history.errors[measure], keep = [...errors.keys()].filter((i) => !Number.isNaN(errors[i]));
        series.push({
          solver: this.all ? history.row : report.solver[history.row], row: history.row,
          x: keep.map((i) => history[this.axis][i]), y: keep.map((i) => errors[i]), restart: keep.map((i) => history.restart[i]),
        });
      }
      this.charts[p].draw({
        title, kind: 'lines', series,
        x: {label: this.axis === 'iteration' ? 'iteration' : 'time', log: this.log, kind: this.axis === 'seconds' ? 'seconds' : 'number'},
        y: {label: measureLabel(report.meta, measure), log: onLogAxis(report.meta, measure), kind: 'number'},
        empty: histories.length ? `${title} could not be measured here.` : 'No solver shown has a history of this problem.',
        describe: (one, i) => [
          report.meta.solvers[one.solver].name,
          `${this.axis === 'iteration' ? `iteration ${whole(one.x[i])}` : time(one.x[i])}: ${short(one.y[i])}`,
          ...one.restart?.[i] ? ['restarted before this point'] : []],
        open: (one) => this.all ? this.detail.list(report.meta.solvers[one.solver].name, view.lines.find(({solver}) => solver === one.solver)!.rows) :
            this.detail.result((one as Series & {row: number}).row),
      });
    });
  }

  // One history per solver (its `row` is the solver): at each of a hundred places, the median over
  // problems of the last error known there.
  private async medians(turn: number): Promise<History[]> {
    const {view, report} = this, bySolver = new Map<number, History[]>();
    let done = 0;
    for (const problem of view.selection.problems) {
      if (++done % 50 === 0) this.note.textContent = `Unpacking histories: ${done} of ${view.selection.problems.size}`;
      for (const history of await report.histories(problem)) {
        const solver = report.solver[history.row];
        if (view.hidden.has(solver) || !history.iteration.length) continue;
        const list = bySolver.get(solver);
        if (list) list.push(history);
        else bySolver.set(solver, [history]);
      }
      if (turn !== this.turn) return [];
    }
    return [...bySolver].sort(([a], [b]) => a - b).map(([solver, list]) => medianHistory(solver, list, this.axis));
  }

  protected override emphasize(solver: number) { for (const chart of this.charts) chart.emphasize(solver); }
}

function median(list: number[]): number {
  if (!list.length) return NaN;
  const sorted = Float64Array.from(list).sort(), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function medianHistory(solver: number, list: History[], axis: Axis): History {
  const ends = list.map((history) => history[axis][history[axis].length - 1]), last = Math.max(...ends);
  const positive = list.flatMap((history) => [...history[axis].subarray(0, 3)].filter((value) => value > 0));
  const low = axis === 'iteration' ? 1 : Math.min(...positive, last);
  const places = [0];
  if (last > 0)
    for (let k = 0; k < 100; ++k) {
      const place = low * (last / low) ** (k / 99);
      const rounded = axis === 'iteration' ? Math.round(place) : place;
      if (rounded > places[places.length - 1]) places.push(rounded);
    }
  const names = Object.keys(list[0].errors);
  const errors = Object.fromEntries(names.map((name) => [name, new Float64Array(places.length)]));
  places.forEach((place, k) => {
    const at = list.map((history) => {
      const values = history[axis];
      let low = 0, high = values.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (values[middle] <= place) low = middle;
        else high = middle - 1;
      }
      return low;
    });
    for (const name of names)
      errors[name][k] = median(list.map((history, l) => history.errors[name][at[l]]).filter((value) => !Number.isNaN(value)));
  });
  return {row: solver, iteration: Float64Array.from(places), seconds: Float64Array.from(places), restart: new Uint8Array(places.length), errors};
}
