// One time step as a JSON line (docs/json.md): bodies with their shapes, contacts, gravity. Vectors
// are in world axes; a body's shapes stand in its own frame.
export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number];  // w, x, y, z
export type Matrix = [Vector, Vector, Vector];               // rows

export const GRAVITY = 9.81;   // m/s^2
export const STEP = 0.01;      // s
const UNIT: Quaternion = [1, 0, 0, 0];
const KINDS = ['box', 'sphere', 'cylinder', 'cone', 'capsule', 'hull', 'mesh', 'plane'];

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (a: number, b: Vector): Vector => [a * b[0], a * b[1], a * b[2]];
export const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// About the y axis: positive turns x towards -z.
export const about_y = (angle: number): Quaternion => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];
export function rotate([w, x, y, z]: Quaternion, v: Vector): Vector {
  const t: Vector = scale(2, [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]]);
  return add(add(v, scale(w, t)), [y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]]);
}

export interface Shape {
  kind: 'box' | 'sphere' | 'cylinder' | 'capsule' | 'mesh' | 'plane';
  size?: Vector;  // as in docs/format.md: half extents; radius; radius and height
  position?: Vector;
  orientation?: Quaternion;
  vertices?: Vector[];
  triangles?: Vector[];
}
export interface Body {
  name: string;
  mass?: number;              // kg; 0: fixed
  inertia?: Vector;           // kg m^2, principal moments along the body's own axes
  position?: Vector;          // m, centre of mass
  orientation?: Quaternion;
  velocity?: Vector;
  push?: Vector;              // N, besides gravity
  shapes: Shape[];
}

export const box_inertia = (mass: number, [a, b, c]: Vector): Vector =>  // of half extents
    [mass * (b * b + c * c) / 3, mass * (a * a + c * c) / 3, mass * (a * a + b * b) / 3];

// Nine numbers, row by row, in world axes: R diag(moments) R^T.
function world_inertia(moments: Vector, q: Quaternion): number[] {
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vector[]).map((e) => rotate(q, e));
  return [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => clean(axes.reduce((sum, axis, k) => sum + moments[k] * axis[i] * axis[j], 0))));
}
const clean = (x: number) => Math.abs(x) < 1e-15 ? 0 : x;

export class FrameBuilder {
  private readonly bodies: Body[] = [];
  private readonly contacts: {pair: [number, number]; normal: Vector; point: Vector; mu: number}[] = [];

  constructor(private readonly name: string, private readonly derivation: string) {}

  body(body: Body): number {
    this.bodies.push(body);
    return this.bodies.length - 1;
  }
  // A box on which nothing acts but gravity and `push`.
  box(name: string, mass: number, half: Vector, position: Vector, more: Partial<Body> = {}): number {
    return this.body({name, mass, inertia: box_inertia(mass, half), position, shapes: [{kind: 'box', size: half}], ...more});
  }
  floor(): number {
    return this.body({name: 'floor', shapes: [{kind: 'plane'}]});
  }

  // The normal points away from the first body; the point is in the world. Bodies just touch.
  contact(first: number, second: number, normal: Vector, point: Vector, mu: number) {
    this.contacts.push({pair: [first, second], normal, point, mu});
  }
  // Four corners of a face around its middle; a and b lead from there to the edges.
  face(first: number, second: number, normal: Vector, middle: Vector, a: Vector, b: Vector, mu: number) {
    for (const [i, j] of [[-1, -1], [-1, 1], [1, -1], [1, 1]])
      this.contact(first, second, normal, add(middle, add(scale(i, a), scale(j, b))), mu);
  }

  line(): string {
    const {bodies, contacts} = this;
    const shapes = bodies.flatMap((body, id) => body.shapes.map((shape) => ({id, shape})));
    const vertices: Vector[] = [], triangles: Vector[] = [];
    const meshes = shapes.map(({shape}) => {
      if (!shape.vertices || !shape.triangles) return [0, 0, 0, 0];
      const row = [vertices.length, shape.vertices.length, triangles.length, shape.triangles.length];
      vertices.push(...shape.vertices);
      triangles.push(...shape.triangles);
      return row;
    });
    return JSON.stringify({
      name: this.name, derivation: this.derivation, step: STEP,
      bodies: {
        masses: bodies.map(({mass = 0}) => mass),
        inertia: bodies.map(({inertia = [0, 0, 0], orientation = UNIT}) => world_inertia(inertia, orientation)),
        positions: bodies.map(({position = [0, 0, 0]}) => position),
        quaternions: bodies.map(({orientation = UNIT}) => orientation),
        velocities: bodies.map(({velocity = [0, 0, 0]}) => [...velocity, 0, 0, 0]),
        forces: bodies.map(({mass = 0, push = [0, 0, 0]}) => [push[0], push[1], push[2] - mass * GRAVITY, 0, 0, 0].map((f) => f + 0)),
      },
      contacts: {
        pairs: contacts.map(({pair}) => pair),
        normals: contacts.map(({normal}) => normal),
        points: contacts.map(({pair, point}) => add(point, scale(-1, bodies[pair[0]].position ?? [0, 0, 0]))),
        gap: contacts.map(() => 0),
        mu: contacts.map(({mu}) => mu),
      },
      model: {
        body_ids: bodies.map((_, id) => id),
        body_names: bodies.map(({name}) => name),
        ...(vertices.length > 0 && {vertices, triangles}),
        shape_bodies: shapes.map(({id}) => id),
        shape_kinds: shapes.map(({shape}) => KINDS.indexOf(shape.kind)),
        shape_poses: shapes.map(({shape: {position = [0, 0, 0], orientation = UNIT}}) => [...position, ...orientation]),
        shape_sizes: shapes.map(({shape: {size = [0, 0, 0]}}) => size),
        shape_meshes: meshes,
      },
    });
  }
}
