// Contacts made visible: points whose form and colour tell open, stick and slide, normals, forces,
// and friction cones. All are seen through the bodies.
import * as three from 'three';
import type {State} from './messages';

export interface Shown { points: boolean; normals: boolean; forces: boolean; cones: boolean; heat: boolean }

// Errors as colours: from 1e-10 m/s (blue) over yellow to 1e-1 m/s (red); grey: not known.
const HEAT = ['#2c4fb8', '#2f9fd0', '#58c27d', '#f0d442', '#f08a24', '#d11f1f'].map((c) => new three.Color(c));
const HEAT_ENDS = [-10, -1];  // powers of ten
export function heat(error: number): three.Color {
  if (!(error >= 0)) return new three.Color('#8a8f98');
  const part = (Math.log10(Math.max(error, 1e-300)) - HEAT_ENDS[0]) / (HEAT_ENDS[1] - HEAT_ENDS[0]);
  const at = Math.min(Math.max(part, 0), 1) * (HEAT.length - 1), k = Math.min(Math.floor(at), HEAT.length - 2);
  return HEAT[k].clone().lerp(HEAT[k + 1], at - k);
}
export const HEAT_STYLE = `linear-gradient(90deg, ${HEAT.map((c) => c.getStyle()).join(', ')})`;

const UP = new three.Vector3(0, 0, 1);
const MODES = [
  {name: 'open', colour: '#8a8f98', make: () => new three.TorusGeometry(0.8, 0.25, 8, 20)},
  {name: 'stick', colour: '#0b8a5c', make: () => new three.BoxGeometry(1.4, 1.4, 1.4)},
  {name: 'slide', colour: '#d1361f', make: () => new three.ConeGeometry(1.1, 1.8, 3).rotateX(Math.PI / 2)},
];

// An instanced mesh that grows.
class Many {
  private mesh?: three.InstancedMesh;
  constructor(private readonly parent: three.Object3D, private readonly make: () => three.BufferGeometry,
              private readonly material: three.Material, private readonly order: number) {}
  show(matrices: three.Matrix4[], colours?: three.Color[]) {
    if (!this.mesh || this.mesh.instanceMatrix.count < matrices.length) {
      const geometry = this.mesh?.geometry ?? this.make();
      this.mesh?.removeFromParent();
      this.mesh?.dispose();
      this.mesh = new three.InstancedMesh(geometry, this.material, Math.max(16, 2 * matrices.length));
      this.mesh.frustumCulled = false;
      this.mesh.renderOrder = this.order;
      this.parent.add(this.mesh);
    }
    matrices.forEach((matrix, i) => this.mesh!.setMatrixAt(i, matrix));
    colours?.forEach((colour, i) => this.mesh!.setColorAt(i, colour));
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.mesh.count = matrices.length;
    this.mesh.visible = matrices.length > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

const through = (colour: string, opacity = 1) => new three.MeshBasicMaterial(
    {color: colour, depthTest: false, transparent: true, opacity, depthWrite: false});

// Arrow along z of length 1: a shaft, and a head of its own, so that heads keep their form.
const shaft = () => new three.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const head = () => new three.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);

export class Arrows {
  private readonly shafts: Many;
  private readonly heads: Many;
  constructor(parent: three.Object3D, colour: string, order: number) {
    const material = through(colour, 0.95);
    this.shafts = new Many(parent, shaft, material, order);
    this.heads = new Many(parent, head, material, order);
  }
  // From points along vectors, m; `thick` is the radius of a shaft.
  show(from: three.Vector3[], along: three.Vector3[], thick: number) {
    const shafts: three.Matrix4[] = [], heads: three.Matrix4[] = [];
    const turn = new three.Quaternion(), size = new three.Vector3();
    from.forEach((point, i) => {
      const length = along[i].length();
      if (length < 1e-6 * thick) return;
      turn.setFromUnitVectors(UP, along[i].clone().divideScalar(length));
      const tip = Math.min(4.5 * thick, 0.6 * length), wide = tip / 4.5;
      shafts.push(new three.Matrix4().compose(point, turn, size.set(wide, wide, length - tip)));
      heads.push(new three.Matrix4().compose(point.clone().addScaledVector(along[i], 1 - tip / length), turn,
                                             size.set(2.2 * wide, 2.2 * wide, tip)));
    });
    this.shafts.show(shafts);
    this.heads.show(heads);
  }
}

export class Contacts {
  readonly group = new three.Group();
  private readonly marks = MODES.map(({make}) => new Many(this.group, make, through('#ffffff', 0.95), 12));
  private readonly normals = new Arrows(this.group, '#4c8fd0', 11);
  private readonly forces = new Arrows(this.group, '#c2187a', 13);
  private readonly cones = new Many(this.group,
      () => new three.ConeGeometry(1, 1, 24, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5),
      new three.MeshBasicMaterial({color: '#c9a200', transparent: true, opacity: 0.22, depthTest: false,
                                   depthWrite: false, side: three.DoubleSide}), 10);

  // `size`: half of a typical body, m; `weight`: of one, N. A force of that weight is as long as
  // one and a half sizes; longer ones grow with the square root.
  show(state: State, shown: Shown, size: number, weight: number) {
    const {points, normals, forces, frictions, modes} = state, count = frictions.length;
    const at = (list: Float32Array, i: number) => new three.Vector3().fromArray(list, 3 * i);
    const some = Array.from({length: count}, (_, i) => i);
    const place = some.map((i) => at(points, i)), normal = some.map((i) => at(normals, i));
    const turns = normal.map((n) => new three.Quaternion().setFromUnitVectors(UP, n));
    const length = (force: number) => {
      const part = force / weight;
      return 1.5 * size * (part > 1 ? Math.sqrt(part) : part);
    };
    const big = new three.Vector3().setScalar(0.075 * size);
    this.marks.forEach((mark, mode) => {
      const these = shown.points || shown.heat ? some.filter((i) => modes[i] === mode) : [], colour = new three.Color(MODES[mode].colour);
      mark.show(these.map((i) => new three.Matrix4().compose(place[i], turns[i], big)),
                these.map((i) => shown.heat ? heat(state.errors[i]) : colour));
    });
    this.normals.show(shown.normals ? place : [], normal.map((n) => n.clone().multiplyScalar(0.7 * size)), 0.02 * size);
    const pushing = some.filter((i) => at(forces, i).length() > 1e-3 * weight);
    const force = pushing.map((i) => at(forces, i));
    const along = force.map((f) => f.clone().setLength(length(f.length())));
    this.forces.show(shown.forces ? pushing.map((i) => place[i]) : [], along, 0.035 * size);
    // As high as the normal part of its arrow.
    this.cones.show(!shown.cones ? [] : pushing.map((i, k) => {
      const high = Math.max(along[k].dot(normal[i]), 1e-3 * size), wide = frictions[i] * high;
      return new three.Matrix4().compose(place[i], turns[i], new three.Vector3(wide, wide, high));
    }));
  }
}
export const MODE_NAMES = MODES.map(({name, colour}) => ({name, colour}));
