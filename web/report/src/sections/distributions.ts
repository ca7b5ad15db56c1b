// How an error is spread over the problems after some iterations and at the end (as Lu et al. 2013,
// Fig. 6, for the 10th and the 40th).
import {type Box, Boxes} from '../boxes';
import {h} from '../dom';
import {plural, short, whole} from '../look';
import {capital, measureLabel, measureWords, onLogAxis, selectMeasure} from '../measures';
import {type Page, Section} from './section';

export class DistributionsSection extends Section {
  private boxes = new Boxes();
  private head = h('div', {class: 'fields'});
  private measure: string;
  private turn = 0;

  constructor(page: Page) {
    super(page, 'distributions', 'Distributions', [
      'How an error is spread over the problems after so many iterations, and at the end. The ', h('b', {}, 'box'), ' holds the middle half of the problems and the ' +
      'line in it is the median; the whiskers reach from 5 % to 95 %, the dots are the least and the largest. A solver that has ended keeps the error of its answer. ' +
      'Histories have a point every 5 % of the iterations: the last one not later counts.',
    ]);
    this.measure = this.view.error;
    this.boxes.element.id = 'distribution-chart';
    this.body.append(this.head, h('div', {class: 'charts'}, this.boxes.element));
  }

  protected async draw() {
    const turn = ++this.turn, {view, report} = this, {meta} = report, {measure} = this;
    this.head.replaceChildren(selectMeasure(meta, measure, (name) => { this.measure = name; this.invalidate(); }, 'distribution-measure'));
    const spread = await report.spread(view.group, measure);
    if (turn !== this.turn) return;  // something else was chosen meanwhile
    const names = meta.stages.map((stage) => stage === null ? 'at the end' : `${whole(stage)} iterations`);
    const unit = meta.measures.find(({name}) => name === measure.split('@')[0])?.unit ?? '';
    const told = (value: number) => unit ? `${short(value)} ${unit}` : short(value);
    this.boxes.draw({
      title: `${capital(measureWords(measure))} over ${plural(view.selection.problems.size, 'problem')}`,
      stages: names.map((name, stage) => ({name, boxes: view.selection.solvers.map((solver): Box => ({solver, ...spread[stage][solver]}))
          .filter(({problems}) => problems > 0)})),
      y: {label: measureLabel(meta, measure), log: onLogAxis(meta, measure), kind: 'number'},
      empty: view.selection.solvers.length ? `${capital(measureWords(measure))} was not measured on these problems.` : 'No solver is shown. Choose some above.',
      describe: ({solver, problems, quantiles}, stage) => [
        meta.solvers[solver].name, `${names[stage]}, ${plural(problems, 'problem')}`,
        `median ${told(quantiles[3])}`, `half of them ${told(quantiles[2])} to ${told(quantiles[4])}`,
        `5 % to 95 %: ${told(quantiles[1])} to ${told(quantiles[5])}`, `least ${told(quantiles[0])}, largest ${told(quantiles[6])}`],
      open: ({solver}) => this.detail.list(meta.solvers[solver].name, view.lines.find((line) => line.solver === solver)!.rows),
    });
  }
  protected override emphasize(solver: number) { this.boxes.emphasize(solver); }
}
