// The report: unpacks the results, builds the sections, and draws each when it comes into sight.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import {controls, themeSwitch} from './controls';
import {unpackReport} from './data';
import {Detail} from './detail';
import {h} from './dom';
import {plural} from './look';
import {ConvergenceSection} from './sections/convergence';
import {DistributionsSection} from './sections/distributions';
import {EndingsSection} from './sections/endings';
import {ProblemsSection} from './sections/problems';
import {ProfilesSection} from './sections/profiles';
import {SetupSection} from './sections/setup';
import {SizesSection} from './sections/sizes';
import {SummarySection, TolerancesSection} from './sections/summary';
import {View} from './view';

async function start() {
  const report = await unpackReport(), {meta} = report;
  const view = new View(report);
  const detail = new Detail(report, (problem) => convergence.show(problem));
  const page = {view, detail};
  const convergence = new ConvergenceSection(page);
  const sections = [
    new SummarySection(page), new ProfilesSection(page), new TolerancesSection(page), convergence,
    new DistributionsSection(page), new SizesSection(page), new EndingsSection(page), new ProblemsSection(page), new SetupSection(page),
  ];
  const emphasize = (solver: number) => { for (const section of sections) section.stress(solver); };
  const redraw = () => { for (const section of sections) section.invalidate(); };
  const machine = meta.machines[0];
  const missing = meta.rows_planned - meta.rows;
  document.getElementById('app')!.replaceChildren(
      h('header', {class: 'top'},
        h('div', {class: 'title'}, h('h1', {}, meta.title || 'Comparison of solvers'), themeSwitch(redraw)),
        h('p', {class: 'lead'}, `${plural(meta.solvers.length, 'solver')} on ${plural(meta.problems.length, 'problem')}, ${plural(meta.rows, 'result')}. `,
          machine ? `${machine.cpu}, ${machine.date.slice(0, 10)}, perpend ${machine.version} (${machine.commit}).` : ''),
        missing > 0 ? h('p', {class: 'warning', role: 'note'}, `${plural(missing, 'result')} of ${plural(meta.rows_planned, 'planned one')} missing: the comparison was interrupted. The same command goes on with it.`) : null,
        h('nav', {'aria-label': 'Parts of the report'}, sections.map(({id, name}) => h('a', {href: `#${id}`}, name)))),
      controls(view, emphasize),
      h('main', {}, sections.map(({element}) => element)),
      h('footer', {}, 'Written by perpend report. Everything is in this file: nothing is loaded from elsewhere.'));
  document.documentElement.dataset.ready = '';
}

start().catch((error) => {
  document.getElementById('app')!.replaceChildren(
      h('p', {class: 'warning', role: 'alert'}, `This report cannot be shown: ${error.message}. It needs a browser of 2023 or later; report.md has the summary.`));
  throw error;
});
