// Numbers over the steps, each in a strip: the newest on the right, a line for each pane. Logarithmic
// ones show powers of ten. A dashed line marks where a setting changed, a full one where panes part.
import {h} from '../../report/src/dom';
import {axis, digits, drawn, figure, line, pane_colour, sheet} from './pen';

export interface Strip { name: string; title: string; unit: string; log?: boolean; floor?: number; zero?: boolean }  // zero: is shown
interface Sample { step: number; values: Record<string, number[]> }  // of each pane; negative with log: unknown

const KEPT = 900, MARGIN = 44;

export class Plots {
  readonly element = h('div', {class: 'plots'});
  private samples: Sample[] = [];
  private marks: number[] = [];
  private parted = -1;
  private readonly strips: (ReturnType<typeof figure> & {strip: Strip})[];
  private readonly draw: () => void;

  constructor(strips: Strip[]) {
    this.strips = strips.map((strip) => ({strip, ...figure(strip.title, `${strip.title} over the steps`)}));
    this.element.append(...this.strips.map(({element}) => element));
    this.draw = drawn(this.element, () => this.strips.forEach((one) => this.draw_one(one)));
  }

  add(step: number, values: Record<string, number[]>, parted = -1) {
    const last = this.samples.at(-1);
    if (last && step <= last.step) {  // it went back
      this.samples = this.samples.filter((sample) => sample.step < step);
      this.marks = this.marks.filter((mark) => mark <= step);
    }
    this.parted = parted;
    if (step > 0) this.samples.push({step, values});
    if (this.samples.length > KEPT) this.samples.splice(0, this.samples.length - KEPT);
    this.draw();
  }
  mark() {
    const last = this.samples.at(-1);
    if (last) this.marks.push(last.step);
  }
  // Only strips that have something to show are there.
  show(name: string, on: boolean) {
    const found = this.strips.find(({strip}) => strip.name === name);
    if (found) found.element.hidden = !on;
  }

  private draw_one({strip, canvas, value}: Plots['strips'][number]) {
    const {name, unit, log, floor = 1e-16, zero} = strip, {samples} = this, last = samples.at(-1);
    const known = (v: number) => Number.isFinite(v) && !(log && v < 0);
    value.textContent = last ? `${last.values[name].map((v) => known(v) ? digits(v) : '–').join(' · ')} ${unit}` : '';
    const on = sheet(canvas);
    if (!on || samples.length < 2) return;
    const {pen, wide, high} = on;
    const scale = (v: number) => log ? Math.log10(Math.max(v, floor)) : v;
    let low = Infinity, top = -Infinity;
    for (const {values} of samples)
      for (const v of values[name]) {
        if (!known(v)) continue;
        low = Math.min(low, scale(v));
        top = Math.max(top, scale(v));
      }
    if (low > top) return;
    if (log) {
      low = Math.floor(low);
      top = Math.max(Math.ceil(top), low + 1);
    } else {
      if (zero) low = Math.min(low, 0);
      const least = Math.max(1e-6 * Math.abs(top), 1e-12);  // smaller changes are no news
      if (top - low < least) [low, top] = [low - least / 2, top + least / 2];
    }
    const first = samples[0].step, span = Math.max(last!.step - first, 120);
    const x = (step: number) => MARGIN + (wide - MARGIN - 2) * (1 - (last!.step - step) / span);
    const y = (v: number) => high - 4 - (high - 8) * (v - low) / (top - low);
    axis(on, MARGIN, [low, top].map((v) => ({at: y(v), text: log ? `1e${v}` : `${Number(v.toPrecision(5))}`})), high);
    const upright = (step: number) => {
      pen.beginPath();
      pen.moveTo(x(step), 0);
      pen.lineTo(x(step), high);
      pen.stroke();
    };
    pen.strokeStyle = on.colour('--ink-2');
    pen.setLineDash([2, 2]);
    this.marks.filter((step) => step >= first).forEach(upright);
    pen.setLineDash([]);
    if (this.parted >= first) {
      pen.strokeStyle = pen.fillStyle = on.colour('--bad');
      pen.textAlign = x(this.parted) > wide - 50 ? 'right' : 'left';
      upright(this.parted);
      if (name === 'apart') pen.fillText(' parted ', x(this.parted), high - 10);
    }
    for (let pane = 0; pane < last!.values[name].length; ++pane)
      line(on, pane_colour(on, pane), samples.filter(({values}) => known(values[name][pane]))
          .map(({step, values}) => [x(step), y(scale(values[name][pane]))]));
  }
}
