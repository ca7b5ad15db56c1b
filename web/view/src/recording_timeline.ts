// The timeline of recordings: a bar for each frame (or for the worst of the frames in a pixel), the
// higher and redder the larger its error. Two recordings have two rows. Marks: the frame that is
// shown, the first difference.
import {h} from '../../report/src/dom';
import type {Timeline as Told} from './messages';

const BEST = -12, WORST = 0;  // powers of ten of m/s: the ends of the scale

export function share(error: number): number {
  return Math.min(Math.max((Math.log10(Math.max(error, 1e-30)) - BEST) / (WORST - BEST), 0), 1);
}
// From blue over yellow to red.
const colour = (part: number) => `hsl(${Math.round(210 - 210 * Math.min(1, 1.15 * part))} 75% ${Math.round(52 - 8 * part)}%)`;

export function digits(error: number): string {
  return Number.isNaN(error) ? 'unknown' : `${error === 0 ? '0' : error.toExponential(2)} m/s`;
}

export class Timeline {
  readonly element: HTMLElement;
  readonly slider: HTMLInputElement;
  private readonly canvas = h('canvas', {'aria-hidden': true});
  private readonly words = h('output', {class: 'timeline-words'});
  private told?: Told;
  private worst: number[] = [];  // frames, the worst first, apart from each other
  private at = 0;

  constructor(private readonly go: (frame: number) => void) {
    this.slider = h('input', {type: 'range', min: 0, max: 0, value: 0, step: 1, 'aria-label': 'Frame'});
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
    this.element = h('div', {class: 'timeline'}, h('div', {class: 'bars'}, this.canvas, this.slider), this.words);
    new ResizeObserver(() => this.draw()).observe(this.element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  get frames(): number { return this.told ? Math.max(...this.told.frames) : 0; }
  times(): Float32Array { return this.told!.times.subarray(0, this.told!.frames[0]); }
  errors(recording: number): Float32Array {
    const first = recording === 0 ? 0 : this.told!.frames[0];
    return this.told!.errors.subarray(first, first + this.told!.frames[recording]);
  }
  get difference(): number { return this.told?.difference ?? -1; }

  show(told: Told) {
    this.told = told;
    this.slider.max = `${this.frames - 1}`;
    this.find_worst();
    this.draw();
  }

  move(frame: number) {
    this.at = frame;
    this.slider.value = `${frame}`;
    this.slider.setAttribute('aria-valuetext', `frame ${frame}, error ${digits(this.errors(0)[Math.min(frame, this.told!.frames[0] - 1)])}`);
    this.draw();
  }

  // Peaks at least a hundredth of the recording apart: one bad moment counts once.
  private find_worst() {
    const errors = this.errors(0), apart = Math.max(1, Math.floor(errors.length / 100));
    const order = Array.from(errors.keys()).filter((i) => errors[i] > 0).sort((a, b) => errors[b] - errors[a]);
    const taken = new Uint8Array(errors.length);
    this.worst = [];
    for (const frame of order) {
      if (taken[frame]) continue;
      this.worst.push(frame);
      taken.fill(1, Math.max(0, frame - apart), frame + apart + 1);
      if (this.worst.length === 50) break;
    }
  }
  // The place of the shown frame in the list of the worst moves by one; elsewhere the list begins.
  next_worst(by: number) {
    if (this.worst.length === 0) return;
    const now = this.worst.indexOf(this.at), count = this.worst.length;
    const place = now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count;
    this.go(this.worst[place]);
  }

  private draw() {
    const {canvas, told} = this, wide = canvas.clientWidth, high = canvas.clientHeight, ratio = devicePixelRatio;
    if (!told || !wide) return;
    if (canvas.width !== Math.round(wide * ratio)) canvas.width = Math.round(wide * ratio);
    if (canvas.height !== Math.round(high * ratio)) canvas.height = Math.round(high * ratio);
    const pen = canvas.getContext('2d')!, style = getComputedStyle(canvas);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, high);
    const rows = told.frames.length, row = high / rows, frames = this.frames;
    const columns = Math.min(Math.ceil(wide), frames), step = wide / columns;
    for (let r = 0; r < rows; ++r) {
      const errors = this.errors(r), bottom = (r + 1) * row - 1;
      pen.fillStyle = style.getPropertyValue('--line');
      pen.fillRect(0, bottom, wide, 1);
      for (let c = 0; c < columns; ++c) {
        const from = Math.floor(c * frames / columns), to = Math.max(from + 1, Math.floor((c + 1) * frames / columns));
        let worst = NaN;
        for (let i = from; i < Math.min(to, errors.length); ++i)
          if (!(errors[i] <= worst) && !Number.isNaN(errors[i])) worst = errors[i];
        if (Number.isNaN(worst)) continue;
        const part = share(worst), tall = Math.max(2, part * (row - 3));
        pen.fillStyle = colour(part);
        pen.fillRect(c * step, bottom - tall, Math.max(step - (step > 4 ? 1 : 0), 0.5), tall);
      }
    }
    const x = (frame: number) => (frame + 0.5) / frames * wide;
    if (told.difference >= 0) {
      pen.strokeStyle = style.getPropertyValue('--bad');
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(x(told.difference), 0);
      pen.lineTo(x(told.difference), high);
      pen.stroke();
      pen.setLineDash([]);
    }
    pen.fillStyle = style.getPropertyValue('--ink');
    pen.fillRect(x(this.at) - 1, 0, 2, high);
    const parts = [];
    if (told.left > 0) parts.push(`${told.left} errors are being computed`);
    if (rows > 1)
      parts.push(told.difference === -2 ? 'comparing…' : told.difference === -1 ? 'no difference' :
        `first difference in frame ${told.difference}: ${told.words}`);
    if (told.apart.length > 0 && told.apart[this.at] !== undefined)
      parts.push(`${told.apart[this.at].toPrecision(3)} m apart`);
    this.words.textContent = parts.join(' · ');
  }
}
