// Shapes for frames that have none, such as the sample frames: a body that touches others at the
// radius of a solid ball of its inertia is drawn as that ball, any other as the solid box of its
// inertia; a fixed body as plates under the points where it is touched.
import {add, dot, scale, type Quaternion, type Vector} from './frame';

interface Columns {
  bodies: {ids?: number[]; masses: number[]; inertia: number[][]; positions: Vector[]; quaternions?: Quaternion[]};
  contacts?: {pairs: [number, number][]; normals: Vector[]; points: Vector[]; gap: number[]};
  model?: unknown;
}
interface Touch { normal: Vector; point: Vector }  // the normal points away from the body, the point is in the world

const BOX = 0, SPHERE = 1;
const PLATE: Vector = [2.5, 2.5, 0.02];

// Turns z into n.
function upright([x, y, z]: Vector): Quaternion {
  const w = 1 + z, size = Math.hypot(w, x, y);
  return size < 1e-9 ? [0, 1, 0, 0] : [w / size, -y / size, x / size, 0];
}

function touches({bodies, contacts}: Columns, id: number, ids: number[]): Touch[] {
  return (contacts?.pairs ?? []).flatMap(([first, second], i) => {
    const point = add(bodies.positions[ids.indexOf(first)], contacts!.points[i]), n = contacts!.normals[i];
    return first === id ? [{normal: n, point}] :
        second === id ? [{normal: scale(-1, n), point: add(point, scale(contacts!.gap[i], n))}] : [];
  });
}

type Row = {kind: number; pose: number[]; size: Vector};
function moving(mass: number, inertia: number[], centre: Vector, q: Quaternion, touched: Touch[]): Row[] {
  const [a, b, c] = [inertia[0], inertia[4], inertia[8]], radius = Math.sqrt(2.5 * a / mass);
  const same = Math.abs(a - b) < 1e-9 * a && Math.abs(a - c) < 1e-9 * a;
  const reach = touched.map(({normal, point}) => dot(add(point, scale(-1, centre)), normal));
  if (same && reach.length > 0 && reach.every((r) => Math.abs(r - radius) < 1e-3 * radius))
    return [{kind: SPHERE, pose: [0, 0, 0, 1, 0, 0, 0], size: [radius, 0, 0]}];
  // Moments are in the axes of the world; only for a cube does the body's own turn not matter.
  const half = ([b + c - a, a + c - b, a + b - c].map((sum) => Math.sqrt(Math.max(1.5 * sum / mass, 0)))) as Vector;
  const back: Quaternion = same ? [1, 0, 0, 0] : [q[0], -q[1], -q[2], -q[3]];
  return [{kind: BOX, pose: [0, 0, 0, ...back], size: half.map((x) => Math.max(x, 1e-3)) as Vector}];
}
function fixed(touched: Touch[], centre: Vector): Row[] {
  const faces: {normal: Vector; points: Vector[]}[] = [];
  for (const {normal, point} of touched) {
    const face = faces.find((one) => dot(one.normal, normal) > 1 - 1e-6 && Math.abs(dot(add(one.points[0], scale(-1, point)), normal)) < 1e-6);
    face ? face.points.push(point) : faces.push({normal, points: [point]});
  }
  return faces.map(({normal, points}) => {
    const middle = scale(1 / points.length, points.reduce(add));
    return {kind: BOX, pose: [...add(add(middle, scale(-PLATE[2], normal)), scale(-1, centre)), ...upright(normal)], size: PLATE};
  });
}

// A JSON line with shapes; as it is where it has some, or cannot be read.
export function with_shapes(line: string): string {
  try {
    const frame: Columns = JSON.parse(line), {bodies} = frame;
    if (frame.model) return line;
    const ids = bodies.ids ?? bodies.masses.map((_, i) => i);
    const rows = bodies.masses.flatMap((mass, i) => {
      const q: Quaternion = bodies.quaternions?.[i] ?? [1, 0, 0, 0], touched = touches(frame, ids[i], ids);
      const some = mass > 0 ? moving(mass, bodies.inertia[i], bodies.positions[i], q, touched) : fixed(touched, bodies.positions[i]);
      return some.map((row) => ({...row, body: ids[i]}));
    });
    frame.model = {
      body_ids: ids, body_names: bodies.masses.map((mass, i) => mass > 0 ? `body ${ids[i]}` : `fixed body ${ids[i]}`),
      shape_bodies: rows.map(({body}) => body), shape_kinds: rows.map(({kind}) => kind),
      shape_poses: rows.map(({pose}) => pose), shape_sizes: rows.map(({size}) => size),
      shape_meshes: rows.map(() => [0, 0, 0, 0]),
    };
    return JSON.stringify(frame);
  } catch {
    return line;
  }
}
