// Bodies and joints: one instanced mesh for each geometry. Fixed bodies that hide what moves are
// drawn through.
import * as three from 'three';
import {moves, pieces, pose, PLANE_SIZE, type Piece, type Scene} from './scene';

// Told apart also by who sees few colours (Okabe and Ito's, lightened).
const COLOURS = ['#e69f00', '#56b4e9', '#2fb795', '#f0d442', '#4c8fd0', '#e2703a', '#d58bbd', '#a58f6f'];
const MOST_GHOSTS = 64;

// Around most boxes: those more than five times as far from their middle as the nearest four fifths
// are left out. A ball that comes from far away would make everything else small.
function around(boxes: three.Box3[]): three.Box3 {
  const middles = boxes.map((box) => box.getCenter(new three.Vector3()));
  const median = (of: (v: three.Vector3) => number) => middles.map(of).sort((a, b) => a - b)[middles.length >> 1];
  const middle = new three.Vector3(median((v) => v.x), median((v) => v.y), median((v) => v.z));
  const far = boxes.map((box, i) => middles[i].distanceTo(middle) + box.getSize(new three.Vector3()).length() / 2);
  const most = 5 * [...far].sort((a, b) => a - b)[Math.ceil(0.8 * (far.length - 1))];
  return boxes.reduce((all, box, i) => far[i] <= most ? all.union(box) : all, new three.Box3());
}

export interface Picked { body: number; point: three.Vector3; local: three.Vector3 }

export class Bodies {
  readonly group = new three.Group();
  readonly box: three.Box3;              // of what moves, at the start; what is far away from the rest left out
  readonly size: number;                 // m, half of a typical moving body
  private readonly poses: three.Matrix4[];
  private readonly sets: {mesh: three.InstancedMesh; pieces: Piece[]}[] = [];
  private readonly ghosts: {mesh: three.Mesh; piece: Piece}[] = [];
  private readonly joints: {mesh: three.InstancedMesh; at: {body: number; place: three.Matrix4}[]};
  private readonly radii: number[];
  private readonly absent: boolean[] = [];

  constructor(readonly scene: Scene) {
    this.poses = scene.bodies.map((body) => pose(body.position, body.orientation));
    this.radii = scene.bodies.map(() => 0);
    const all = pieces(scene);
    const fixed = all.filter((piece) => !moves(scene.bodies[piece.body]));
    const ghosts = fixed.length <= MOST_GHOSTS ? fixed : [];
    const made = new Map<string, Piece[]>();
    for (const piece of all)
      if (!ghosts.includes(piece)) made.set(piece.key, [...made.get(piece.key) ?? [], piece]);
    const material = () => new three.MeshStandardMaterial({vertexColors: true, roughness: 0.75, metalness: 0});
    for (const some of made.values()) {
      const mesh = new three.InstancedMesh(some[0].make(), material(), some.length);
      some.forEach((piece, i) => mesh.setColorAt(i, this.colour(piece.body)));
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = true;
      this.sets.push({mesh, pieces: some});
      this.group.add(mesh);
    }
    for (const piece of ghosts) {
      const mesh = new three.Mesh(piece.make(), material());
      mesh.material.color = this.colour(piece.body);
      mesh.matrixAutoUpdate = false;
      mesh.receiveShadow = true;
      mesh.castShadow = !piece.plane;
      if (piece.plane) mesh.add(this.grid());
      this.ghosts.push({mesh, piece});
      this.group.add(mesh);
    }
    const boxes: three.Box3[] = [];
    for (const {pieces: some, mesh} of this.sets) {
      mesh.geometry.computeBoundingSphere();
      for (const piece of some)
        if (moves(scene.bodies[piece.body])) boxes.push(this.measure(piece, mesh.geometry));
    }
    this.box = around(boxes);
    if (this.box.isEmpty()) this.box.set(new three.Vector3(-1, -1, 0), new three.Vector3(1, 1, 2));
    const moving = this.radii.filter((r) => r > 0).sort((a, b) => a - b);
    this.size = moving.length ? moving[moving.length >> 1] / Math.sqrt(3) : 0.5;
    this.joints = this.make_joints();
    this.place_all();
  }

  colour(body: number): three.Color {
    if (!moves(this.scene.bodies[body]))
      return new three.Color(getComputedStyle(document.documentElement).getPropertyValue('--fixed').trim());
    return new three.Color(COLOURS[body % COLOURS.length]);
  }
  radius = (body: number) => this.radii[body];
  pose = (body: number) => this.poses[body];

  // Of a body in its own frame.
  own_box(body: number): three.Box3 {
    const box = new three.Box3();
    const add = (piece: Piece, geometry: three.BufferGeometry) => {
      if (piece.body !== body) return;
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      box.union(geometry.boundingBox!.clone().applyMatrix4(piece.place));
    };
    for (const {mesh, pieces: some} of this.sets) for (const piece of some) add(piece, mesh.geometry);
    for (const {mesh, piece} of this.ghosts) add(piece, mesh.geometry);
    return box;
  }

  private grid(): three.Object3D {
    const grid = new three.GridHelper(PLANE_SIZE / 4, PLANE_SIZE / 4, 0x808080, 0x808080);
    grid.rotateX(Math.PI / 2);
    grid.position.z = 2e-3;
    Object.assign(grid.material, {transparent: true, opacity: 0.25});
    return grid;
  }

  private measure(piece: Piece, geometry: three.BufferGeometry): three.Box3 {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    const own = geometry.boundingBox!.clone().applyMatrix4(piece.place);
    const far = [own.min, own.max].map((v) => v.length());
    this.radii[piece.body] = Math.max(this.radii[piece.body], ...far);
    return own.applyMatrix4(this.poses[piece.body]);
  }

  private make_joints() {
    const at: {body: number; place: three.Matrix4}[] = [];
    for (const joint of this.scene.joints ?? []) {
      const body = moves(this.scene.bodies[joint.first] ?? {name: '', shape: {type: 'plane'}}) ? joint.first : joint.second;
      const frame = pose(joint.position, joint.orientation);
      at.push({body, place: this.poses[body].clone().invert().multiply(frame)});
    }
    // A spindle along the joint's axis; it is seen through its bodies.
    const geometry = new three.CylinderGeometry(0.16, 0.16, 0.9, 12).rotateX(Math.PI / 2);
    geometry.scale(this.size, this.size, this.size);
    const material = new three.MeshBasicMaterial({color: '#7a3fd0', depthTest: false, transparent: true, opacity: 0.75});
    const mesh = new three.InstancedMesh(geometry, material, Math.max(at.length, 1));
    mesh.frustumCulled = false;
    mesh.renderOrder = 5;
    this.group.add(mesh);
    return {mesh, at};
  }

  // A body whose pose is not a number is not there.
  is_there = (body: number) => !this.absent[body];
  update(values: Float32Array, cut: Uint8Array) {
    const one = new three.Vector3(1, 1, 1), position = new three.Vector3(), turn = new three.Quaternion();
    this.poses.forEach((matrix, i) => {
      this.absent[i] = Number.isNaN(values[7 * i]);
      position.fromArray(values, 7 * i);
      turn.fromArray(values, 7 * i + 3);
      this.absent[i] ? matrix.makeScale(0, 0, 0) : matrix.compose(position, turn, one);
    });
    this.place_all(cut);
  }

  private place_all(cut?: Uint8Array) {
    const matrix = new three.Matrix4();
    for (const {mesh, pieces: some} of this.sets) {
      some.forEach((piece, i) => mesh.setMatrixAt(i, matrix.multiplyMatrices(this.poses[piece.body], piece.place)));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    for (const {mesh, piece} of this.ghosts) {
      mesh.matrix.multiplyMatrices(this.poses[piece.body], piece.place);
      mesh.matrixWorldNeedsUpdate = true;
    }
    let shown = 0;
    this.joints.at.forEach(({body, place}, i) => {
      if (!cut?.[i]) this.joints.mesh.setMatrixAt(shown++, matrix.multiplyMatrices(this.poses[body], place));
    });
    this.joints.mesh.count = shown;
    this.joints.mesh.instanceMatrix.needsUpdate = true;
  }

  // After a change between light and dark.
  dye() {
    for (const {mesh, pieces: some} of this.sets) {
      some.forEach((piece, i) => mesh.setColorAt(i, this.colour(piece.body)));
      mesh.instanceColor!.needsUpdate = true;
    }
    for (const {mesh, piece} of this.ghosts)
      (mesh.material as three.MeshStandardMaterial).color = this.colour(piece.body);
  }

  see_through(on: boolean) {
    for (const {mesh} of this.sets)
      Object.assign(mesh.material, {transparent: on, opacity: on ? 0.35 : 1, depthWrite: !on, needsUpdate: true});
  }

  // Fixed bodies between the camera and what moves become glass.
  clear_view(camera: three.Camera) {
    const eye = camera.position, now = new three.Box3();
    this.poses.forEach((matrix, i) => {
      if (this.radii[i] > 0 && this.is_there(i)) now.expandByPoint(new three.Vector3().setFromMatrixPosition(matrix));
    });
    if (now.isEmpty()) return;
    const {min, max} = now, ray = new three.Ray(eye.clone()), hit = new three.Vector3();
    for (const {mesh, piece} of this.ghosts) {
      mesh.updateMatrixWorld(true);
      const back = mesh.matrixWorld.clone().invert();
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      let hides = false;
      for (let k = 0; k < 9 && !hides && !piece.plane; ++k) {
        const to = k === 8 ? now.getCenter(new three.Vector3())
                           : new three.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
        ray.set(eye, to.clone().sub(eye).normalize()).applyMatrix4(back);
        const reach = ray.intersectBox(mesh.geometry.boundingBox!, hit);
        hides = reach !== null && hit.applyMatrix4(mesh.matrixWorld).distanceTo(eye) < 0.98 * to.distanceTo(eye);
      }
      const material = mesh.material as three.MeshStandardMaterial;
      if (material.transparent === hides) continue;
      Object.assign(material, {transparent: hides, opacity: hides ? 0.12 : 1, depthWrite: !hides, needsUpdate: true});
      mesh.castShadow = !hides && !piece.plane;
    }
  }

  pick(ray: three.Raycaster): Picked | null {
    for (const {mesh} of this.sets) mesh.computeBoundingSphere();
    const solid = this.ghosts.filter(({mesh}) => !(mesh.material as three.Material).transparent).map(({mesh}) => mesh);
    const [hit] = ray.intersectObjects([...this.sets.map(({mesh}) => mesh), ...solid], false);
    if (!hit) return null;
    const set = this.sets.find(({mesh}) => mesh === hit.object);
    const body = set ? set.pieces[hit.instanceId!].body : this.ghosts.find(({mesh}) => mesh === hit.object)!.piece.body;
    return {body, point: hit.point, local: hit.point.clone().applyMatrix4(this.poses[body].clone().invert())};
  }

  dispose() {
    this.group.traverse((part) => {
      if (part instanceof three.Mesh) {
        part.geometry.dispose();
        (part.material as three.Material).dispose();
      }
    });
    this.group.removeFromParent();
  }
}
