// Error over the iterations, one line for each solver, on a logarithmic axis: is it Coulomb
// (velocity_error), or its own problem (own_error). The dashed line is the tolerance.
import {choice, h} from '../../../report/src/dom';
import {axis, drawn, line, sheet} from '../pen';

export interface Points { iterations: ArrayLike<number>; errors: ArrayLike<number>; own: ArrayLike<number>; restarts: ArrayLike<number> }
export interface Curve { solver: string; colour: number; points?: Points; shown: boolean; at?: number }  // at: point of the slider

const MARGIN = 46, BELOW = 30, ABOVE = 8, FLOOR = 1e-17, MOST_RATIO = 20;
const MEASURES = [{value: 'errors' as const, text: 'Coulomb’s law'}, {value: 'own' as const, text: 'its own equations'}];

export class Convergence {
  readonly element: HTMLElement;
  private readonly canvas = h('canvas', {role: 'img', 'aria-label': 'Error over the iterations of the chosen solvers'});
  private readonly legend = h('ul', {class: 'solvers-legend'});
  private readonly log = h('input', {type: 'checkbox'});
  private measure: 'errors' | 'own' = 'errors';
  private curves: Curve[] = [];
  private tolerance = 1e-8;
  private asked = false;  // a person has decided about the axis
  private readonly draw: () => void;

  constructor() {
    this.log.addEventListener('change', () => {
      this.asked = true;
      this.draw();
    });
    const measures = choice('Error in', MEASURES, this.measure, (measure) => {
      this.measure = measure;
      this.draw();
    });
    this.element = h('figure', {class: 'convergence'}, h('figcaption', {}, measures,
        h('label', {class: 'tick'}, this.log, h('span', {}, 'logarithmic iterations'))), this.legend, this.canvas);
    this.draw = drawn(this.element, () => this.draw_all());
  }
  get drawn_lines() { return this.curves.filter(({points}) => points && points.iterations.length > 0).length; }

  show(curves: Curve[], tolerance: number) {
    this.curves = curves;
    this.tolerance = tolerance;
    this.legend.replaceChildren(...curves.map(({solver, colour}) => h('li', {style: `--solver: var(--solver-${colour})`}, solver)));
    const lasts = curves.flatMap(({points}) => points && points.iterations.length ? [points.iterations[points.iterations.length - 1]] : []);
    if (!this.asked) this.log.checked = lasts.length > 1 && Math.max(...lasts) > MOST_RATIO * Math.max(1, Math.min(...lasts));
    this.draw();
  }

  private draw_all() {
    const on = sheet(this.canvas);
    if (!on) return;
    const {pen, wide, high, colour} = on, {measure, tolerance} = this, shift = this.log.checked ? 1 : 0;
    const some = this.curves.flatMap((curve) => curve.points && curve.points.iterations.length ? [{...curve, points: curve.points}] : []);
    const exponent = (error: number) => Math.log10(Math.max(error, FLOOR));
    let low = Math.log10(tolerance), top = low + 2, last = 1;
    for (const {points} of some)
      for (let i = 0; i < points.iterations.length; ++i) {
        last = Math.max(last, points.iterations[i]);
        if (!Number.isFinite(points[measure][i])) continue;
        low = Math.min(low, exponent(points[measure][i]));
        top = Math.max(top, exponent(points[measure][i]));
      }
    low = Math.floor(low);
    top = Math.ceil(top + 1e-9);
    const along = (iteration: number) => shift ? Math.log10(iteration + shift) / Math.log10(last + shift) : iteration / last;
    const x = (iteration: number) => MARGIN + (wide - MARGIN - 12) * along(iteration);
    const y = (power: number) => ABOVE + (high - ABOVE - BELOW) * (top - power) / (top - low);
    const every = Math.max(1, Math.ceil((top - low) * 18 / (high - ABOVE - BELOW)));
    const powers = Array.from({length: top - low + 1}, (_, i) => low + i).filter((power) => (power - top) % every === 0);
    axis(on, MARGIN, powers.map((power) => ({at: y(power), text: `1e${power}`})), high);
    this.ticks(on, last, x, shift);
    pen.setLineDash([5, 4]);
    line(on, colour('--ink-2'), [[MARGIN, y(Math.log10(tolerance))], [wide - 12, y(Math.log10(tolerance))]]);
    pen.setLineDash([]);
    pen.fillStyle = colour('--ink-2');
    pen.textAlign = 'left';
    pen.fillText('tolerance', MARGIN + 4, y(Math.log10(tolerance)) - 7);
    for (const {points, colour: number, shown, at} of some) {
      const ink = colour(`--solver-${number}`), list: [number, number][] = [];
      for (let i = 0; i < points.iterations.length; ++i)
        if (Number.isFinite(points[measure][i])) list.push([x(points.iterations[i]), y(exponent(points[measure][i]))]);
      pen.setLineDash(number % 2 ? [] : [7, 4]);  // of two that coincide both are seen
      line(on, ink, list);
      pen.setLineDash([]);
      pen.fillStyle = ink;
      if (list.length < 60) for (const [px, py] of list) pen.fillRect(px - 2, py - 2, 4, 4);
      const end = list.at(-1);
      if (end) {
        pen.beginPath();
        pen.arc(...end, 4, 0, 2 * Math.PI);
        pen.fill();
      }
      for (let i = 0; i < points.restarts.length; ++i) {  // a small triangle on the axis
        if (!points.restarts[i]) continue;
        const px = x(points.iterations[i]);
        pen.beginPath();
        pen.moveTo(px, high - BELOW - 7);
        pen.lineTo(px - 4, high - BELOW);
        pen.lineTo(px + 4, high - BELOW);
        pen.fill();
      }
      if (!shown || at === undefined || at >= points.iterations.length) continue;
      pen.fillRect(x(points.iterations[at]) - 1, ABOVE, 2, high - ABOVE - BELOW);
    }
  }

  private ticks({pen, wide, high, colour}: NonNullable<ReturnType<typeof sheet>>, last: number, x: (iteration: number) => number, shift: number) {
    const marks = [0];
    if (shift) for (let power = 1; power <= last; power *= 10) marks.push(power);
    else {
      const rough = last / 5, size = 10 ** Math.floor(Math.log10(rough)), step = Math.max(1, [1, 2, 5, 10].map((f) => f * size).find((s) => s >= rough)!);
      for (let i = step; i <= last; i += step) marks.push(i);
    }
    pen.fillStyle = colour('--ink-2');
    pen.textAlign = 'center';
    let free = -Infinity;
    for (const mark of marks) {
      if (x(mark) < free) continue;
      free = x(mark) + 34;
      pen.fillText(`${mark}`, x(mark), high - BELOW + 9);
    }
    pen.textAlign = 'right';
    pen.fillText('iterations', wide - 12, high - 6);
    pen.save();
    pen.translate(7, (high - BELOW) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = 'center';
    pen.fillText('error, m/s', 0, 0);
    pen.restore();
  }
}
