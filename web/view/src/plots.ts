// Numbers over the steps, each in a strip: the newest on the right. Logarithmic ones show powers of
// ten. A vertical line marks where a setting changed.
import {h} from '../../report/src/dom';

export interface Sample { step: number; [name: string]: number }
export interface Strip { name: string; title: string; unit: string; log?: boolean; floor?: number }

const KEPT = 900;

function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 1e-3 || size >= 1e5) return value.toExponential(1);
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export class Plots {
  readonly element = h('div', {class: 'plots'});
  private samples: Sample[] = [];
  private marks: number[] = [];
  private readonly strips: {strip: Strip; canvas: HTMLCanvasElement; value: HTMLOutputElement}[];
  private asked = false;

  constructor(strips: Strip[]) {
    this.strips = strips.map((strip) => {
      const canvas = h('canvas', {role: 'img', 'aria-label': `${strip.title} over the steps`});
      const value = h('output');
      this.element.append(h('figure', {}, h('figcaption', {}, h('span', {}, strip.title), value), canvas));
      return {strip, canvas, value};
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  add(sample: Sample) {
    const last = this.samples.at(-1);
    if (last && sample.step <= last.step) {  // it went back
      this.samples = this.samples.filter(({step}) => step < sample.step);
      this.marks = this.marks.filter((step) => step <= sample.step);
    }
    if (sample.step > 0) this.samples.push(sample);
    if (this.samples.length > KEPT) this.samples.splice(0, this.samples.length - KEPT);
    this.draw();
  }
  mark() {
    const last = this.samples.at(-1);
    if (last) this.marks.push(last.step);
  }

  private draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      for (const one of this.strips) this.draw_one(one);
    });
  }

  private draw_one({strip, canvas, value}: {strip: Strip; canvas: HTMLCanvasElement; value: HTMLOutputElement}) {
    const {name, unit, log, floor = 1e-16} = strip, samples = this.samples;
    const last = samples.at(-1);
    value.textContent = last ? `${digits(last[name])} ${unit}` : '';
    const wide = canvas.clientWidth, high = canvas.clientHeight, ratio = devicePixelRatio;
    if (!wide || canvas.offsetParent === null) return;
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(high * ratio);
    }
    const pen = canvas.getContext('2d')!, style = getComputedStyle(canvas);
    const ink = style.getPropertyValue('--ink-2'), grid = style.getPropertyValue('--line');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, high);
    if (samples.length < 2) return;
    const scale = (v: number) => log ? Math.log10(Math.max(v, floor)) : v;
    let low = Infinity, top = -Infinity;
    for (const sample of samples) {
      low = Math.min(low, scale(sample[name]));
      top = Math.max(top, scale(sample[name]));
    }
    if (log) {
      low = Math.floor(low);
      top = Math.max(Math.ceil(top), low + 1);
    } else {
      low = Math.min(low, 0);
      if (top - low < 1e-12) top = low + 1;
    }
    const first = samples[0].step, span = Math.max(last!.step - first, 120), margin = 44;
    const x = (step: number) => margin + (wide - margin - 2) * (1 - (last!.step - step) / span);
    const y = (v: number) => high - 4 - (high - 8) * (v - low) / (top - low);
    pen.font = `10px ${style.fontFamily}`;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (const v of [low, top]) {
      pen.strokeStyle = grid;
      pen.beginPath();
      pen.moveTo(margin, y(v));
      pen.lineTo(wide, y(v));
      pen.stroke();
      pen.fillStyle = ink;
      pen.fillText(log ? `1e${v}` : digits(v), margin - 4, Math.min(Math.max(y(v), 6), high - 6));
    }
    pen.setLineDash([2, 2]);
    pen.strokeStyle = ink;
    for (const step of this.marks) {
      if (step < first) continue;
      pen.beginPath();
      pen.moveTo(x(step), 0);
      pen.lineTo(x(step), high);
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.strokeStyle = style.getPropertyValue('--accent');
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    pen.beginPath();
    for (const sample of samples) pen.lineTo(x(sample.step), y(scale(sample[name])));
    pen.stroke();
  }
}
