// The scene as the program tells it (docs/scene.md), and what of it is drawn: pieces, each a shape
// at a place in the frame of its body.
import * as three from 'three';

export type Triple = [number, number, number];
export interface Shape {
  type: 'box' | 'sphere' | 'cylinder' | 'cone' | 'capsule' | 'compound' | 'height_field' | 'mesh' | 'plane';
  half_extents?: Triple;
  radius?: number;
  height?: number;
  points?: Triple[];
  triangles?: Triple[];
  rows?: number;
  columns?: number;
  spacing?: number;
  heights?: number[];
  parts?: {shape: Shape; position?: Triple; orientation?: number[]}[];
}
export interface Body {
  name: string;
  shape: Shape;
  mass?: number;
  mu?: number;
  position?: Triple;
  orientation?: number[];  // w, x, y, z
}
export interface Joint {
  name: string;
  type: string;
  first: number;
  second: number;
  position?: Triple;
  orientation?: number[];
}
export interface Scene {
  name: string;
  title?: string;
  source?: string;
  gravity?: Triple;
  bodies: Body[];
  joints?: Joint[];
}

export const moves = (body: Body) => (body.mass ?? 0) > 0;

export function pose(position: Triple = [0, 0, 0], q: number[] = [1, 0, 0, 0]): three.Matrix4 {
  return new three.Matrix4().compose(new three.Vector3(...position),
      new three.Quaternion(q[1], q[2], q[3], q[0]), new three.Vector3(1, 1, 1));
}

export interface Piece {
  body: number;
  key: string;              // pieces of one key share a geometry
  place: three.Matrix4;     // of the geometry in the frame of the body
  make: () => three.BufferGeometry;
  plane: boolean;
}

export const PLANE_SIZE = 400;  // m

// Wedges of two shades, so that one sees round things roll.
function striped(geometry: three.BufferGeometry, shade: (x: number, y: number, z: number) => boolean) {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry, at = flat.getAttribute('position');
  const colours = new Float32Array(at.count * 3);
  for (let t = 0; t < at.count; t += 3) {
    let x = 0, y = 0, z = 0;
    for (let k = t; k < t + 3; ++k) { x += at.getX(k); y += at.getY(k); z += at.getZ(k); }
    colours.fill(shade(x, y, z) ? 0.72 : 1, 3 * t, 3 * t + 9);
  }
  flat.setAttribute('color', new three.BufferAttribute(colours, 3));
  return flat;
}
const sector = (x: number, y: number) => Math.floor((Math.atan2(y, x) / Math.PI + 1) * 3 + 0.01) % 2 === 0;
const plain = (geometry: three.BufferGeometry) => striped(geometry, () => false);
const upright = (geometry: three.BufferGeometry) => geometry.rotateX(Math.PI / 2);  // axis y to z

function triangles(points: Triple[], faces: Triple[]): three.BufferGeometry {
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.Float32BufferAttribute(faces.flat().flatMap((i) => points[i]), 3));
  geometry.computeVertexNormals();  // every triangle has its own corners: flat faces
  return plain(geometry);
}

function field(shape: Shape): three.BufferGeometry {
  const {rows = 0, columns = 0, spacing = 1, heights = []} = shape;
  const points: Triple[] = [], faces: Triple[] = [];
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < columns; ++c)
      points.push([(c - (columns - 1) / 2) * spacing, (r - (rows - 1) / 2) * spacing, heights[r * columns + c]]);
  for (let r = 0; r + 1 < rows; ++r)
    for (let c = 0; c + 1 < columns; ++c) {
      const a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
      faces.push([a, b, d], [b, e, d]);
    }
  return triangles(points, faces);
}

function pieces_of(shape: Shape, body: number, place: three.Matrix4, out: Piece[]) {
  const add = (key: string, size: Triple, make: () => three.BufferGeometry, plane = false) =>
      out.push({body, key, place: place.clone().scale(new three.Vector3(...size)), make, plane});
  const {radius = 1, height = 1} = shape;
  switch (shape.type) {
    case 'box':
      add('box', shape.half_extents!, () => plain(new three.BoxGeometry(2, 2, 2)));
      break;
    case 'sphere':
      add('sphere', [radius, radius, radius], () => striped(upright(new three.SphereGeometry(1, 36, 20)), sector));
      break;
    case 'cylinder':
      add('cylinder', [radius, radius, height], () => striped(upright(new three.CylinderGeometry(1, 1, 1, 36)), sector));
      break;
    case 'cone':
      add('cone', [radius, radius, height], () => striped(upright(new three.ConeGeometry(1, 1, 36)), sector));
      break;
    case 'capsule':
      add(`capsule ${radius} ${height}`, [1, 1, 1],
          () => striped(upright(new three.CapsuleGeometry(radius, height, 8, 24)), sector));
      break;
    case 'mesh':
      add(JSON.stringify(shape), [1, 1, 1], () => triangles(shape.points!, shape.triangles!));
      break;
    case 'height_field':
      add(JSON.stringify(shape), [1, 1, 1], () => field(shape));
      break;
    case 'plane':
      add('plane', [1, 1, 1], () => plain(new three.PlaneGeometry(PLANE_SIZE, PLANE_SIZE)), true);
      break;
    case 'compound':
      for (const part of shape.parts ?? [])
        pieces_of(part.shape, body, place.clone().multiply(pose(part.position, part.orientation)), out);
  }
}

export function pieces(scene: Scene): Piece[] {
  const out: Piece[] = [];
  scene.bodies.forEach((body, i) => pieces_of(body.shape, i, new three.Matrix4(), out));
  return out;
}
