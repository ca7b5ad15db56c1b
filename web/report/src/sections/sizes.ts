// Size against time: every result is a point.
import {Chart, type Series} from '../chart';
import {problemName} from '../detail';
import {choice, h} from '../dom';
import {refuses, rowsBySolver} from '../figures';
import {short, time, whole} from '../look';
import {type Page, Section} from './section';

type Size = 'contacts' | 'joint_rows' | 'bodies';
const WORDS = {contacts: 'contacts', joint_rows: 'joint rows', bodies: 'bodies'};

export class SizesSection extends Section {
  private chart = new Chart();
  private size: Size = 'contacts';

  constructor(page: Page) {
    super(page, 'sizes', 'Size and cost', [
      'Every result is a point: the size of the problem and the median of its runs. ', h('b', {}, 'Filled'), ' points reached the chosen tolerance, ',
      h('b', {}, 'hollow'), ' ones did not. Drag to zoom, double click to zoom out, click for the result.',
    ]);
    this.chart.element.id = 'size-chart';
    const sizes = (['contacts', 'joint_rows', 'bodies'] as Size[]).filter((size) => this.report.meta.problems.some((problem) => problem[size] > 0));
    if (sizes.length && !sizes.includes(this.size)) this.size = sizes[0];
    this.body.append(
        sizes.length > 1 ? choice('Size', sizes.map((value) => ({value, text: WORDS[value]})), this.size, (size) => { this.size = size; this.invalidate(); }) : '',
        h('div', {class: 'charts'}, this.chart.element));
  }

  protected draw() {
    const {view, report} = this, {problems, solvers} = report.meta;
    const cost = view.cost === 'seconds' ? report.seconds : report.iterations;
    const costOf = report.meta.tolerances.length ? report.toTolerance(view.error, view.cost, view.tolerance) : () => NaN;
    const series: (Series & {rows: number[]})[] = [];
    for (const [solver, all] of rowsBySolver(report, view.selection)) {
      const rows = all.filter((row) => !Number.isNaN(cost[row]) && !refuses(report, row));
      series.push({
        solver, rows, x: rows.map((row) => problems[report.problem[row]][this.size]), y: rows.map((row) => cost[row]),
        hollow: rows.map((row) => Number.isNaN(costOf(row)) ? 1 : 0),
      });
    }
    const row = (one: Series, i: number) => (one as Series & {rows: number[]}).rows[i];
    this.chart.draw({
      title: `${view.cost === 'seconds' ? 'Time' : 'Iterations'} against ${WORDS[this.size]}`, kind: 'points', series,
      x: {label: WORDS[this.size], log: true, kind: 'number'},
      y: {label: view.cost === 'seconds' ? 'time' : 'iterations', log: true, kind: view.cost === 'seconds' ? 'seconds' : 'number'},
      empty: 'No result is shown.',
      describe: (one, i) => [
        solvers[one.solver].name, problemName(report, report.problem[row(one, i)]),
        `${whole(one.x[i])} ${WORDS[this.size]}, ${view.cost === 'seconds' ? time(one.y[i]) : `${whole(one.y[i])} iterations`}`,
        `${report.text('status', row(one, i)).replaceAll('_', ' ')}, Coulomb error ${short(report.column('errors.velocity_error')[row(one, i)])} m/s`],
      open: (one, i) => this.detail.result(row(one, i)),
    });
  }
  protected override emphasize(solver: number) { this.chart.emphasize(solver); }
}
