// One run in its part of the picture: bodies, contacts, the pull of the hand, names, what is chosen.
import * as three from 'three';
import {h} from '../../report/src/dom';
import {Bodies} from './bodies';
import {Arrows, Contacts, type Shown} from './contacts';
import type {State} from './messages';
import {Pull} from './pull';
import {moves, type Scene} from './scene';
import type {Stage} from './stage';

const MOST_NAMES = 120;

export interface Chosen { pane: number; body?: number; contact?: number }

export class Pane {
  readonly element: HTMLElement;
  bodies?: Bodies;
  state?: State;
  private run = 0;
  private weight = 1;  // N, of a typical body
  private readonly contacts = new Contacts();
  private readonly arrows = new Arrows(this.contacts.group, '#e07b00', 14);
  private readonly pull: Pull;
  private readonly title = h('output', {class: 'title'});
  private readonly names = h('div', {class: 'names', 'aria-hidden': true});
  private readonly frame = new three.LineSegments(new three.BufferGeometry(),
      new three.LineBasicMaterial({color: '#d1361f', depthTest: false, transparent: true}));
  private chosen?: Chosen;

  constructor(private readonly stage: Stage, readonly number: number) {
    this.pull = new Pull(stage, number);
    this.element = h('div', {class: 'pane'}, this.title, this.names, this.pull.label);
    this.frame.renderOrder = 25;
    this.frame.matrixAutoUpdate = false;
    this.frame.visible = false;
    this.frame.frustumCulled = false;
    stage.scenes[number].add(this.contacts.group, this.pull.group, this.frame);
  }

  show_scene(scene: Scene, run: number) {
    this.bodies?.dispose();
    this.bodies = new Bodies(scene);
    this.stage.scenes[this.number].add(this.bodies.group);
    this.run = run;
    const masses = scene.bodies.filter(moves).map(({mass}) => mass!).sort((a, b) => a - b);
    this.weight = 9.81 * (masses[masses.length >> 1] ?? 1);
    this.names.replaceChildren();
  }

  show_title(words: string) {
    this.title.textContent = words;
  }

  // Arrows at the points of the contacts, in newtons; on top of everything.
  show_arrows(along: Float32Array | undefined) {
    const from: three.Vector3[] = [], to: three.Vector3[] = [], {state, bodies} = this;
    for (let i = 0; state && bodies && along && 3 * i < along.length; ++i) {
      const arrow = new three.Vector3().fromArray(along, 3 * i), size = arrow.length() / this.weight;
      if (size < 1e-9) continue;
      from.push(new three.Vector3().fromArray(state.points, 3 * i));
      // A thousandth of a weight is still seen.
      to.push(arrow.setLength(bodies.size * Math.max(0.15, 1.5 * (size > 1 ? Math.sqrt(size) : size))));
    }
    this.arrows.show(from, to, 0.04 * (bodies?.size ?? 1));
  }

  // Draws the state it was given; what does not fit the scene waits for the scene.
  show(shown: Shown & {glass: boolean; names: boolean}, chosen?: Chosen): boolean {
    const {state, bodies} = this;
    if (!state || !bodies || state.run !== this.run) return false;
    bodies.update(state.poses, state.cut);
    bodies.see_through(shown.glass);
    this.contacts.show(state, shown, bodies.size, this.weight);
    this.pull.show(state, bodies.size);
    this.show_chosen(chosen);
    if (shown.names !== this.names.childElementCount > 0) this.make_names(shown.names);
    return true;
  }

  private make_names(on: boolean) {
    const some = this.bodies!.scene.bodies.map((body, i) => ({body, i})).filter(({body}) => moves(body)).slice(0, MOST_NAMES);
    this.names.replaceChildren(...(on ? some : []).map(({body, i}) =>
        h('span', {'data-body': i}, body.name || `body ${i}`)));
  }

  // A frame around the body, a small one around the contact.
  private show_chosen(chosen?: Chosen) {
    const {state, bodies, frame} = this, {body, contact} = chosen ?? {};
    frame.visible = chosen !== undefined && (contact !== undefined || body !== undefined);
    if (!frame.visible || !state || !bodies) return;
    if (chosen !== this.chosen || !this.chosen) {
      frame.geometry.dispose();
      const box = contact !== undefined ? new three.Box3().setFromCenterAndSize(new three.Vector3(),
          new three.Vector3().setScalar(0.5 * bodies.size)) : bodies.own_box(body!);
      const size = box.getSize(new three.Vector3()), middle = box.getCenter(new three.Vector3());
      frame.geometry = new three.EdgesGeometry(new three.BoxGeometry(size.x, size.y, size.z)
          .translate(middle.x, middle.y, middle.z));
    }
    this.chosen = chosen;
    if (contact !== undefined && contact < state.frictions.length)
      frame.matrix.makeTranslation(new three.Vector3().fromArray(state.points, 3 * contact));
    else if (body !== undefined) frame.matrix.copy(bodies.pose(body));
    frame.matrixWorldNeedsUpdate = true;
  }

  // Before each drawing.
  place() {
    const {x, y, width, height} = this.stage.cells()[this.number];
    Object.assign(this.element.style, {left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`});
    this.bodies?.clear_view(this.stage.camera);
    this.pull.place_label();
    const at = new three.Vector3();
    for (const name of this.names.children as HTMLCollectionOf<HTMLElement>) {
      name.hidden = !this.bodies!.is_there(Number(name.dataset.body));
      const [px, py] = this.stage.place(at.setFromMatrixPosition(this.bodies!.pose(Number(name.dataset.body))), this.number);
      name.style.transform = `translate(${px - x}px, ${py - y}px) translate(-50%, -50%)`;
    }
  }

  // The contact whose mark is at this place of the page, within some pixels.
  contact_at(x: number, y: number): number | undefined {
    const {left, top} = this.stage.canvas.getBoundingClientRect(), {state} = this;
    let best: number | undefined, least = 9;
    state?.frictions.forEach((_, i) => {
      const [px, py] = this.stage.place(new three.Vector3().fromArray(state.points, 3 * i), this.number);
      const far = Math.hypot(px + left - x, py + top - y);
      if (far < least) [best, least] = [i, far];
    });
    return best;
  }

  dye() { this.bodies?.dye(); }
  dispose() {
    this.bodies?.dispose();
    this.element.remove();
  }
}
