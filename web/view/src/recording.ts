// Recordings instead of a run: one or two of them beside each other, over one timeline.
import {button, h} from '../../report/src/dom';
import {type Look, part, states_of} from './look';
import type {Frame, FromProgram, Recording, ToProgram} from './messages';
import {Drawn, Numbers} from './panel';
import {digits, Timeline} from './recording_timeline';
import {Solving} from './recording_solve';
import {moves, type Scene} from './scene';
import {still} from './stage';

interface About { file: string; engine: string; engine_version: string; scene: string; frames: number; numbers: number[]; solvable: boolean; forms: string[]; shapes: string; bodies: number; joints: number }
interface Told { title: string; time: number; step: number; bodies: number; contacts: number; joint_rows: number; iterations: number; answered: string; recorded: boolean; errors: Record<string, number> }

export class Recordings {
  private frame?: Frame;
  private wanted = 0;        // frame asked for
  private waits = false;     // for an answer
  private playing = false;
  private begun = 0;         // of playing: clock and time of the recording, s
  private from = 0;
  private speed = 1;
  private solving!: Solving;
  private readonly numbers = new Numbers();
  private readonly timeline = new Timeline((frame) => this.go(frame));
  private readonly play = button('▶ Play', () => this.toggle(), {class: 'main', 'aria-keyshortcuts': 'Space'});
  private about: About[] = [];
  private link?: {frame?: number; solver?: string};  // of the address, until it is followed

  // `opened` is called when there are recordings, before they are shown.
  constructor(private readonly send: (message: ToProgram) => void, private readonly look: Look,
              private readonly help: HTMLDialogElement, private readonly opened: () => void) {}

  get active() { return this.about.length > 0; }

  // True: the message was for recordings.
  heard(message: FromProgram): boolean {
    switch (message.kind) {
      case 'recording': this.open(message); return true;
      case 'timeline': this.timeline.show(message); return true;
      case 'frame': this.show(message); return true;
      case 'solved': this.solving.show(message); return true;
      case 'iterate': this.solving.show_iterate(message); return true;
      default: return false;
    }
  }

  private open(message: Recording) {
    if (this.active) {  // a connection that came back
      this.waits = false;
      return this.ask();
    }
    const told = JSON.parse(message.json), scenes: Scene[] = JSON.parse(message.scenes);
    this.about = told.recordings;
    this.opened();
    this.read_link();
    addEventListener('hashchange', () => {
      this.read_link();
      this.follow_link();
    });
    const {look} = this, {panes, inspect} = look;
    look.divide(scenes.length);
    scenes.forEach((scene, i) => {
      panes[i].show_scene(scene, 0);
      panes[i].show_title(this.about[i].file);
    });
    inspect.show_scene(scenes[0]);
    look.canvas.setAttribute('aria-label', `The recording ${this.about.map(({file}) => file).join(' and ')}`);
    look.drawn = new Drawn(scenes.every(({bodies}) => bodies.filter(moves).length <= 40), () => look.show());
    this.solving = new Solving(told.solvers, this.about.some(({joints}) => joints > 0), this.about.map(({file}) => file),
                               this.send, () => this.draw());
    const [first] = this.about, names = this.about.map(({file}) => file).join(' and ');
    document.title = `${names} · Perpend`;
    const speed = h('select', {}, ['0.1', '0.25', '0.5', '1', '2', '5'].map((factor) =>
        h('option', {value: factor, selected: factor === '1'}, `${factor} ×`)));
    speed.addEventListener('change', () => {
      this.speed = Number(speed.value);
      this.start();
    });
    const buttons = h('div', {class: 'buttons', role: 'toolbar', 'aria-label': 'Recording'},
        button('◀ Back', () => this.step(-1), {title: 'One frame back (←)', 'aria-keyshortcuts': 'ArrowLeft'}), this.play,
        button('Next ▶', () => this.step(1), {title: 'One frame on (→)', 'aria-keyshortcuts': 'ArrowRight'}),
        button('Worst', () => this.timeline.next_worst(1), {title: 'The frame with the largest error, then the next (W, Shift+W)', 'aria-keyshortcuts': 'W'}),
        this.about.length > 1 && button('Difference', () => this.difference(), {title: 'The first difference (D)', 'aria-keyshortcuts': 'D'}),
        h('label', {}, h('span', {class: 'hidden'}, 'Speed'), speed),
        button('?', () => this.help.showModal(), {title: 'Keys and licences (?)', 'aria-label': 'Keys and licences'}));
    const lead = this.about.map(({file, engine, engine_version: version, frames, shapes}) => `${file}: ${frames} frame${frames === 1 ? '' : 's'}` +
        `${engine ? ` of ${engine}` : ''}${version ? ` ${version}` : ''}${shapes ? '' : '; it has no shapes, bodies are drawn as frames'}`).join(' · ');
    document.querySelector('#app')!.replaceChildren(
        h('div', {class: 'recordings'}, look.element, this.timeline.element, buttons),
        h('aside', {class: 'panel', 'aria-label': 'The frame'},
          h('header', {}, h('h1', {}, first.scene), h('p', {class: 'lead'}, lead)), this.numbers.element,
          part('Solve again', true, first.solvable ? this.solving.element :
              h('p', {class: 'lead'}, 'This page has the trajectory only: nothing can be solved again.')),
          look.inspect_part, part('Draw', true, look.drawn.element), look.graphs_part,
          first.forms.length > 0 && part('Save this frame', true, h('div', {class: 'hand'}, first.forms.map((form) =>
              button(form === 'h5' ? 'As a standard file' : 'As a JSON line', () => this.send(
                  {kind: 'save_frame', recording: this.solving.recording, frame: this.wanted, form})))))),
        this.help);
    look.frame();
    Object.assign((window as any).perpend, {
      frame: () => this.frame?.frame,
      errors: () => this.timeline.frames > 0 && this.timeline.errors(0),
      solved: () => this.solving.solved,
      forces: () => this.solving.forces,
    });
  }

  // #frame=K&solver=S: that frame of the file, solved by that solver.
  private read_link() {
    const asked = new URLSearchParams(location.hash.slice(1)), number = Number(asked.get('frame') ?? NaN);
    const {numbers, frames} = this.about[0], frame = numbers.length > 0 ? numbers.indexOf(number) : number < frames ? number : -1;
    this.link = asked.has('frame') || asked.has('solver') ?
        {frame: Number.isInteger(frame) && frame >= 0 ? frame : undefined, solver: asked.get('solver') ?? undefined} : undefined;
  }
  // True: there was one. Its solver waits for its frame.
  private follow_link(): boolean {
    if (!this.link) return false;
    const {frame = this.wanted, solver} = this.link;
    if (this.frame?.frame !== frame) return this.go(frame), true;
    this.link = undefined;
    if (solver && this.about[0].solvable)
      this.solving.choose(solver) ? this.solving.solve() : this.solving.say(`${solver} is not among the solvers of this page.`);
    return true;
  }
  private number(frame: number): number { return this.about[0].numbers[frame] ?? frame; }

  // One frame is asked for at a time; of those wanted meanwhile the last.
  private ask() {
    if (this.waits) return;
    this.waits = true;
    this.send({kind: 'show_frame', frame: this.wanted});
  }
  private go(frame: number, plays = false) {
    if (!plays) this.pause();
    this.wanted = Math.min(Math.max(Math.round(frame), 0), this.timeline.frames - 1);
    this.ask();
  }
  private step(by: number) { this.go(this.wanted + by); }
  private difference() { if (this.timeline.difference >= 0) this.go(this.timeline.difference); }

  private toggle() {
    if (this.playing) return this.pause();
    if (this.wanted >= this.timeline.frames - 1) this.go(0);
    this.playing = true;
    this.play.textContent = '❚❚ Pause';
    this.start();
    const tick = () => {
      if (!this.playing) return;
      const times = this.timeline.times(), now = this.from + this.speed * (performance.now() - this.begun) / 1e3;
      let frame = this.wanted;
      while (frame + 1 < times.length && times[frame + 1] <= now) ++frame;
      if (frame !== this.wanted) this.go(frame, true);
      if (frame >= times.length - 1) return this.pause();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  private start() {
    this.begun = performance.now();
    this.from = this.timeline.times()[this.wanted] ?? 0;
  }
  private pause() {
    this.playing = false;
    this.play.textContent = '▶ Play';
  }

  private show(frame: Frame) {
    this.waits = false;
    const first = !this.frame;
    this.frame = frame;
    if (first) this.wanted = frame.frame;
    this.solving.at(frame.frame);
    this.timeline.move(frame.frame);
    this.draw();
    if (this.wanted !== frame.frame) this.ask();
    if (this.follow_link()) return;
    if (first && !still.matches && location.hash !== '#paused' && this.timeline.frames > 1) this.toggle();
  }

  private draw() {
    const {frame} = this;
    if (!frame) return;
    states_of(frame).forEach((state, i) => {
      const pane = this.look.panes[i], solved = this.solving.recording === i ? this.solving.forces : undefined;
      pane.state = solved ? {...state, forces: solved, errors: this.solving.errors ?? state.errors} : state;
      pane.show_arrows(solved && this.solving.shows_difference ? solved.map((force, k) => force - state.forces[k]) : undefined);
    });
    this.look.show();
    const told: Told[] = JSON.parse(frame.json);
    const list = (value: (one: Told) => string) => [...new Set(told.map(value))].join(' | ');
    const title = told[0].title;
    this.numbers.show({Frame: `${this.number(frame.frame)}${title ? ` ${title}` : ''}`, Time: `${told[0].time.toFixed(3)} s`,
                       Contacts: list(({contacts}) => `${contacts}`), Iterations: list(({iterations}) => iterations < 0 ? '–' : `${iterations}`),
                       Error: list(({errors}) => digits(errors.velocity_error ?? NaN)),
                       'Answered by': list(({answered, recorded}) => answered || (recorded ? 'the engine' : 'no answer is recorded'))});
  }

  key(event: KeyboardEvent): (() => void) | undefined {
    const keys: Record<string, () => void> = {
      ' ': () => this.toggle(), ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), r: () => this.go(0),
      Home: () => this.go(0), End: () => this.go(this.timeline.frames - 1),
      PageUp: () => this.step(-10), PageDown: () => this.step(10),
      w: () => this.timeline.next_worst(event.shiftKey ? -1 : 1), d: () => this.difference(), s: () => this.solving.solve(),
      f: () => this.look.frame(),
      '+': () => this.look.stage.turn(0, 0, 0.9), '-': () => this.look.stage.turn(0, 0, 1.1),
      '?': () => this.help.showModal(),
    };
    return keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  }
}
