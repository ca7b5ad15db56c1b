// The playground: a small problem, some solvers, and how they converge, all in one page.
import {button, h} from '../../../report/src/dom';
import {Hand} from '../hand';
import {licences} from '../help';
import {Look, part, states_of} from '../look';
import type {Iterate, Solved, State} from '../messages';
import {Drawn} from '../panel';
import {digits} from '../pen';
import type {Scene} from '../scene';
import {read_address, write_address} from './address';
import {Convergence} from './convergence';
import {as_lines, Sliders, Text} from './editor';
import {lines_of, offered, type Example} from './examples';
import type {Vector} from './frame';
import {type Answer, type Job, Lane, type Start} from './lane';
import {MOST, Results, type Method, type Outcome} from './results';
import {with_shapes} from './shapes';
import {short, type Found} from './template';
import '../style.css';
import './playground.css';

const FIRST = ['box/pgs', 'ncp/pgs', 'ncp/auto'];
const COLOURS = MOST;
const triples = (list: Float32Array, size: number): Vector[] =>
    Array.from({length: list.length / size}, (_, i) => [...list.subarray(size * i, size * i + 3)] as Vector);

function outcome_of(solved: Solved): Outcome {
  const told = JSON.parse(solved.json);
  return {...told, own: told.errors.own_error};
}

interface Chosen {
  solver: string;
  colour: number;
  lane: Lane;
  busy: boolean;
  solved?: Solved;
  outcome?: Outcome;
  iterate?: Iterate;
}

export class Playground {
  private readonly list: Example[];
  private example: Example;
  private text = '';           // JSON lines
  private frame = 0;
  private number = 0;          // of the problem
  private state?: State;
  private scene_bodies = -1;
  private tolerance = 1e-8;
  private limit = 1000;
  private methods: Method[] = [];
  private joints = false;
  private chosen: Chosen[] = [];
  private shown = '';          // solver in the picture
  private edited = false;      // by hand
  private expected?: number[][];  // velocities after the step, where the frame tells them
  private playing = 0;

  private readonly look: Look;
  private readonly drawer: Lane;
  private readonly convergence = new Convergence();
  private readonly results = new Results({add: (solver) => this.add(solver), remove: (solver) => this.remove(solver), show: (solver) => this.pick(solver)});
  private readonly sliders = new Sliders(() => this.slid());
  private readonly editor = new Text((text) => this.use(as_lines(text), true), () => this.save());
  private readonly choice = h('select', {'aria-label': 'Problem'});
  private readonly title = h('h2');
  private readonly words = h('p', {class: 'lesson-words'});
  private readonly by_hand = h('p', {class: 'by-hand'});
  private readonly found = h('p', {class: 'found', role: 'status'});
  private readonly again = button('Start again', () => this.open(this.example), {title: 'The numbers as they were at first'});
  private readonly walk = h('input', {type: 'range', min: 0, max: 0, step: 1, 'aria-label': 'Iterate'});
  private readonly walk_words = h('output');
  private readonly play = button('▶', () => this.toggle(), {'aria-label': 'Play the iterates', title: 'Play the iterates'});
  private readonly frames = h('input', {type: 'range', min: 0, max: 0, step: 1, 'aria-label': 'Frame'});
  private readonly frames_label = h('label', {class: 'frames', hidden: true}, h('span', {}, 'Frame'), this.frames, h('output'));
  private readonly wrong = h('p', {class: 'notice', role: 'alert', hidden: true});

  constructor(private readonly start: Start, given: Example[]) {
    this.list = offered(given);
    this.look = new Look(this.wrong);
    const hand = new Hand(this.look.stage, (pane) => this.look.panes[pane]?.bodies, () => {}, (pane, body) => this.look.hover(pane, body), (x, y) => this.look.click(x, y));
    hand.only_looks = true;
    this.drawer = new Lane(start, (job, answer) => this.opened(job, answer));
    this.build();
    this.example = this.list[0];
    this.follow_address();
    addEventListener('hashchange', () => this.follow_address());  // a person has changed it
    Object.assign(window, {perpend: {...this.look.tested(), found: () => this.found.textContent,
                                     curves: () => this.chosen.map(({solver, solved, busy}) => ({solver, busy, errors: [...solved?.errors ?? []], own: [...solved?.own ?? []]}))}});
  }

  private build() {
    const groups = new Map<string, Example[]>();
    for (const example of this.list) groups.set(example.group, [...groups.get(example.group) ?? [], example]);
    this.choice.append(...[...groups].map(([label, some]) => h('optgroup', {label}, some.map(({name, title}) => h('option', {value: name}, title)))));
    this.choice.addEventListener('change', () => this.open(this.list.find(({name}) => name === this.choice.value)!));
    const field = (label: string, value: string, set: (value: number) => void, good: (value: number) => boolean) => {
      const input = h('input', {type: 'text', inputmode: 'decimal', value, size: 6});
      input.addEventListener('change', () => {
        if (!good(Number(input.value))) return void (input.value = value);
        value = input.value;
        set(Number(value));
        this.solve_all();
      });
      return h('label', {}, h('span', {}, label), input);
    };
    this.walk.addEventListener('input', () => {
      this.stop();
      this.walk_to(Number(this.walk.value));
    });
    this.frames.addEventListener('input', () => {
      this.frame = Number(this.frames.value);
      this.editor.show(lines_of(this.text)[this.frame]);
      this.run();
    });
    this.look.drawn = new Drawn(true, () => this.look.show());
    const app = document.querySelector('#app')!;
    app.className = 'playground';
    app.replaceChildren(
        h('header', {class: 'top'}, h('h1', {}, 'Contact playground'),
          h('label', {class: 'example'}, h('span', {}, 'Problem'), this.choice),
          h('p', {}, 'Change the numbers, add solvers, watch them converge.')),
        h('aside', {class: 'lesson', 'aria-label': 'The problem'}, this.title, this.words, this.frames_label, this.sliders.element,
          h('div', {class: 'answers', 'aria-live': 'polite'}, this.by_hand, this.found), h('div', {class: 'hand'}, this.again), this.editor.element,
          part('Draw', false, this.look.drawn.element), this.look.inspect_part, this.look.graphs_part, part('Licences', false, ...licences()),
          h('p', {class: 'colophon'}, 'All of Perpend’s solvers run in this page; nothing is sent anywhere. Copy the address to share what you see.')),
        this.look.element,
        h('section', {class: 'solving', 'aria-label': 'Solvers'}, this.convergence.element,
          h('div', {class: 'numbers-side'},
            h('div', {class: 'walk'}, this.play, this.walk, this.walk_words), this.results.element,
            h('div', {class: 'limits'}, field('Iterations at most', `${this.limit}`, (value) => { this.limit = value; }, (value) => value >= 1 && value <= 1e5),
              field('Tolerance, m/s', '1e-8', (value) => { this.tolerance = value; }, (value) => value >= 1e-14 && value <= 1)))));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void this.dropped(file);
    });
  }

  private follow_address() {
    const {example, solvers, values} = read_address();
    for (const {lane} of this.chosen) lane.close();
    this.chosen = [];
    for (const solver of (solvers.length ? solvers : FIRST).slice(0, MOST)) this.choose(solver);
    this.shown = this.chosen.at(-1)!.solver;
    this.open(this.list.find(({name}) => name === example) ?? this.list[0], values);
  }

  // ---- problems ----

  private open(example: Example, values = {}) {
    this.example = example;
    this.choice.value = example.name;
    this.edited = false;
    this.show_example(example.title, example.words);
    this.scene_bodies = -1;
    if (example.template) {
      this.sliders.show(example.template, values);
      this.slid();
    } else {
      this.sliders.hide();
      this.use(example.text ?? '', false);
    }
  }
  private show_example(title: string, words: string) {
    this.title.textContent = title;
    this.words.textContent = words;
    this.look.canvas.setAttribute('aria-label', `Picture of the problem: ${title}`);
    document.title = `${title} · Perpend playground`;
  }
  private slid() {
    const {template} = this.example;
    if (!template) return;
    this.edited = false;
    this.by_hand.textContent = template.by_hand(this.sliders.values);
    this.use(template.frame(this.sliders.values), false);
  }
  // JSON lines; `edited`: a person wrote them.
  private use(text: string, edited: boolean) {
    this.edited = edited;
    this.text = text;
    const lines = lines_of(text);
    this.frame = 0;
    this.frames.max = `${Math.max(lines.length - 1, 0)}`;
    this.frames.value = '0';
    this.frames_label.hidden = lines.length < 2;
    if (!edited) this.editor.show(lines[0] ?? '');
    if (edited || !this.example.template) this.by_hand.textContent = '';
    this.again.hidden = !this.example.template && !edited;
    this.run();
  }
  private async dropped(file: File) {
    const text = await file.text();
    if (text.startsWith('\u0089HDF') || text.includes('\u0000'))
      return this.complain(`${file.name} does not hold JSON lines: perpend convert ${file.name} frames.jsonl makes them`);
    this.example = {name: '', group: '', title: file.name, words: 'Your file.', text};
    this.show_example(file.name, 'Frames of your file. Choose solvers and see how they converge.');
    this.choice.value = '';
    this.sliders.hide();
    this.scene_bodies = -1;
    this.use(text, false);
  }
  private save() {
    const link = h('a', {href: URL.createObjectURL(new Blob([this.text + '\n'], {type: 'application/jsonl'})), download: `${this.example.name || 'problem'}.jsonl`});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  private complain(words: string) {
    this.wrong.textContent = words;
    this.wrong.hidden = words === '' || this.edited;  // the editor says it
    this.editor.complain(words);
  }

  private run() {
    ++this.number;
    this.stop();
    for (const one of this.chosen) one.busy = true;
    (this.frames_label.querySelector('output') as HTMLElement).textContent = `${this.frame + 1} of ${Number(this.frames.max) + 1}`;
    this.drawer.run({number: this.number, text: this.drawable(), frame: this.frame});
  }
  private drawable() {
    const lines = lines_of(this.text);
    return lines.some((line) => line.includes('"model"')) ? this.text : lines.map(with_shapes).join('\n');
  }

  // The problem as the module has read it.
  private opened(job: Job, {recording, frame, wrong}: Answer) {
    if (job.number !== this.number) return;
    this.complain(wrong ?? '');
    if (wrong || !recording || !frame) {
      for (const one of this.chosen) one.busy = false;
      return;
    }
    const told = JSON.parse(recording.json), [scene]: Scene[] = JSON.parse(recording.scenes), [about] = JSON.parse(frame.json);
    this.state = states_of(frame)[0];
    const {look} = this, joints = about.joint_rows > 0;
    if (look.divide(1)) this.scene_bodies = -1;
    look.panes[0].show_scene(scene, this.state.run);
    if (scene.bodies.length !== this.scene_bodies) {
      this.scene_bodies = scene.bodies.length;
      look.inspect.show_scene(scene);
      look.frame();
      look.stage.turn(0, 0, this.example.template?.distance ?? 1);
    }
    if (this.methods.length === 0 || joints !== this.joints) {
      this.methods = told.solvers;
      this.joints = joints;
      this.results.offer(this.methods, joints);
    }
    for (const {solver} of [...this.chosen]) if (!this.methods.some(({name}) => name === solver)) this.forget(solver);  // of the address
    this.expected = undefined;
    if (!this.example.template) this.show_sample(lines_of(this.text)[this.frame]);
    this.draw();
    this.solve_all();
  }
  // Sample frames tell how their answer was found.
  private show_sample(line: string) {
    const {name, derivation, expected} = JSON.parse(line);
    this.expected = derivation && expected?.velocities_plus;
    if (lines_of(this.text).length > 1 && name) this.title.textContent = name;
    this.by_hand.textContent = derivation ?? '';
  }

  // ---- solvers ----

  private choose(solver: string) {
    if (this.chosen.some((one) => one.solver === solver) || this.chosen.length >= MOST) return;
    const used = this.chosen.map(({colour}) => colour);
    let colour = 1;
    while (used.includes(colour) && colour < COLOURS) ++colour;
    const one: Chosen = {solver, colour, busy: false, lane: new Lane(this.start, (job, answer) => this.solved(one, job, answer))};
    one.lane.iterate = (iterate) => {
      if (this.chosen.includes(one) && one.solved) {
        one.iterate = iterate;
        this.draw();
      }
    };
    this.chosen.push(one);
  }
  private forget(solver: string) {
    this.chosen.find((one) => one.solver === solver)?.lane.close();
    this.chosen = this.chosen.filter((one) => one.solver !== solver);
    if (this.chosen.length === 0) this.choose('ncp/auto');
    if (!this.chosen.some((one) => one.solver === this.shown)) this.shown = this.chosen[0].solver;
  }
  private add(solver: string) {
    this.choose(solver);
    this.solve(this.chosen.at(-1)!);
    this.pick(solver);
  }
  private remove(solver: string) {
    this.forget(solver);
    this.pick(this.shown);
  }
  private pick(solver: string) {
    this.stop();
    this.shown = solver;
    this.show_results();
    this.draw();
  }
  private solve_all() {
    for (const one of this.chosen) this.solve(one);
    this.show_results();
  }
  private solve(one: Chosen) {
    if (!this.state) return;
    one.busy = true;
    one.lane.run({number: this.number, text: this.drawable(), frame: this.frame,
                  solve: {solver: one.solver, iterations: this.limit, tolerance: this.tolerance}});
  }
  private solved(one: Chosen, job: Job, {solved, wrong}: Answer) {
    if (job.number !== this.number) return;
    one.busy = false;
    one.solved = solved;
    one.iterate = undefined;
    one.outcome = solved ? outcome_of(solved) : {status: 'failed', message: wrong ?? '', path: '', iterations: 0, milliseconds: 0};
    this.show_results();
    if (one.solver === this.shown) this.draw();
  }
  private show_results() {
    this.results.show(this.chosen.map(({solver, colour, outcome, busy}) => ({solver, colour, outcome, busy, shown: solver === this.shown})));
    this.show_curves();
    if (this.example.name)
      write_address({example: this.example.name, solvers: this.chosen.map(({solver}) => solver), values: this.example.template && !this.edited ? this.sliders.values : {}});
  }
  private show_curves() {
    this.convergence.show(this.chosen.map(({solver, colour, solved, iterate}) => (
      {solver, colour, points: solved, shown: solver === this.shown, at: iterate?.point})), this.tolerance);
  }

  // ---- what is seen of the solver that is shown ----

  private current() { return this.chosen.find(({solver}) => solver === this.shown); }
  private draw() {
    const one = this.current(), {state} = this, pane = this.look.panes[0];
    if (!state || !one || !pane) return;
    const {solved, outcome} = one, fits = solved && solved.forces.length === state.forces.length;
    const seen = fits ? one.iterate ?? solved : undefined;
    pane.state = seen ? {...state, forces: seen.forces, errors: seen.contact_errors, modes: seen.modes} : state;
    const points = solved?.iterations.length ?? 0, at = one.iterate?.point ?? points - 1;
    this.walk.max = `${Math.max(points - 1, 0)}`;
    this.walk.value = `${at}`;
    this.walk.disabled = this.play.disabled = points < 2;
    this.walk_words.textContent = solved && points > 0 ? `iteration ${solved.iterations[at]}, error ${digits(solved.errors[at])} m/s` : 'no iterations';
    pane.show_title(!solved ? one.solver : one.iterate && at < points - 1 ? `${one.solver}, iteration ${one.iterate.iteration}` :
        `${one.solver}: ${outcome!.status.replaceAll('_', ' ')}`);
    const {template} = this.example;
    this.found.textContent = '';
    if (template && !this.edited && seen && seen.velocities.length > 0) {
      const list = [...state.pairs], found: Found = {velocities: triples(seen.velocities, 6), forces: triples(seen.forces, 3),
        pairs: triples(seen.forces, 3).map((_, i) => [list[2 * i], list[2 * i + 1]])};
      this.found.replaceChildren(h('b', {}, `${one.solver}: `), `${template.found(found, this.sliders.values)}.`);
    } else if (this.expected && seen) {
      const known = this.expected.flat(), apart = Math.max(...known.map((value, i) => Math.abs(value - seen.velocities[i])));
      if (known.length === seen.velocities.length)
        this.found.replaceChildren(h('b', {}, `${one.solver}: `), apart < 1e-6 ? 'the velocities after the step are these.' :
            `the velocities after the step differ from these by up to ${short(apart)}.`);
    }
    if (this.by_hand.textContent && !this.by_hand.querySelector('b')) this.by_hand.prepend(h('b', {}, 'By hand: '));
    this.show_curves();
    this.look.show();
  }

  private walk_to(point: number) { this.current()?.lane.show(point); }
  private stop() {
    clearInterval(this.playing);
    this.playing = 0;
    this.play.textContent = '▶';
    this.play.setAttribute('aria-label', 'Play the iterates');
  }
  private toggle() {
    if (this.playing) return this.stop();
    const last = Number(this.walk.max);
    let at = Number(this.walk.value) >= last ? -1 : Number(this.walk.value);
    const by = Math.max(1, Math.ceil(last / 60));  // six seconds at most
    this.play.textContent = '❚❚';
    this.play.setAttribute('aria-label', 'Pause');
    this.playing = window.setInterval(() => {
      at = Math.min(at + by, last);
      this.walk_to(at);
      if (at === last) this.stop();
    }, 100);
  }
}
