// The hand: pulls a body where the pointer holds it, in a plane that faces the camera; with Shift it
// twists it. A press that neither moves nor lasts is a click. For who has no pointer, keys and
// buttons move the hand by steps.
import * as three from 'three';
import type {Bodies} from './bodies';
import type {ToProgram} from './messages';
import {moves} from './scene';
import type {Stage} from './stage';

type Numbers = [number, number, number];
const list = (v: three.Vector3) => v.toArray() as Numbers;
const MOVED = 3, LONG = 250;  // pixels, ms: more is no click

interface Held {
  body: number; pointer: number; local: three.Vector3; plane: three.Plane; twists: boolean;
  x: number; y: number; begun: boolean; timer: number;
}

export class Hand {
  private held?: Held;
  private pressed?: {x: number; y: number; time: number};
  private stepped?: {body: number; target: three.Vector3};  // by keys
  only_looks = false;  // takes hold of nothing

  constructor(private readonly stage: Stage, private readonly bodies: (pane: number) => Bodies | undefined,
              private readonly send: (m: ToProgram) => void, private readonly hover: (pane: number, body: number | null) => void,
              private readonly click: (x: number, y: number) => void) {
    const {canvas} = stage;
    // Before the camera's own: what holds a body does not turn the view.
    canvas.addEventListener('pointerdown', (event) => this.down(event), {capture: true});
    canvas.addEventListener('pointermove', (event) => this.move(event), {capture: true});
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      canvas.addEventListener(end, (event) => this.up(event), {capture: true});
    addEventListener('blur', () => this.let_go());
  }

  private bodies_at(event: PointerEvent) { return this.bodies(this.stage.pane_at(event.clientX, event.clientY)); }

  private down(event: PointerEvent) {
    if (event.button !== 0 || this.held) return;
    const {clientX: x, clientY: y} = event;
    this.pressed = {x, y, time: performance.now()};
    const bodies = this.bodies_at(event), picked = bodies?.pick(this.stage.ray(x, y));
    if (this.only_looks || !bodies || !picked || !moves(bodies.scene.bodies[picked.body])) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.canvas.focus({preventScroll: true});
    this.stage.canvas.setPointerCapture(event.pointerId);
    const away = this.stage.camera.getWorldDirection(new three.Vector3());
    const held: Held = {body: picked.body, pointer: event.pointerId, local: picked.local, twists: event.shiftKey,
                        plane: new three.Plane().setFromNormalAndCoplanarPoint(away, picked.point),
                        x, y, begun: false, timer: 0};
    this.held = held;
    this.hover(this.stage.pane_at(x, y), picked.body);
    held.timer = window.setTimeout(() => this.begin(held, picked.point), LONG);
  }

  private begin(held: Held, at: three.Vector3) {
    if (this.held !== held || held.begun) return;
    clearTimeout(held.timer);
    held.begun = true;
    this.stepped = undefined;
    if (!held.twists) this.pull(held, at);
  }

  private move(event: PointerEvent) {
    const {held} = this;
    if (!held) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        const bodies = this.bodies_at(event), picked = bodies?.pick(this.stage.ray(event.clientX, event.clientY));
        const grabs = picked && !this.only_looks && moves(bodies!.scene.bodies[picked.body]);
        this.stage.canvas.style.cursor = grabs ? 'grab' : '';
        this.hover(this.stage.pane_at(event.clientX, event.clientY), picked?.body ?? null);
      }
      return;
    }
    if (event.pointerId !== held.pointer) return;
    event.stopImmediatePropagation();
    if (!held.begun && Math.hypot(event.clientX - held.x, event.clientY - held.y) <= MOVED) return;
    // Browsers tell a moving pointer once a frame.
    if (held.twists) {
      held.begun = true;
      return this.twist(held.body, event.clientX - held.x, event.clientY - held.y);
    }
    const to = this.stage.ray(event.clientX, event.clientY).ray.intersectPlane(held.plane, new three.Vector3());
    if (!to) return;
    held.begun ? this.pull(held, to) : this.begin(held, to);
  }

  private pull(held: Held, to: three.Vector3) {
    this.send({kind: 'drag', body: held.body, point: list(held.local), target: list(to)});
  }

  // A way of 100 pixels turns as strongly as twice the body's weight at its radius.
  private twist(body: number, dx: number, dy: number) {
    const bodies = this.bodies(0)!;
    const most = 2 * 9.81 * bodies.scene.bodies[body].mass! * bodies.radius(body) / 100;
    const {right, up} = this.axes();
    this.send({kind: 'twist', body, torque: list(up.multiplyScalar(dx * most).addScaledVector(right, dy * most))});
  }

  private axes() {
    const {elements: e} = this.stage.camera.matrixWorld;
    return {right: new three.Vector3(e[0], e[1], e[2]), up: new three.Vector3(e[4], e[5], e[6]),
            away: new three.Vector3(-e[8], -e[9], -e[10])};
  }

  private up(event: PointerEvent) {
    const {held, pressed} = this;
    if (event.type === 'pointerup' && event.button === 0 && pressed && !held?.begun &&
        Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= MOVED &&
        (held || performance.now() - pressed.time < 2 * LONG))
      this.click(event.clientX, event.clientY);
    if (event.type === 'pointerup') this.pressed = undefined;
    if (held?.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    this.let_go();
  }

  private let_go() {
    const {held} = this;
    this.held = undefined;
    if (!held) return;
    clearTimeout(held.timer);
    if (held.begun) this.send({kind: 'release', body: held.body});
  }

  // By keys and buttons: moves the hand that holds this body by half of its radius, as seen.
  nudge(body: number, right: number, up: number, away = 0) {
    const bodies = this.bodies(0);
    if (!bodies || !moves(bodies.scene.bodies[body])) return;
    if (this.stepped?.body !== body) {
      this.release();
      this.stepped = {body, target: new three.Vector3().setFromMatrixPosition(bodies.pose(body))};
    }
    const axes = this.axes(), step = 0.5 * bodies.radius(body);
    this.stepped.target.addScaledVector(axes.right, right * step).addScaledVector(axes.up, up * step)
        .addScaledVector(axes.away, away * step);
    this.send({kind: 'drag', body, point: [0, 0, 0], target: list(this.stepped.target)});
  }
  turn(body: number, way: number) {
    const bodies = this.bodies(0);
    if (!bodies || !moves(bodies.scene.bodies[body])) return;
    if (this.stepped?.body !== body) {
      this.release();
      this.stepped = {body, target: new three.Vector3().setFromMatrixPosition(bodies.pose(body))};
    }
    this.twist(body, 60 * way, 0);
  }
  release() {
    if (this.stepped) this.send({kind: 'release', body: this.stepped.body});
    this.stepped = undefined;
  }

  // A ball from the camera towards the middle.
  throw_ball() {
    const bodies = this.bodies(0);
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
}
