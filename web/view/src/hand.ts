// The hand: pulls a body where the pointer holds it, in a plane that faces the camera; with Shift it
// twists it. The line and the newtons are what the program tells, not what was asked for.
import * as three from 'three';
import type {Bodies} from './bodies';
import {Arrows} from './contacts';
import type {State, ToProgram} from './messages';
import {moves} from './scene';
import type {Stage} from './stage';

type Numbers = [number, number, number];
const list = (v: three.Vector3) => v.toArray() as Numbers;

export class Hand {
  readonly group = new three.Group();
  private readonly line = new three.Line(new three.BufferGeometry().setFromPoints([new three.Vector3(), new three.Vector3()]),
      new three.LineBasicMaterial({color: '#d1361f', depthTest: false, transparent: true}));
  private readonly arrow = new Arrows(this.group, '#d1361f', 20);
  private readonly end = new three.Vector3();  // of the line
  private held?: {body: number; pointer: number; local: three.Vector3; plane: three.Plane; twists: boolean;
                  x: number; y: number; waiting: boolean};

  constructor(private readonly stage: Stage, private readonly label: HTMLElement,
              private readonly bodies: () => Bodies | undefined, private readonly send: (m: ToProgram) => void,
              private readonly hover: (body: number | null) => void) {
    this.line.renderOrder = 20;
    this.line.frustumCulled = false;
    this.line.visible = false;
    this.group.add(this.line);
    const {canvas} = stage;
    // Before the camera's own: what holds a body does not turn the view.
    canvas.addEventListener('pointerdown', (event) => this.down(event), {capture: true});
    canvas.addEventListener('pointermove', (event) => this.move(event), {capture: true});
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      canvas.addEventListener(end, (event) => this.up(event), {capture: true});
    addEventListener('blur', () => this.let_go());
  }

  private down(event: PointerEvent) {
    if (event.button !== 0 || this.held) return;
    const bodies = this.bodies(), picked = bodies?.pick(this.stage.ray(event.clientX, event.clientY));
    if (!bodies || !picked || !moves(bodies.scene.bodies[picked.body])) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.canvas.focus({preventScroll: true});
    this.stage.canvas.setPointerCapture(event.pointerId);
    const away = this.stage.camera.getWorldDirection(new three.Vector3());
    this.held = {body: picked.body, pointer: event.pointerId, local: picked.local, twists: event.shiftKey,
                 plane: new three.Plane().setFromNormalAndCoplanarPoint(away, picked.point),
                 x: event.clientX, y: event.clientY, waiting: false};
    this.hover(picked.body);
    if (!event.shiftKey) this.pull(picked.point);
  }

  private move(event: PointerEvent) {
    const {held} = this;
    if (!held) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        const picked = this.bodies()?.pick(this.stage.ray(event.clientX, event.clientY));
        const grabs = picked && moves(this.bodies()!.scene.bodies[picked.body]);
        this.stage.canvas.style.cursor = grabs ? 'grab' : '';
        this.hover(picked?.body ?? null);
      }
      return;
    }
    if (event.pointerId !== held.pointer) return;
    event.stopImmediatePropagation();
    if (held.waiting) return;  // one a frame is enough
    held.waiting = true;
    requestAnimationFrame(() => {
      held.waiting = false;
      if (this.held !== held) return;
      if (held.twists) return this.twist(event.clientX - held.x, event.clientY - held.y);
      const to = this.stage.ray(event.clientX, event.clientY).ray.intersectPlane(held.plane, new three.Vector3());
      if (to) this.pull(to);
    });
  }

  private pull(to: three.Vector3) {
    this.send({kind: 'drag', body: this.held!.body, point: list(this.held!.local), target: list(to)});
  }

  // A way of 100 pixels turns as strongly as twice the body's weight at its radius.
  private twist(dx: number, dy: number) {
    const bodies = this.bodies()!, {body} = this.held!;
    const most = 2 * 9.81 * bodies.scene.bodies[body].mass! * bodies.radius(body) / 100;
    const {elements: e} = this.stage.camera.matrixWorld;
    const right = new three.Vector3(e[0], e[1], e[2]), up = new three.Vector3(e[4], e[5], e[6]);
    this.send({kind: 'twist', body, torque: list(up.multiplyScalar(dx * most).addScaledVector(right, dy * most))});
  }

  private up(event: PointerEvent) {
    if (this.held?.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    this.let_go();
  }

  private let_go() {
    if (!this.held) return;
    this.send({kind: 'release', body: this.held.body});
    this.held = undefined;
  }

  // A ball from the camera towards the pointer or the middle.
  throw_ball() {
    const bodies = this.bodies();
    if (!bodies) return;
    const {camera, orbit} = this.stage, size = bodies.size;
    const way = orbit.target.clone().sub(camera.position), far = way.length();
    way.normalize();
    const from = camera.position.clone().addScaledVector(way, Math.max(0.35 * far, far - 14 * size));
    const masses = bodies.scene.bodies.filter(moves).map((body) => body.mass!).sort((a, b) => a - b);
    const speed = 14 * Math.sqrt(size);
    this.send({kind: 'throw', position: list(from), velocity: list(way.multiplyScalar(speed)),
               radius: 0.8 * size, mass: 3 * (masses[masses.length >> 1] ?? 1)});
  }

  show(state: State, size: number) {
    const pulled = state.held.length > 0;
    this.line.visible = pulled;
    this.label.hidden = !pulled;
    const from: three.Vector3[] = [], along: three.Vector3[] = [];
    state.held.forEach((_, i) => {
      from.push(new three.Vector3().fromArray(state.grips, 6 * i));
      along.push(new three.Vector3().fromArray(state.grips, 6 * i + 3).sub(from[i]));
    });
    this.arrow.show(from, along, 0.03 * size);
    if (!pulled) return;
    const end = from[0].clone().add(along[0]);
    this.line.geometry.setFromPoints([from[0], end]);
    const newtons = new three.Vector3().fromArray(state.pulls).length();
    this.label.textContent = `${newtons < 100 ? newtons.toPrecision(3) : Math.round(newtons)} N`;
    this.end.copy(end);
  }

  // The label is where the hand is, also when the view turns.
  place_label() {
    if (this.label.hidden) return;
    const seen = this.end.clone().project(this.stage.camera), {clientWidth: w, clientHeight: h} = this.stage.canvas;
    this.label.style.transform = `translate(${(seen.x + 1) / 2 * w + 12}px, ${(1 - seen.y) / 2 * h - 12}px)`;
  }
}
