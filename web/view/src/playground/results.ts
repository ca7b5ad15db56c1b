// The chosen solvers as a table: how each ended. One of them is shown in the picture.
import {button, h} from '../../../report/src/dom';
import {digits} from '../pen';

export interface Method { name: string; title: string; joints: boolean }
export interface Outcome { status: string; message: string; path: string; iterations: number; milliseconds: number; error?: number; own?: number }
export interface Row { solver: string; colour: number; outcome?: Outcome; busy: boolean; shown: boolean }

export const MOST = 8;  // solvers at a time
const FRICTION: Record<string, string> = {  // of the formulations (docs/formulations.md)
  normal: 'no friction', box: 'friction in a box', lcp: 'cone cut into facets', mlcp: 'cone cut into facets, velocities kept',
  ncp: 'Coulomb’s round cone', mncp: 'Coulomb’s round cone, velocities kept'};

const milliseconds = (value: number) => value >= 100 ? value.toFixed(0) : value.toPrecision(2);

export class Results {
  readonly element: HTMLElement;
  private readonly body = h('tbody');
  private readonly more = h('select', {'aria-label': 'Add a solver'});
  private readonly about = h('p', {class: 'about'});
  private methods: Method[] = [];

  constructor(private readonly act: {add: (solver: string) => void; remove: (solver: string) => void; show: (solver: string) => void}) {
    this.more.addEventListener('change', () => {
      if (this.more.value) this.act.add(this.more.value);
      this.more.value = '';
    });
    const heads = [['', 'shown in the picture'], ['solver', ''], ['status', 'how it ended'], ['iterations', ''], ['ms', 'time in this browser'],
                   ['velocity error', 'm/s: is it Coulomb’s law?'], ['own error', 'm/s: did it solve its own equations?'], ['', '']];
    this.element = h('div', {class: 'results'}, h('div', {class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Results of the solvers'},
        h('table', {}, h('thead', {}, h('tr', {}, heads.map(([words, title]) => h('th', {scope: 'col', title: title || undefined}, words)))), this.body)),
        this.about, this.more);
  }

  offer(methods: Method[], joints: boolean) {
    this.methods = methods.filter(({name}) => name.includes('/'));  // not the answer of a file
    const groups = new Map<string, Method[]>();
    for (const method of this.methods) {
      const group = method.name.slice(0, method.name.indexOf('/'));
      groups.set(group, [...groups.get(group) ?? [], method]);
    }
    this.more.replaceChildren(h('option', {value: ''}, 'Add a solver …'), ...[...groups].map(([group, some]) =>
        h('optgroup', {label: FRICTION[group] ? `${group}: ${FRICTION[group]}` : group}, some.map(({name, title, joints: accepts}) =>
            h('option', {value: name, disabled: joints && !accepts}, `${name}: ${title}`)))));
  }

  show(rows: Row[]) {
    const title = (solver: string) => this.methods.find(({name}) => name === solver)?.title ?? '';
    this.more.disabled = rows.length >= MOST;
    const seen = rows.find(({shown}) => shown)!.solver;
    this.about.replaceChildren(h('b', {}, seen), title(seen) && `: ${title(seen)}`);
    const error = (value: number | undefined) => value === undefined ? '–' : digits(value);
    this.body.replaceChildren(...rows.map(({solver, colour, outcome, busy, shown}) => {
      const pick = h('input', {type: 'radio', name: 'shown', checked: shown, 'aria-label': `Show ${solver} in the picture`, title: 'Show in the picture'});
      pick.addEventListener('change', () => this.act.show(solver));
      const known = outcome && outcome.error !== undefined;
      const status = !outcome ? 'at work…' : outcome.status.replaceAll('_', ' ');
      return h('tr', {class: busy ? 'busy' : '', 'data-solver': solver, 'data-status': busy ? 'busy' : outcome?.status}, h('td', {}, pick),
          h('th', {scope: 'row', title: title(solver), style: `--solver: var(--solver-${colour})`}, h('span', {class: 'swatch'}), solver),
          h('td', {class: outcome && outcome.status !== 'converged' ? 'not' : '', title: outcome ? [outcome.message, outcome.path && `path: ${outcome.path}`].filter(Boolean).join('; ') : ''}, status),
          ...(known || !outcome ? [outcome ? `${outcome.iterations}` : '', outcome ? milliseconds(outcome.milliseconds) : '',
              outcome ? error(outcome.error) : '', outcome ? error(outcome.own) : ''].map((words) => h('td', {class: 'number'}, words)) :
              [h('td', {colspan: 4, class: 'why'}, outcome.message)]),
          h('td', {}, button('×', () => this.act.remove(solver), {'aria-label': `Remove ${solver}`, title: 'Remove', disabled: rows.length < 2, class: 'remove'})));
    }));
  }
}
