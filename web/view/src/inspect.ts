// The numbers of a body or contact that was chosen: by a click, or with the list and the buttons.
import * as three from 'three';
import {button, h} from '../../report/src/dom';
import {MODE_NAMES} from './contacts';
import type {State} from './messages';
import type {Chosen, Pane} from './pane';
import {Numbers} from './panel';
import {digits} from './pen';
import {moves, type Scene} from './scene';

const name_of = (scene: Scene, body: number) =>
    scene.bodies[body] ? scene.bodies[body].name || `body ${body}` : 'a body that is not drawn';
const three_of = (list: Float32Array | undefined, at: number) =>
    list && list.length >= at + 3 ? [...list.subarray(at, at + 3)].map(digits).join(', ') : '–';

export class Inspect {
  readonly element: HTMLElement;
  chosen?: Chosen;
  private followed?: {pair: [number, number]; point: three.Vector3};  // of a contact, from state to state
  private readonly title = h('p', {class: 'chosen', 'aria-live': 'polite'}, 'Nothing is chosen.');
  private numbers = new Numbers();
  private readonly place = h('div', {}, this.numbers.element);
  private readonly bodies = h('select');

  constructor(private readonly panes: () => Pane[], private readonly changed: () => void) {
    this.bodies.addEventListener('change', () => this.choose(
        this.bodies.value === '' ? undefined : {pane: this.chosen?.pane ?? 0, body: Number(this.bodies.value)}));
    this.element = h('div', {class: 'inspect'},
        h('div', {class: 'tools'}, h('label', {}, h('span', {class: 'hidden'}, 'Body to look at'), this.bodies),
          button('◀ Contact', () => this.walk(-1), {'aria-label': 'Contact before'}),
          button('Contact ▶', () => this.walk(1), {'aria-label': 'Next contact'}),
          button('Worst', () => this.worst(), {title: 'The contact with the largest error', 'aria-label': 'Worst contact'})),
        this.title, this.place);
  }

  show_scene(scene: Scene) {
    this.bodies.replaceChildren(h('option', {value: ''}, 'no body'),
        ...scene.bodies.map((_, i) => h('option', {value: i}, name_of(scene, i))));
    this.choose(undefined);
  }

  choose(chosen: Chosen | undefined) {
    this.chosen = chosen;
    this.followed = undefined;
    this.bodies.value = chosen?.body === undefined ? '' : `${chosen.body}`;
    this.numbers = new Numbers();
    this.place.replaceChildren(this.numbers.element);
    this.changed();
  }

  private pane() { return this.panes()[this.chosen?.pane ?? 0]; }

  // Over the contacts of the chosen body, or over all.
  private walk(by: number) {
    const state = this.pane()?.state, {body, contact} = this.chosen ?? {};
    if (!state) return;
    const some = [...state.frictions.keys()].filter((i) =>
        body === undefined || state.pairs[2 * i] === body || state.pairs[2 * i + 1] === body);
    if (some.length === 0) return;
    const at = contact === undefined ? -1 : some.indexOf(contact);
    const next = at < 0 ? (by > 0 ? 0 : some.length - 1) : (at + by + some.length) % some.length;
    this.choose({pane: this.chosen?.pane ?? 0, body, contact: some[next]});
  }
  private worst() {
    const state = this.pane()?.state;
    if (!state || state.frictions.length === 0) return;
    let worst = 0;
    state.errors.forEach((error, i) => { if (error > state.errors[worst]) worst = i; });
    this.choose({pane: this.chosen?.pane ?? 0, contact: worst});
  }

  // A contact keeps its bodies and moves little, but its place in the list may change.
  private follow(state: State) {
    const {chosen} = this;
    if (chosen?.contact === undefined) return;
    if (this.followed) {
      let best: number | undefined, least = Infinity;
      for (const i of state.frictions.keys()) {
        if (state.pairs[2 * i] !== this.followed.pair[0] || state.pairs[2 * i + 1] !== this.followed.pair[1]) continue;
        const far = this.followed.point.distanceTo(new three.Vector3().fromArray(state.points, 3 * i));
        if (far < least) [best, least] = [i, far];
      }
      if (best === undefined) return this.choose(undefined);
      chosen.contact = best;
    }
    const i = chosen.contact;
    if (i >= state.frictions.length) return this.choose(undefined);
    this.followed = {pair: [state.pairs[2 * i], state.pairs[2 * i + 1]],
                     point: new three.Vector3().fromArray(state.points, 3 * i)};
  }

  // Before panes draw: which contact it is now.
  update() {
    const state = this.pane()?.state;
    if (state) this.follow(state);
  }

  show() {
    const pane = this.pane(), {state, bodies} = pane ?? {}, {chosen} = this;
    if (!state || !bodies) return;
    const where = this.panes().length > 1 ? ` in pane ${(chosen?.pane ?? 0) + 1}` : '', {scene} = bodies;
    if (chosen?.contact !== undefined) this.show_contact(state, scene, chosen.contact, where);
    else if (chosen?.body !== undefined) this.show_body(state, scene, chosen.body, where);
    else this.title.textContent = 'Nothing is chosen.';
  }

  private show_contact(state: State, scene: Scene, i: number, where: string) {
    const [first, second] = [state.pairs[2 * i], state.pairs[2 * i + 1]], mu = state.frictions[i];
    const normal = new three.Vector3().fromArray(state.normals, 3 * i), force = new three.Vector3().fromArray(state.forces, 3 * i);
    const pushes = force.dot(normal), friction = force.clone().addScaledVector(normal, -pushes).length();
    this.title.textContent = `Contact ${i} of ${name_of(scene, first)} and ${name_of(scene, second)}${where}`;
    this.numbers.show({
      State: MODE_NAMES[state.modes[i]]?.name ?? '–', Error: state.errors[i] >= 0 ? `${digits(state.errors[i])} m/s` : '–',
      'Normal force': `${digits(pushes)} N`, Friction: `${digits(friction)} N`,
      'Coefficient': digits(mu), 'Of the cone': mu * pushes > 0 ? `${(100 * friction / (mu * pushes)).toFixed(1)} %` : '–',
      Gap: state.gaps.length > i ? `${digits(state.gaps[i])} m` : '–',
      Point: `${three_of(state.points, 3 * i)} m`, Normal: three_of(state.normals, 3 * i),
      Force: `${three_of(state.forces, 3 * i)} N`});
  }

  private show_body(state: State, scene: Scene, i: number, where: string) {
    const body = scene.bodies[i], touching = [...state.frictions.keys()].filter((k) =>
        state.pairs[2 * k] === i || state.pairs[2 * k + 1] === i);
    const sum = new three.Vector3();
    for (const k of touching)
      sum.addScaledVector(new three.Vector3().fromArray(state.forces, 3 * k), state.pairs[2 * k + 1] === i ? 1 : -1);
    const worst = Math.max(-1, ...touching.map((k) => state.errors[k] ?? -1));
    this.title.textContent = `${name_of(scene, i)}, ${body.shape.type}${where}`;
    this.numbers.show({
      Mass: moves(body) ? `${digits(body.mass!)} kg` : 'fixed', Contacts: `${touching.length}`,
      'Worst error': worst >= 0 ? `${digits(worst)} m/s` : '–', 'Friction': digits(body.mu ?? 0.5),
      Position: `${three_of(state.poses, 7 * i)} m`, Velocity: `${three_of(state.velocities, 6 * i)} m/s`,
      Turning: `${three_of(state.velocities, 6 * i + 3)} rad/s`,
      'Contact force': `${three_of(new Float32Array(sum.toArray()), 0)} N`});
  }
}
