// Recordings instead of a run: one or two of them beside each other, over one timeline.
import * as three from 'three';
import {button, h} from '../../report/src/dom';
import {Bodies} from './bodies';
import {Arrows, Contacts} from './contacts';
import type {Frame, FromProgram, Recording, State, ToProgram} from './messages';
import {Drawn, Numbers} from './panel';
import {digits, Timeline} from './recording_timeline';
import {Solving} from './recording_solve';
import {moves, type Scene} from './scene';
import {Stage, still} from './stage';

interface About { file: string; engine: string; engine_version: string; scene: string; frames: number; shapes: string; bodies: number; joints: number }
interface Told { time: number; step: number; bodies: number; contacts: number; joint_rows: number; iterations: number; answered: string; recorded: boolean; errors: Record<string, number> }

const FAR = -1e5;  // m: where bodies are that a frame lacks

// One recording: a picture with bodies and contacts.
class Pane {
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly bodies: Bodies;
  private readonly contacts = new Contacts();
  private readonly difference: Arrows;
  private readonly name = h('output', {class: 'name'});
  private readonly weight: number;

  constructor(readonly scene: Scene, title: string) {
    const canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': `The recording ${title}`});
    this.element = h('div', {class: 'stage'}, canvas, this.name, h('span', {class: 'pane-title'}, title));
    this.stage = new Stage(canvas);
    this.bodies = new Bodies(scene);
    this.difference = new Arrows(this.contacts.group, '#e07b00', 14);
    this.stage.scene.add(this.bodies.group, this.contacts.group);
    this.stage.before.push(() => this.bodies.clear_view(this.stage.camera));
    const masses = scene.bodies.filter(moves).map(({mass}) => mass!).sort((a, b) => a - b);
    this.weight = 9.81 * (masses[masses.length >> 1] ?? 1);
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons !== 0) return;
      const picked = this.bodies.pick(this.stage.ray(event.clientX, event.clientY));
      this.name.textContent = picked ? scene.bodies[picked.body].name : '';
    });
  }

  show(frame: Frame, place: {body: number; bodies: number; contact: number; contacts: number; joint: number},
       drawn: Drawn, solving?: Solving) {
    const {body, bodies, contact, contacts} = place;
    const poses = frame.poses.slice(7 * body, 7 * (body + bodies));
    for (let i = 0; i < bodies; ++i) if (!frame.there[body + i]) poses.set([0, 0, FAR, 0, 0, 0, 1], 7 * i);
    const joints = (this.scene.joints ?? []).length;
    this.bodies.update(poses, frame.cut.subarray(place.joint, place.joint + joints));
    this.bodies.see_through(drawn.shown.glass);
    const part = <T extends Float32Array | Uint32Array | Uint8Array>(list: T, width: number) =>
        list.subarray(width * contact, width * (contact + contacts)) as T;
    const recorded = part(frame.forces, 3), forces = solving?.forces ?? recorded;
    const state = {points: part(frame.points, 3), normals: part(frame.normals, 3), forces, pairs: part(frame.pairs, 2),
                   frictions: part(frame.frictions, 1), modes: part(frame.modes, 1),
                   errors: new Float32Array(contacts)};  // of single contacts: not known
    this.contacts.show(state as unknown as State, drawn.shown, this.bodies.size, this.weight);
    const from: three.Vector3[] = [], along: three.Vector3[] = [];
    if (solving?.shows_difference)
      for (let i = 0; i < contacts; ++i) {
        const change = new three.Vector3().fromArray(forces, 3 * i).sub(new three.Vector3().fromArray(recorded, 3 * i));
        const size = change.length() / this.weight;
        if (size < 1e-9) continue;
        from.push(new three.Vector3().fromArray(state.points, 3 * i));
        // A difference of a thousandth of a weight is still seen.
        along.push(change.setLength(this.bodies.size * Math.max(0.15, 1.5 * (size > 1 ? Math.sqrt(size) : size))));
      }
    this.difference.show(from, along, 0.04 * this.bodies.size);
    this.stage.draw();
  }
}

export class Recordings {
  private panes: Pane[] = [];
  private frame?: Frame;
  private wanted = 0;        // frame asked for
  private waits = false;     // for an answer
  private playing = false;
  private begun = 0;         // of playing: clock and time of the recording, s
  private from = 0;
  private speed = 1;
  private drawn!: Drawn;
  private solving!: Solving;
  private readonly numbers = new Numbers();
  private readonly timeline = new Timeline((frame) => this.go(frame));
  private readonly play = button('▶ Play', () => this.toggle(), {class: 'main', 'aria-keyshortcuts': 'Space'});
  private about: About[] = [];

  constructor(private readonly send: (message: ToProgram) => void,
              private readonly parts: {banner: HTMLElement; notice: HTMLElement; help: HTMLDialogElement}) {}

  get active() { return this.panes.length > 0; }

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
    this.panes = scenes.map((scene, i) => new Pane(scene, this.about[i].file));
    this.solving = new Solving(told.solvers, this.about.some(({joints}) => joints > 0), this.about.map(({file}) => file),
                               this.send, () => this.draw());
    this.drawn = new Drawn(true, () => this.draw());
    const [first] = this.about, names = this.about.map(({file}) => file).join(' and ');
    document.title = `${names} · Perpend`;
    const speed = h('select', {}, ['0.1', '0.25', '0.5', '1', '2', '5'].map((factor) =>
        h('option', {value: factor, selected: factor === '1'}, `${factor} ×`)));
    speed.addEventListener('change', () => {
      this.speed = Number(speed.value);
      this.start();
    });
    const part = (label: string, ...children: Node[]) => h('details', {open: true}, h('summary', {}, label), ...children);
    const buttons = h('div', {class: 'buttons', role: 'toolbar', 'aria-label': 'Recording'},
        button('◀ Back', () => this.step(-1), {title: 'One frame back (←)', 'aria-keyshortcuts': 'ArrowLeft'}), this.play,
        button('Next ▶', () => this.step(1), {title: 'One frame on (→)', 'aria-keyshortcuts': 'ArrowRight'}),
        button('Worst', () => this.timeline.next_worst(1), {title: 'The frame with the largest error, then the next (W, Shift+W)', 'aria-keyshortcuts': 'W'}),
        this.about.length > 1 && button('Difference', () => this.difference(), {title: 'The first difference (D)', 'aria-keyshortcuts': 'D'}),
        h('label', {}, h('span', {class: 'hidden'}, 'Speed'), speed),
        button('?', () => this.parts.help.showModal(), {title: 'Keys and licences (?)', 'aria-label': 'Keys and licences'}));
    const lead = this.about.map(({file, engine, engine_version: version, frames, shapes}) => `${file}: ${frames} frames of ${engine}` +
        `${version ? ` ${version}` : ''}${shapes ? '' : '; it has no shapes, bodies are drawn as frames'}`).join(' · ');
    document.querySelector('#app')!.replaceChildren(
        h('main', {class: 'recordings'}, h('div', {class: 'panes'}, this.panes.map(({element}) => element)),
          this.parts.banner, this.parts.notice, this.timeline.element, buttons),
        h('aside', {class: 'panel', 'aria-label': 'The frame'},
          h('header', {}, h('h1', {}, first.scene), h('p', {class: 'lead'}, lead)), this.numbers.element,
          part('Solve again', this.solving.element), part('Draw', this.drawn.element),
          part('Save this frame', h('div', {class: 'hand'}, (['h5', 'jsonl'] as const).map((form) =>
              button(form === 'h5' ? 'As a standard file' : 'As a JSON line', () => this.send(
                  {kind: 'save_frame', recording: this.solving.recording, frame: this.wanted, form})))))),
        this.parts.help);
    for (const pane of this.panes) pane.stage.look(pane.bodies.box);
    if (this.panes.length > 1) this.look_alike();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      for (const {bodies, stage} of this.panes) {
        bodies.dye();
        stage.dye();
      }
    });
    const [{stage}] = this.panes;
    Object.assign((window as any).perpend, {
      state: () => this.frame,
      frames: () => stage.frames,
      errors: () => this.timeline.frames > 0 && this.timeline.errors(0),
      solved: () => this.solving.solved,
      forces: () => this.solving.forces,
      project: (x: number, y: number, z: number) => {
        const {left, top, width, height} = stage.canvas.getBoundingClientRect();
        stage.camera.updateMatrixWorld();
        const seen = new three.Vector3(x, y, z).project(stage.camera);
        return [left + (seen.x + 1) / 2 * width, top + (1 - seen.y) / 2 * height];
      },
    });
  }

  // Who turns one picture turns the other.
  private look_alike() {
    let copying = false;
    for (const pane of this.panes)
      pane.stage.orbit.addEventListener('change', () => {
        if (copying) return;
        copying = true;
        for (const other of this.panes) {
          if (other === pane) continue;
          other.stage.camera.position.copy(pane.stage.camera.position);
          other.stage.orbit.target.copy(pane.stage.orbit.target);
          other.stage.orbit.update();
          other.stage.draw();
        }
        copying = false;
      });
  }

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
    if (first && !still.matches && location.hash !== '#paused') this.toggle();
  }

  private draw() {
    const {frame} = this;
    if (!frame) return;
    let body = 0, contact = 0, joint = 0;
    this.panes.forEach((pane, i) => {
      const bodies = frame.bodies[i], contacts = frame.contacts[i];
      pane.show(frame, {body, bodies, contact, contacts, joint}, this.drawn, this.solving.recording === i ? this.solving : undefined);
      body += bodies;
      contact += contacts;
      joint += (pane.scene.joints ?? []).length;
    });
    const told: Told[] = JSON.parse(frame.json);
    const list = (value: (one: Told) => string) => [...new Set(told.map(value))].join(' | ');
    this.numbers.show({Frame: `${frame.frame}`, Time: `${told[0].time.toFixed(3)} s`,
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
      f: () => this.panes.forEach(({stage, bodies}) => stage.look(bodies.box)),
      '+': () => this.panes[0].stage.turn(0, 0, 0.9), '-': () => this.panes[0].stage.turn(0, 0, 1.1),
      '?': () => this.parts.help.showModal(),
    };
    return keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  }
  get stages() { return this.panes.map(({stage}) => stage); }
}
