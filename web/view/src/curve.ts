// The error over the iterations of the current step, for each pane a line of the error of the solver's
// own problem and a dotted one of the velocity error; a triangle marks where the method restarted.
// The program keeps such a history only while somebody looks.
import {h} from '../../report/src/dom';
import type {Curve as Told} from './messages';
import {axis, digits, drawn, figure, line, pane_colour, sheet} from './pen';

const MARGIN = 44, FLOOR = 1e-17;

export class Curve {
  readonly element = h('div', {class: 'plots curve'});
  told?: Told;
  private readonly parts = figure('Error of the iterations', 'Error over the iterations of the current step');
  private readonly words = h('p', {class: 'words'});
  private readonly draw: () => void;

  constructor() {
    this.element.append(this.parts.element, this.words);
    this.draw = drawn(this.element, () => this.draw_all());
  }
  show(told: Told) {
    this.told = told;
    this.draw();
  }

  private draw_all() {
    const {told} = this, on = sheet(this.parts.canvas);
    if (!told || !on) return;
    const {pen, wide, high} = on, {iterations, own, errors, restarts, lengths} = told;
    let at = 0;
    const panes = [...lengths].map((length) => {
      const from = at;
      at += length;
      return Array.from({length}, (_, i) => ({iteration: iterations[from + i], error: own[from + i],
                                              coulomb: errors[from + i], restart: restarts[from + i] === 1}));
    });
    const all = panes.flat(), values = all.flatMap(({error, coulomb}) => [error, coulomb]).filter((value) => value >= 0);
    const made = panes.map((points) => points.length ? `${points.at(-1)!.iteration}` : 'none');
    const again = panes.map((points) => points.filter(({restart}) => restart).length);
    this.parts.value.textContent = panes.map((points) => points.length ? digits(points.at(-1)!.error) : '–').join(' · ') + ' m/s';
    this.words.textContent = `Step ${told.step}: iterations ${made.join(' · ')}, restarts ${again.join(' · ')}` +
        (panes.some((points) => points.length === 0) ? ' (none: the start was the answer, or it is another engine)' : '') + '. Dotted: velocity error.';
    if (values.length === 0) return;
    const log = (error: number) => Math.log10(Math.max(error, FLOOR));
    const low = Math.floor(Math.min(...values.map(log))), top = Math.max(Math.ceil(Math.max(...values.map(log))), low + 1);
    const last = Math.max(1, ...all.map(({iteration}) => iteration));
    const x = (iteration: number) => MARGIN + (wide - MARGIN - 6) * iteration / last;
    const y = (error: number) => 6 + (high - 24) * (top - log(error)) / (top - low);
    axis(on, MARGIN, [low, top].map((v) => ({at: y(10 ** v), text: `1e${v}`})), high);
    pen.fillStyle = on.colour('--ink-2');
    pen.textAlign = 'left';
    pen.fillText('0', MARGIN, high - 6);
    pen.textAlign = 'right';
    pen.fillText(`${last} iterations`, wide - 4, high - 6);
    panes.forEach((points, pane) => {
      const colour = pane_colour(on, pane), some = points.filter(({error}) => error >= 0);
      pen.setLineDash([1, 3]);
      line(on, colour, points.filter(({coulomb}) => coulomb >= 0).map(({iteration, coulomb}) => [x(iteration), y(coulomb)]));
      pen.setLineDash([]);
      line(on, colour, some.map(({iteration, error}) => [x(iteration), y(error)]));
      pen.fillStyle = colour;
      for (const {iteration, error, restart} of some) {
        if (!restart) continue;
        pen.beginPath();
        pen.moveTo(x(iteration), y(error) - 1);
        pen.lineTo(x(iteration) - 4, y(error) - 8);
        pen.lineTo(x(iteration) + 4, y(error) - 8);
        pen.fill();
      }
    });
  }
}
