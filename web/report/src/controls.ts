// The bar that stays in sight: error, tolerance, cost, filters, and the solvers as a legend.
import {button, choice, h, select} from './dom';
import {swatch, tolerance as power} from './look';
import type {View} from './view';

export function controls(view: View, emphasize: (solver: number) => void): HTMLElement {
  const {tolerances, groups, solvers} = view.report.meta;

  const chips = solvers.map((solver, s) => {
    const chip = h('button', {
      type: 'button', class: 'chip', title: `${solver.title}. Click: show or hide; double click: this one alone.`,
      'aria-pressed': 'true', 'data-solver': solver.name,
    }, swatch(s), solver.name);
    chip.addEventListener('click', () => {
      if (view.hidden.has(s)) view.hidden.delete(s);
      else view.hidden.add(s);
      view.change();
    });
    chip.addEventListener('dblclick', () => {
      view.hidden = new Set(solvers.map((_, other) => other).filter((other) => other !== s));
      view.change();
    });
    for (const on of ['mouseenter', 'focus']) chip.addEventListener(on, () => emphasize(view.hidden.has(s) ? -1 : s));
    for (const off of ['mouseleave', 'blur']) chip.addEventListener(off, () => emphasize(-1));
    return chip;
  });
  const shown = h('span', {class: 'count'});
  const legend = h('details', {class: 'legend', open: solvers.length <= 16},
      h('summary', {}, 'Solvers ', shown),
      h('div', {class: 'chips', role: 'group', 'aria-label': 'Solvers shown'}, chips,
        button('all', () => { view.hidden.clear(); view.change(); }, {class: 'chip plain'}),
        button('none', () => { view.hidden = new Set(solvers.map((_, s) => s)); view.change(); }, {class: 'chip plain'})));

  view.onChange(() => {
    chips.forEach((chip, s) => chip.setAttribute('aria-pressed', `${!view.hidden.has(s)}`));
    shown.textContent = `${solvers.length - view.hidden.size} of ${solvers.length}`;
  });
  shown.textContent = `${solvers.length} of ${solvers.length}`;

  return h('section', {class: 'controls', 'aria-label': 'What is shown'},
      h('div', {class: 'fields'},
        choice('Error', [{value: 'own_error', text: 'own'}, {value: 'velocity_error', text: 'Coulomb'}],
               view.error, (error) => view.change({error})),
        select('Tolerance', tolerances.map((value, t) => ({value: t, text: `${power(value)} m/s`})),
               view.tolerance, (tolerance) => view.change({tolerance}), {id: 'tolerance'}),
        choice('Cost', [{value: 'seconds', text: 'time'}, {value: 'iterations', text: 'iterations'}],
               view.cost, (cost) => view.change({cost})),
        groups.length > 1 ? select('Problems', groups.map(({kind, name}, value) => ({value, text: kind === 'all' ? 'all' : `${kind} ${name}`})),
                                   view.group, (group) => view.change({group}), {id: 'group'}) : null),
      legend);
}

// Light, dark, or what the system says.
export function themeSwitch(changed: () => void): HTMLElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  const toggle = button('', () => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    name();
    changed();
  }, {class: 'quiet theme'});
  const name = () => {
    toggle.textContent = dark() ? '☀ Light' : '☾ Dark';
    toggle.setAttribute('aria-label', dark() ? 'Switch to light colours' : 'Switch to dark colours');
  };
  system.addEventListener('change', () => { name(); changed(); });
  name();
  return toggle;
}
