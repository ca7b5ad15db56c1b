// A frame solved again: by any solver, its error over the iterations with restarts marked, and a
// slider through its iterates.
import {button, h} from '../../report/src/dom';
import type {Iterate, Solved, ToProgram} from './messages';
import {digits} from './recording_timeline';

interface About { solver: string; status: string; message: string; path: string; iterations: number; milliseconds: number; error?: number; errors: Record<string, number> }

export class Solving {
  readonly element: HTMLElement;
  forces?: Float32Array;        // that are shown in place of the recorded ones, N
  errors?: Float32Array;        // of contacts, with them
  recording = 0;
  solved?: Solved;
  private readonly solver: HTMLSelectElement;
  private readonly iterations = h('input', {type: 'text', inputmode: 'numeric', value: '1000', size: 8});
  private readonly tolerance = h('input', {type: 'text', inputmode: 'decimal', value: '1e-8', size: 8});
  private readonly difference = h('input', {type: 'checkbox', checked: true});
  private readonly words = h('p', {class: 'solved-words', role: 'status'});
  private readonly curve = h('canvas', {class: 'curve', role: 'img', 'aria-label': 'Error over the iterations'});
  private readonly slider = h('input', {type: 'range', min: 0, max: 0, step: 1, 'aria-label': 'Iterate'});
  private readonly walk: HTMLElement;
  private readonly iterate = h('output');
  private readonly measures = h('dl', {class: 'numbers measures'});
  private frame = 0;
  private busy = false;

  constructor(solvers: {name: string; joints: boolean}[], joints: boolean, names: string[],
              private readonly send: (message: ToProgram) => void, private readonly changed: () => void) {
    const groups = new Map<string, string[]>();
    for (const {name, joints: accepts} of solvers) {
      if (joints && !accepts) continue;
      const group = name.includes('/') ? name.slice(0, name.indexOf('/')) : 'the file';
      groups.set(group, [...groups.get(group) ?? [], name]);
    }
    this.solver = h('select', {class: 'solver'}, [...groups].map(([label, some]) => h('optgroup', {label},
        some.map((value) => h('option', {value, selected: value === 'ncp/auto'}, value)))));
    const which = h('select', {}, names.map((name, i) => h('option', {value: i}, name)));
    which.addEventListener('change', () => { this.recording = Number(which.value); });
    this.difference.addEventListener('change', changed);
    this.slider.addEventListener('input', () => this.send({kind: 'show_iterate', point: Number(this.slider.value)}));
    const field = (label: string, input: HTMLElement, unit = '') =>
        h('label', {}, h('span', {}, label, unit && h('small', {}, ` ${unit}`)), input);
    this.walk = h('div', {class: 'walk', hidden: true},
        h('figure', {}, h('figcaption', {}, h('span', {}, 'Error over the iterations'), this.iterate), this.curve), this.slider);
    this.element = h('div', {class: 'solving'}, h('div', {class: 'settings'},
        names.length > 1 && field('Recording', which), field('Solver', this.solver),
        field('Iterations at most', this.iterations), field('Tolerance', this.tolerance, 'm/s')),
        h('div', {class: 'hand'}, button('Solve again', () => this.solve(), {title: 'This frame (S)', 'aria-keyshortcuts': 'S'}),
          button('Recorded', () => this.forget(), {title: 'Show the recorded forces'})),
        h('label', {class: 'tick'}, this.difference, h('span', {}, 'Difference to the recorded answer')), this.words, this.measures, this.walk);
    new ResizeObserver(() => this.draw()).observe(this.curve);
  }

  get shows_difference() { return this.difference.checked && this.forces !== undefined; }

  // False: there is no such solver, or it does not accept the joints of the recording.
  choose(solver: string): boolean {
    const there = [...this.solver.options].some(({value}) => value === solver);
    if (there) this.solver.value = solver;
    return there;
  }
  say(words: string) { this.words.textContent = words; }
  at(frame: number) {
    if (frame !== this.frame) this.forget();
    this.frame = frame;
  }
  solve() {
    this.busy = true;
    this.words.textContent = `${this.solver.value} is at work…`;
    this.send({kind: 'solve_frame', recording: this.recording, frame: this.frame, solver: this.solver.value,
               iterations: Number(this.iterations.value) || 1000, tolerance: Number(this.tolerance.value) || 0});
  }
  forget() {
    if (!this.solved && !this.forces && !this.busy) return;
    this.solved = this.forces = this.errors = undefined;
    this.busy = false;
    this.words.textContent = '';
    this.measures.replaceChildren();
    this.walk.hidden = true;
    this.changed();
  }

  show(solved: Solved) {
    if (solved.frame !== this.frame) return;
    this.busy = false;
    const about: About = JSON.parse(solved.json), answered = solved.iterations.length > 0 || about.error !== undefined;
    this.words.textContent = answered ?
        `${about.solver}: ${about.status.replaceAll('_', ' ')}, ${about.iterations} iterations, error ` +
        `${digits(about.error ?? NaN)}, ${about.milliseconds.toPrecision(3)} ms` + (about.path ? ` (${about.path})` : '') :
        `${about.solver}: ${about.message}`;
    this.measures.replaceChildren(...Object.entries(about.errors).map(([name, value]) =>
        h('div', {class: 'wide'}, h('dt', {}, name), h('dd', {}, value === 0 ? '0' : value.toExponential(6)))));
    this.solved = solved;
    this.forces = answered ? solved.forces : undefined;
    this.errors = answered ? solved.contact_errors : undefined;
    const count = solved.iterations.length;
    this.walk.hidden = count === 0;
    this.slider.max = `${Math.max(count - 1, 0)}`;
    this.slider.value = this.slider.max;
    this.changed();
    this.draw();
  }
  show_iterate(iterate: Iterate) {
    if (!this.solved) return;
    this.forces = iterate.forces;
    this.errors = iterate.contact_errors;
    this.slider.value = `${iterate.point}`;
    this.changed();
    this.draw();
  }

  private draw() {
    const {curve, solved} = this, wide = curve.clientWidth, high = curve.clientHeight, ratio = devicePixelRatio;
    if (!solved || !wide || solved.iterations.length === 0) return;
    curve.width = Math.round(wide * ratio);
    curve.height = Math.round(high * ratio);
    const pen = curve.getContext('2d')!, style = getComputedStyle(curve), {iterations, errors, restarts} = solved;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const value = (e: number) => Math.log10(Math.max(e, 1e-17));
    let low = Infinity, top = -Infinity;
    for (const e of errors) if (Number.isFinite(e)) { low = Math.min(low, value(e)); top = Math.max(top, value(e)); }
    low = Math.floor(low);
    top = Math.max(Math.ceil(top), low + 1);
    const last = Math.max(iterations.at(-1)!, 1), margin = 40;
    const x = (iteration: number) => margin + (wide - margin - 4) * iteration / last;
    const y = (e: number) => high - 5 - (high - 10) * (value(e) - low) / (top - low);
    pen.font = `10px ${style.fontFamily}`;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (const power of [low, top]) {
      pen.fillStyle = style.getPropertyValue('--line');
      pen.fillRect(margin, y(10 ** power), wide - margin, 1);
      pen.fillStyle = style.getPropertyValue('--ink-2');
      pen.fillText(`1e${power}`, margin - 4, Math.min(Math.max(y(10 ** power), 6), high - 6));
    }
    pen.fillStyle = style.getPropertyValue('--bad');
    restarts.forEach((restart, i) => {  // a small triangle on the axis
      if (!restart) return;
      pen.beginPath();
      pen.moveTo(x(iterations[i]), high - 8);
      pen.lineTo(x(iterations[i]) - 3, high);
      pen.lineTo(x(iterations[i]) + 3, high);
      pen.fill();
    });
    pen.strokeStyle = style.getPropertyValue('--accent');
    pen.lineWidth = 1.5;
    pen.beginPath();
    errors.forEach((e, i) => { if (Number.isFinite(e)) pen.lineTo(x(iterations[i]), y(e)); });
    pen.stroke();
    const point = Number(this.slider.value);
    pen.fillStyle = style.getPropertyValue('--ink');
    pen.fillRect(x(iterations[point]) - 1, 0, 2, high);
    this.iterate.textContent = `iteration ${iterations[point]}, ${digits(errors[point])}`;
  }
}
