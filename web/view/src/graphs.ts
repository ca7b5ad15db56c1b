// Who touches whom, and which blocks of A that makes: two pictures of the contacts of a pane.
//
// The graph: bodies where the camera sees them, fixed ones as squares in the middle of their
// contacts, an edge for each pair that touches, as wide as its force, coloured by its worst error.
// A = J M^-1 J^T has a block for two contacts, or joints, that share a moving body; islands have
// blocks of their own, here in turn in two shades.
import * as three from 'three';
import {h} from '../../report/src/dom';
import {heat} from './contacts';
import type {State} from './messages';
import {drawn, figure, sheet} from './pen';
import {moves, type Scene} from './scene';

interface Given { state: State; scene: Scene; camera: three.Camera }

// The rows of A as pairs of bodies: contacts, then joints that hold.
export function rows_of({state, scene}: {state: State; scene: Scene}): [number, number][] {
  const rows: [number, number][] = [];
  for (let i = 0; i < state.frictions.length; ++i) rows.push([state.pairs[2 * i], state.pairs[2 * i + 1]]);
  (scene.joints ?? []).forEach(({first, second}, i) => { if (!state.cut[i]) rows.push([first, second]); });
  return rows;
}

// For each row the others that share a moving body, itself included; and the row's island.
export function blocks_of(rows: [number, number][], scene: Scene) {
  const about = new Map<number, number[]>();
  const moving = (body: number) => scene.bodies[body] !== undefined && moves(scene.bodies[body]);
  rows.forEach((pair, i) => pair.filter(moving).forEach((body) => about.set(body, [...about.get(body) ?? [], i])));
  const near = rows.map((pair) => [...new Set(pair.filter(moving).flatMap((body) => about.get(body)!))]);
  const island = rows.map(() => -1);
  let islands = 0;
  rows.forEach((_, i) => {
    if (island[i] >= 0) return;
    const waiting = [i];
    island[i] = islands;
    while (waiting.length)
      for (const j of near[waiting.pop()!])
        if (island[j] < 0) {
          island[j] = islands;
          waiting.push(j);
        }
    ++islands;
  });
  return {near, island, islands, blocks: near.reduce((sum, some) => sum + some.length, 0)};
}

export class Graphs {
  readonly element = h('div', {class: 'plots graphs'});
  private readonly graph = figure('Contact graph', 'Bodies and who touches whom');
  private readonly matrix = figure('Sparsity of A', 'Which blocks of A are not zero');
  private given?: Given;
  private readonly draw: () => void;

  constructor() {
    this.element.append(this.graph.element, this.matrix.element);
    this.draw = drawn(this.element, () => {
      this.draw_graph();
      this.draw_matrix();
    });
  }
  show(given: Given) {
    this.given = given;
    if (this.graph.canvas.offsetParent !== null) this.draw();
  }

  private draw_graph() {
    const {given} = this, on = given && sheet(this.graph.canvas);
    if (!given || !on) return;
    const {state, scene, camera} = given, {pen, wide, high} = on;
    const edges = new Map<string, {pair: [number, number]; force: number; error: number}>();
    const middles = new Map<number, {sum: three.Vector3; count: number}>();
    for (let i = 0; i < state.frictions.length; ++i) {
      const pair: [number, number] = [state.pairs[2 * i], state.pairs[2 * i + 1]], key = pair.join();
      const edge = edges.get(key) ?? {pair, force: 0, error: -1};
      edge.force += Math.hypot(...state.forces.subarray(3 * i, 3 * i + 3));
      edge.error = Math.max(edge.error, state.errors[i] ?? -1);
      edges.set(key, edge);
      for (const body of pair) {
        const middle = middles.get(body) ?? {sum: new three.Vector3(), count: 0};
        middle.sum.add(new three.Vector3().fromArray(state.points, 3 * i));
        ++middle.count;
        middles.set(body, middle);
      }
    }
    // As the camera sees it, without perspective.
    const {elements: e} = camera.matrixWorld;
    const seen = new Map<number, [number, number]>();
    scene.bodies.forEach((body, i) => {
      const middle = middles.get(i), p = new three.Vector3();
      if (moves(body)) p.fromArray(state.poses, 7 * i);
      else if (middle) p.copy(middle.sum).divideScalar(middle.count);
      else return;
      seen.set(i, [p.x * e[0] + p.y * e[1] + p.z * e[2], p.x * e[4] + p.y * e[5] + p.z * e[6]]);
    });
    const count = edges.size;
    this.graph.value.textContent = `${seen.size} bodies, ${count} pairs`;
    if (seen.size === 0) return;
    const all = [...seen.values()], xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
    const [left, right, low, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min((wide - 20) / Math.max(right - left, 1e-6), (high - 20) / Math.max(top - low, 1e-6));
    const at = (body: number): [number, number] => {
      const [x, y] = seen.get(body)!;
      return [wide / 2 + (x - (left + right) / 2) * scale, high / 2 - (y - (low + top) / 2) * scale];
    };
    const most = Math.max(1e-9, ...[...edges.values()].map(({force}) => force));
    for (const {pair, force, error} of edges.values()) {
      pen.strokeStyle = heat(error).getStyle();
      pen.lineWidth = 0.6 + 3.4 * Math.sqrt(force / most);
      pen.beginPath();
      pen.moveTo(...at(pair[0]));
      pen.lineTo(...at(pair[1]));
      pen.stroke();
    }
    pen.setLineDash([3, 2]);
    pen.strokeStyle = '#7a3fd0';
    pen.lineWidth = 1.5;
    (scene.joints ?? []).forEach(({first, second}, i) => {
      if (state.cut[i] || !seen.has(first) || !seen.has(second)) return;
      pen.beginPath();
      pen.moveTo(...at(first));
      pen.lineTo(...at(second));
      pen.stroke();
    });
    pen.setLineDash([]);
    const big = Math.min(5, Math.max(1.5, 40 / Math.sqrt(seen.size)));
    for (const body of seen.keys()) {
      const [x, y] = at(body);
      pen.fillStyle = on.colour(moves(scene.bodies[body]) ? '--ink' : '--ink-2');
      pen.beginPath();
      moves(scene.bodies[body]) ? pen.arc(x, y, big, 0, 7) : pen.rect(x - big, y - big, 2 * big, 2 * big);
      pen.fill();
    }
  }

  private draw_matrix() {
    const {given} = this, on = given && sheet(this.matrix.canvas);
    if (!given || !on) return;
    const rows = rows_of(given), {near, island, islands, blocks} = blocks_of(rows, given.scene), n = rows.length;
    this.matrix.value.textContent = n === 0 ? 'no contacts' :
        `${n} × ${n} blocks, ${(100 * blocks / n / n).toPrecision(2)} % not zero, ${islands} island${islands === 1 ? '' : 's'}`;
    if (n === 0) return;
    const {pen, wide, high} = on, side = Math.min(wide, high) - 2, one = side / n, mark = Math.max(one, 0.7);
    const left = (wide - side) / 2;
    pen.strokeStyle = on.colour('--line');
    pen.strokeRect(left, 1, side, side);
    for (const odd of [0, 1]) {
      pen.fillStyle = on.colour(odd ? '--pane-2' : '--pane-1');
      for (let i = 0; i < n; ++i)
        if (island[i] % 2 === odd) for (const j of near[i]) pen.fillRect(left + j * one, 1 + i * one, mark, mark);
    }
  }
}
