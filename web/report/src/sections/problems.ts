// Every problem, and who solved it.
import {problemName, shortFile} from '../detail';
import {button, h, sortable, type Column} from '../dom';
import {swatch, time, whole} from '../look';
import {type Page, Section} from './section';

interface Entry { problem: number; solved: number; reached: number; of: number; best: number; cost: number }

export class ProblemsSection extends Section {
  constructor(page: Page) {
    super(page, 'problems', 'Problems', ['For each problem: how many of the solvers shown solved it, how many reached the chosen tolerance, and which solver of all was the cheapest.']);
  }

  protected draw() {
    const {view, report, detail} = this, {meta} = report;
    const entries = new Map<number, Entry>([...view.selection.problems].map((problem) => [problem, {problem, solved: 0, reached: 0, of: 0, best: -1, cost: NaN}]));
    for (const line of view.lines) {
      for (const row of line.rows) ++entries.get(report.problem[row])!.of;
      for (const row of line.solved) ++entries.get(report.problem[row])!.solved;
    }
    if (meta.tolerances.length) {
      const costOf = report.toTolerance(view.error, view.cost, view.tolerance);
      const best = report.best(view.error, view.cost, view.tolerance);
      for (const line of view.lines)
        for (const row of line.rows) if (!Number.isNaN(costOf(row))) ++entries.get(report.problem[row])!.reached;
      for (const entry of entries.values()) {
        entry.cost = best(entry.problem);
        const cheapest = report.rowsOfProblem(entry.problem).find((row) => costOf(row) <= entry.cost);
        if (cheapest !== undefined) entry.best = report.solver[cheapest];
      }
    }
    const of = (entry: Entry) => meta.problems[entry.problem];
    const columns: Column<Entry>[] = [
      {title: 'problem', text: true, sort: ({problem}) => problem, cell: ({problem}) => button(problemName(report, problem), () => detail.problem(problem), {class: 'link'})},
      {title: 'file', text: true, sort: (entry) => of(entry).file, cell: (entry) => h('span', {title: of(entry).file}, shortFile(of(entry).file))},
      {title: 'tags', text: true, sort: (entry) => of(entry).tags.join(), cell: (entry) => of(entry).tags.join(', ')},
      {title: 'bodies', sort: (entry) => of(entry).bodies, cell: (entry) => whole(of(entry).bodies)},
      {title: 'contacts', sort: (entry) => of(entry).contacts, cell: (entry) => whole(of(entry).contacts)},
      {title: 'joint rows', sort: (entry) => of(entry).joint_rows, cell: (entry) => whole(of(entry).joint_rows)},
      {title: 'solved by', sort: (entry) => entry.solved / (entry.of || 1), cell: (entry) => `${entry.solved}/${entry.of}`},
      {title: 'reached by', sort: (entry) => entry.reached / (entry.of || 1), cell: (entry) => `${entry.reached}/${entry.of}`},
      {title: 'cheapest', text: true, sort: ({best}) => best < 0 ? '~' : meta.solvers[best].name, cell: ({best}) => best < 0 ? 'no solver' : h('span', {class: 'name'}, swatch(best), meta.solvers[best].name)},
      {title: view.cost === 'seconds' ? 'its time' : 'its iterations', sort: ({cost}) => cost, cell: ({cost}) => view.cost === 'seconds' ? time(cost) : whole(cost)},
    ];
    this.body.replaceChildren(entries.size ? sortable('Problems', columns, [...entries.values()], {column: 0, down: false}, 15) :
        h('p', {class: 'empty'}, 'There is no problem.'));
  }
}
