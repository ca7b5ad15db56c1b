// The picture and what is asked of it, the same for a run and for recordings: panes beside each
// other, what is drawn in them, what is chosen by a click, the contact graph and the matrix.
import {h} from '../../report/src/dom';
import {Graphs} from './graphs';
import {Inspect} from './inspect';
import type {State} from './messages';
import {Pane} from './pane';
import type {Drawn} from './panel';
import {Stage} from './stage';
import {decode} from './wire';

export const part = (label: string, open: boolean, ...children: Node[]) =>
    h('details', {open}, h('summary', {}, label), ...children);

// States that a message has one after the other.
export function states_of({sizes, states}: {sizes: Uint32Array; states: Uint8Array}): State[] {
  let at = 0;
  return [...sizes].map((size) => {
    at += size;
    return decode(states.slice(at - size, at).buffer) as State;
  });
}

export class Look {
  readonly canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': 'The scene'});
  readonly name = h('output', {class: 'name'});
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly panes: Pane[] = [];
  drawn?: Drawn;
  refreshed: (() => void)[] = [];        // after a new state was put into the picture
  chosen: (pane: number) => void = () => {};  // by a click
  readonly inspect = new Inspect(() => this.panes, () => this.show());
  readonly inspect_part = part('Chosen body or contact', false, this.inspect.element);
  readonly graphs_part: HTMLDetailsElement;
  private readonly overlay = h('div', {class: 'overlay'});
  private readonly graphs = new Graphs();
  private stale = false;

  constructor(...above: Node[]) {
    this.element = h('main', {class: 'stage'}, this.canvas, this.overlay, this.name, ...above);
    this.graphs_part = part('Contact graph and matrix', false, this.graphs.element);
    this.graphs_part.addEventListener('toggle', () => this.show());
    this.stage = new Stage(this.canvas);
    this.stage.before.push(() => this.refresh(), () => this.panes.forEach((pane) => pane.place()));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.panes.forEach((pane) => pane.dye());
      this.stage.dye();
    });
  }

  // Into so many panes; true: they are new.
  divide(count: number): boolean {
    if (this.panes.length === count) return false;
    this.stage.divide(count);
    for (const pane of this.panes.splice(0)) pane.dispose();
    for (let k = 0; k < count; ++k) {
      this.panes.push(new Pane(this.stage, k));
      this.overlay.append(this.panes[k].element);
    }
    return true;
  }

  // All that moves.
  frame() {
    const boxes = this.panes.flatMap(({bodies}) => bodies ? [bodies.box] : []);
    if (boxes.length > 0) this.stage.look(boxes.reduce((all, box) => all.union(box), boxes[0].clone()));
  }

  hover(pane: number, body: number | null) {
    this.name.textContent = body === null ? '' : this.panes[pane]?.bodies?.scene.bodies[body]?.name || `body ${body}`;
  }

  // A contact's mark is above the body behind it.
  click(x: number, y: number) {
    const number = this.stage.pane_at(x, y), pane = this.panes[number], shown = this.drawn?.shown;
    if (!pane || !shown) return;
    const contact = shown.points || shown.heat || shown.forces || shown.normals ? pane.contact_at(x, y) : undefined;
    const picked = contact === undefined ? pane.bodies?.pick(this.stage.ray(x, y)) : undefined;
    this.chosen(number);
    if (contact === undefined && !picked) return this.inspect.choose(undefined);
    this.inspect_part.open = true;
    this.inspect.choose({pane: number, body: picked?.body, contact});
  }

  // States come more often than pictures are drawn: what is shown is made for each picture.
  show() {
    this.stale = true;
    this.stage.draw();
  }
  private refresh() {
    if (!this.stale || !this.drawn || !this.panes[0]?.state) return;
    this.stale = false;
    this.inspect.update();
    const {shown} = this.drawn, {chosen} = this.inspect;
    for (const pane of this.panes) pane.show(shown, chosen?.pane === pane.number ? chosen : undefined);
    this.inspect.show();
    const {state, bodies} = this.panes[chosen?.pane ?? 0];
    if (this.graphs_part.open && state && bodies) this.graphs.show({state, scene: bodies.scene, camera: this.stage.camera});
    for (const act of this.refreshed) act();
  }

  // For tests: where a point of the world is on the page, and what is drawn.
  tested() {
    return {
      state: (pane = 0) => this.panes[pane]?.state,
      chosen: () => this.inspect.chosen,
      frames: () => this.stage.frames,
      project: (x: number, y: number, z: number, pane = 0) => {
        const {left, top} = this.canvas.getBoundingClientRect();
        this.stage.camera.updateMatrixWorld();
        const [px, py] = this.stage.place(this.stage.camera.position.clone().set(x, y, z), pane);
        return [left + px, top + py];
      },
    };
  }
}
