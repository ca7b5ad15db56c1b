// How runs ended: every status and every path, by solver.
import {statusBadge} from '../detail';
import {button, type Column, h, sortable} from '../dom';
import type {Line} from '../figures';
import {swatch, whole} from '../look';
import {type Page, Section} from './section';

export class EndingsSection extends Section {
  constructor(page: Page) {
    super(page, 'endings', 'How runs ended', [
      'Results by status, and by path: the method that really produced the converged answers. ' +
      'Problems that a solver does not accept do not apply. Click a number to see its results.']);
  }

  protected draw() {
    const {view, report, detail} = this, {solvers} = report.meta;
    const lines = view.lines.filter((line) => line.rows.length + line.refused.length);
    if (!lines.length) {
      this.body.replaceChildren(h('p', {class: 'empty'}, 'No result is shown.'));
      return;
    }
    const statuses = [...new Set(lines.flatMap((line) => [...line.statuses.keys()]))]
        .sort((a, b) => Number(b === 'converged') - Number(a === 'converged') || a.localeCompare(b));
    const name = (line: Line) => solvers[line.solver].name;
    const columns: Column<Line>[] = [
      {title: 'solver', text: true, sort: (line) => line.solver, cell: (line) => h('span', {class: 'name'}, swatch(line.solver), name(line))},
      ...statuses.map((status): Column<Line> => ({
        title: status.replaceAll('_', ' '), sort: (line) => line.statuses.get(status)?.length ?? 0,
        cell: (line) => {
          const rows = line.statuses.get(status);
          return rows ? button(whole(rows.length), () => detail.list(`${name(line)}: ${status.replaceAll('_', ' ')}`, rows), {class: 'link number'}) : '·';
        },
      })),
      ...lines.some((line) => line.refused.length) ? [{
        title: 'does not apply', sort: (line: Line) => line.refused.length,
        cell: (line: Line) => line.refused.length ? button(whole(line.refused.length), () => detail.list(`${name(line)}: does not apply`, line.refused), {class: 'link number'}) : '·',
      }] : [],
    ];
    const paths = lines.flatMap((line) => [...line.paths].map(([path, rows]) => ({line, path: path || 'not told', rows})));
    const unsuccessful = lines.flatMap((line) => line.rows).filter((row) => report.text('status', row) !== 'converged');
    this.body.replaceChildren(
        sortable('Results by solver and status', columns, lines, {column: 0, down: false}, 200),
        h('h3', {}, 'Paths of the converged answers'),
        paths.length ? sortable('Paths', [
          {title: 'solver', text: true, sort: ({line}) => line.solver, cell: ({line}) => h('span', {class: 'name'}, swatch(line.solver), name(line))},
          {title: 'path', text: true, sort: ({path}) => path, cell: ({path}) => path},
          {title: 'results', sort: ({rows}) => rows.length, cell: ({line, path, rows}) => button(whole(rows.length), () => detail.list(`${name(line)}: ${path}`, rows), {class: 'link number'})},
        ], paths, {column: 0, down: false}, 50) : h('p', {class: 'empty'}, 'No result converged.'),
        h('h3', {}, `Results that did not converge (${whole(unsuccessful.length)})`),
        unsuccessful.length ? sortable('Results that did not converge', [
          {title: 'solver', text: true, sort: (row) => report.solver[row], cell: (row) => button([swatch(report.solver[row]), solvers[report.solver[row]].name], () => detail.result(row), {class: 'link'})},
          {title: 'problem', text: true, sort: (row) => report.problem[row], cell: (row) => {
            const {file, frame} = report.meta.problems[report.problem[row]];
            return `${file.split('/').pop()}, frame ${frame}`;
          }},
          {title: 'status', text: true, sort: (row) => report.text('status', row), cell: (row) => statusBadge(report.text('status', row))},
          {title: 'message', text: true, sort: (row) => report.text('message', row), cell: (row) => report.text('message', row)},
        ], unsuccessful, {column: 2, down: false}, 12) : h('p', {class: 'empty'}, 'Every result converged.'));
  }
}
