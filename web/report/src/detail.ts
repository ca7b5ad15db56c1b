// The way down from a point or a cell: one result, one problem, or a list of results.
import type {Report} from './data';
import {button, h, sortable} from './dom';
import {rerun} from './figures';
import {plural, short, swatch, time, whole, withUnit} from './look';

const BAD = new Set(['crashed', 'failed', 'too_large', 'infeasible']);
export function statusBadge(status: string): HTMLElement {
  const kind = status === 'converged' ? 'good' : BAD.has(status) ? 'bad' : 'warn';
  return h('span', {class: `badge ${kind}`}, status === 'invalid_input' ? 'does not apply' : status.replaceAll('_', ' '));
}

export function problemName(report: Report, problem: number): string {
  const {file, frame, title} = report.meta.problems[problem];
  return title ? `${title} (${shortFile(file)}, frame ${frame})` : `${shortFile(file)}, frame ${frame}`;
}
// The page with this problem and solver; pages stand beside the report, nowhere else.
export function sharedPage(report: Report, row: number): string | undefined {
  const {page, frame} = report.meta.problems[report.problem[row]];
  if (!page || !/^share\/[\w-]+\.html$/.test(page)) return undefined;
  return `${page}#frame=${frame}&solver=${encodeURIComponent(report.meta.solvers[report.solver[row]].name)}`;
}
export const shortFile = (file: string) => file.split('/').pop()!;

export class Detail {
  private dialog = h('dialog', {'aria-labelledby': 'detail-title'});
  private trail: (() => void)[] = [];  // what "back" shows

  constructor(private report: Report, private showConvergence: (problem: number) => void) {
    document.body.append(this.dialog);
    this.dialog.addEventListener('click', (event) => { if (event.target === this.dialog) this.dialog.close(); });
    this.dialog.addEventListener('close', () => this.trail = []);
  }

  private show(again: () => void, title: (Node | string)[], ...content: (Node | string | null)[]) {
    this.trail.push(again);
    const back = button('← Back', () => {
      this.trail.pop();
      this.trail.pop()!();
    }, {class: 'quiet'});
    back.hidden = this.trail.length < 2;
    this.dialog.replaceChildren(
        h('header', {}, back, h('h2', {id: 'detail-title'}, ...title),
          button('✕', () => this.dialog.close(), {class: 'quiet close', 'aria-label': 'Close'})),
        h('div', {class: 'detail'}, ...content));
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  result(row: number) {
    const {report} = this, {meta} = report;
    const problem = meta.problems[report.problem[row]], solver = meta.solvers[report.solver[row]];
    const command = rerun(report, row);
    const copy = button('Copy', async () => {
      await copyText(command);
      copy.textContent = 'Copied';
      setTimeout(() => copy.textContent = 'Copy', 1500);
    }, {class: 'copy'});
    const machine = meta.machines.length > 1 ? meta.machines[report.column('machine')[row]] : undefined;
    const work = ['sweeps', 'products', 'factorizations', 'pivots']
        .map((name) => [name, report.column(`work.${name}`)[row]] as const).filter(([, n]) => n > 0);
    const low = report.column('seconds_low')[row], high = report.column('seconds_high')[row];
    const transfer = report.column('transfer_seconds')[row];
    const others = report.rowsOfProblem(report.problem[row]).length - 1;
    this.show(
        () => this.result(row),
        [swatch(report.solver[row]), solver.name, h('small', {}, ` on ${problemName(report, report.problem[row])}`)],
        h('p', {class: 'verdict'}, statusBadge(report.text('status', row)), ' ',
          report.text('message', row) || 'no message'),
        h('h3', {}, 'Run it again'),
        h('div', {class: 'command'}, h('code', {}, command), copy),
        h('div', {class: 'pair'},
          facts('Problem', [
            ['file', problem.file], ['frame', `${problem.frame}`],
            ...problem.title ? [['title', problem.title]] as [string, string][] : [],
            ['bodies', whole(problem.bodies)], ['contacts', whole(problem.contacts)],
            ['joints', `${whole(problem.joints)} (${plural(problem.joint_rows, 'row')})`],
            ['tags', problem.tags.join(', ') || 'none'], ['hash', problem.hash],
          ]),
          facts('Run', [
            ['solver', solver.title], ['friction', solver.friction], ['path', report.text('path', row) || 'none'],
            ['iterations', whole(report.iterations[row])],
            ['time', `${time(report.seconds[row])} (runs ${time(low)} to ${time(high)})`],
            ['formulation', time(report.column('formulation_seconds')[row])],
            ...transfer > 0 ? [['translation, transport', `${time(transfer)} (not in the time)`]] as [string, string][] : [],
            ['work', work.map(([name, n]) => `${whole(n)} ${name}`).join(', ') || 'not counted'],
            ['ended by', report.column('reproducible')[row] ? 'the solver (reproducible)' : 'the clock (not reproducible)'],
            ...machine ? [['machine', machine.cpu]] as [string, string][] : [],
          ])),
        h('h3', {}, 'Errors of its answer'),
        h('div', {class: 'table'}, h('table', {class: 'errors'}, h('tbody', {}, meta.measures.map(({name, unit, question}) => {
          const value = report.column(`errors.${name}`)[row];
          return h('tr', {}, h('th', {scope: 'row'}, name),
                   h('td', {}, Number.isNaN(value) ? 'cannot be told' : withUnit(value, unit)),
                   h('td', {class: 'text'}, question));
        })))),
        h('p', {class: 'actions'},
          button('Convergence on this problem', () => {
            this.dialog.close();
            this.showConvergence(report.problem[row]);
          }),
          sharedPage(report, row) ? h('a', {class: 'shared', href: sharedPage(report, row), target: '_blank'}, 'Look at it and solve it again') : null,
          others > 0 ? button(`All solvers on this problem (${others + 1})`,
                              () => this.problem(report.problem[row]), {class: 'quiet'}) : null));
  }

  problem(problem: number) {
    const rows = this.report.rowsOfProblem(problem), {meta} = this.report;
    const {contacts, joint_rows, bodies} = meta.problems[problem];
    this.show(() => this.problem(problem), [problemName(this.report, problem)],
              h('p', {}, `${plural(bodies, 'body', 'bodies')}, ${plural(contacts, 'contact')}, ` +
                         `${plural(joint_rows, 'joint row')}.`),
              this.rows('Results on this problem', rows, false),
              h('p', {class: 'actions'}, button('Convergence on this problem', () => {
                this.dialog.close();
                this.showConvergence(problem);
              })));
  }

  list(title: string, rows: number[], note = '') {
    this.show(() => this.list(title, rows, note), [title], note ? h('p', {}, note) : null,
              rows.length ? this.rows(title, rows, true) : h('p', {class: 'empty'}, 'No result is like that.'));
  }

  private rows(caption: string, rows: number[], problems: boolean) {
    const {report} = this, {solvers} = report.meta;
    const own = report.column('errors.own_error'), velocity = report.column('errors.velocity_error');
    const transfer = report.column('transfer_seconds');
    const solverName = (row: number) => solvers[report.solver[row]].name;
    const name = (row: number) => problemName(report, report.problem[row]);
    return sortable(caption, [
      {title: 'solver', text: true, sort: solverName, cell: (row) => button(
          [swatch(report.solver[row]), solverName(row)], () => this.result(row), {class: 'link'})},
      ...problems ? [{title: 'problem', text: true, sort: name,
                      cell: (row: number) => button(name(row), () => this.result(row), {class: 'link'})}] : [],
      {title: 'contacts', sort: (row) => report.meta.problems[report.problem[row]].contacts,
       cell: (row) => whole(report.meta.problems[report.problem[row]].contacts)},
      {title: 'status', text: true, sort: (row) => report.text('status', row),
       cell: (row) => statusBadge(report.text('status', row))},
      {title: 'iterations', sort: (row) => report.iterations[row], cell: (row) => whole(report.iterations[row])},
      {title: 'time', sort: (row) => report.seconds[row], cell: (row) => time(report.seconds[row])},
      ...rows.some((row) => transfer[row] > 0) ? [{title: 'translation, transport', sort: (row: number) => transfer[row],
                                                   cell: (row: number) => time(transfer[row])}] : [],
      {title: 'own error [m/s]', sort: (row) => own[row], cell: (row) => short(own[row])},
      {title: 'Coulomb error [m/s]', sort: (row) => velocity[row], cell: (row) => short(velocity[row])},
      ...rows.some((row) => sharedPage(report, row)) ? [{title: 'page', text: true, sort: () => 0, cell: (row: number) =>
          sharedPage(report, row) ? h('a', {class: 'shared', href: sharedPage(report, row), target: '_blank'}, 'open') : ''}] : [],
    ], rows, {column: problems ? 1 : 0, down: false});
  }
}

// From disk some browsers have no clipboard: a selected field is copied as it was long ago.
async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h('textarea', {});
    field.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

export function facts(title: string, pairs: [string, string][]): HTMLElement {
  return h('div', {class: 'facts'}, h('h3', {}, title),
           h('dl', {}, pairs.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]).flat()));
}
