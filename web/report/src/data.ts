// The results, unpacked (src/bench/report_data.hpp tells how they were packed).

export interface Machine {
  cpu: string; cores: number; memory_bytes: number; os: string; compiler: string; flags: string;
  version: string; commit: string; date: string; load: number[];
}
export interface Settings {
  tolerance: number; error: string; max_iterations: number; time_limit: number;
  memory_limit: number; warm_start: boolean; repeat: number; facets: number; seed: number;
  set: Record<string, string>; jobs: number; command: string;
}
export interface Measure { name: string; unit: string; question: string }
export interface Solver {
  name: string; formulation: string; title: string; reference: string; friction: string; origin: string;
  set: string[];
}
export interface Problem {
  file: string; frame: number; title: string; tags: string[]; bodies: number; contacts: number;
  joints: number; joint_rows: number; hash: string;
  page?: string;  // that shows the frames of the file, beside the report
}
export interface Meta {
  title: string; rows: number; rows_planned: number; tolerances: number[]; machines: Machine[];
  settings: Settings; measures: Measure[]; solvers: Solver[]; problems: Problem[]; texts: string[];
  groups: {kind: 'all' | 'tag' | 'file'; name: string; figures: number}[];
  columns: {name: string; type: 'u32' | 'f32'; length: number}[];
  points: {name: string; type: 'count' | 'log' | 'mark'}[];
  chunks: [first: number, rows: number, points: number][];
}
export type ErrorName = 'own_error' | 'velocity_error';
export type HistoryError = ErrorName | 'normal_error' | 'friction_error';
export type Cost = 'seconds' | 'iterations';

// Of one choice of error, tolerance and cost (src/bench/profile.hpp); lists are by solver.
export interface Profile { x: Float32Array; counts: Uint32Array[] }
export interface Figures {
  ratio: Float32Array; cost: Float32Array;  // medians
  performance: Profile; data: Profile;
}

export interface History {
  row: number;
  iteration: Float64Array; seconds: Float64Array;
  own_error: Float64Array; velocity_error: Float64Array;
  normal_error: Float64Array; friction_error: Float64Array;
  restart: Uint8Array;
}

type Numbers = Uint32Array | Float32Array;
export const NEVER = 0xffffffff;

async function inflated(base64: string): Promise<Uint8Array> {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads values whose bytes 0 come first, then all bytes 1, and so on.
class Reader {
  private at = 0;
  constructor(private bytes: Uint8Array) {}

  private values<T extends Uint8Array | Uint16Array | Uint32Array | Float32Array>(list: T): T {
    const n = list.length, size = list.BYTES_PER_ELEMENT;
    const out = new Uint8Array(list.buffer);
    for (let b = 0; b < size; ++b)
      for (let i = 0, from = this.at + b * n; i < n; ++i) out[i * size + b] = this.bytes[from + i];
    this.at += n * size;
    return list;
  }
  u8(n: number) { return this.values(new Uint8Array(n)); }
  u16(n: number) { return this.values(new Uint16Array(n)); }
  u32(n: number) { return this.values(new Uint32Array(n)); }
  f32(n: number) { return this.values(new Float32Array(n)); }
}

// Differences added up again, modulo the range of the type.
function sums<T extends Uint16Array | Uint32Array>(list: T): T {
  for (let i = 1; i < list.length; ++i) list[i] += list[i - 1];
  return list;
}

function fromLogCode(codes: Uint16Array): Float64Array {
  return Float64Array.from(codes, (code) =>
      code === 0 ? 0 : code === 65535 ? NaN : 10 ** ((code - 1) / 65533 * 50 - 40));
}

export class Report {
  readonly solver: Uint32Array;
  readonly problem: Uint32Array;
  readonly seconds: Float32Array;
  readonly iterations: Uint32Array;
  private rowsOf: number[][];  // by problem
  private chunkTexts: string[];
  private unpacked = new Map<number, Promise<History[]>>();
  private figureTexts: string[];
  private unpackedFigures = new Map<number, Promise<Figures[]>>();

  constructor(readonly meta: Meta, private columns: Map<string, Numbers>, figures: string, histories: string) {
    this.solver = this.column('solver') as Uint32Array;
    this.problem = this.column('problem') as Uint32Array;
    this.seconds = this.column('seconds') as Float32Array;
    this.iterations = this.column('iterations') as Uint32Array;
    this.figureTexts = figures.split('\n');
    this.chunkTexts = histories.split('\n');
    this.rowsOf = meta.problems.map(() => []);
    for (let row = 0; row < meta.rows; ++row) this.rowsOf[this.problem[row]].push(row);
  }

  column(name: string): Numbers {
    const found = this.columns.get(name);
    if (!found) throw new Error(`the report lacks the column ${name}`);
    return found;
  }
  text(column: 'status' | 'message' | 'path', row: number): string {
    return this.meta.texts[this.column(column)[row]];
  }
  rowsOfProblem(problem: number): number[] { return this.rowsOf[problem]; }

  // What it cost to come down to tolerance number t; NaN: it never did.
  toTolerance(error: ErrorName, cost: Cost, t: number): (row: number) => number {
    const values = this.column(`first.${error}.${cost}`), from = t * this.meta.rows;
    if (cost === 'seconds') return (row) => values[from + row];
    return (row) => values[from + row] === NEVER ? NaN : values[from + row];
  }

  // The least of these costs on a problem, of all solvers; NaN: none reached the tolerance.
  best(error: ErrorName, cost: Cost, t: number): (problem: number) => number {
    const values = this.column(`best.${error}.${cost}`), from = t * this.meta.problems.length;
    return (problem) => values[from + problem];
  }

  // The figures of one group of problems; only what is looked at is unpacked.
  async figures(group: number, error: ErrorName, cost: Cost, t: number): Promise<Figures> {
    const {figures} = this.meta.groups[group];
    let all = this.unpackedFigures.get(figures);
    if (!all) {
      all = this.unpackFigures(figures);
      this.unpackedFigures.set(figures, all);
    }
    const choice = (error === 'own_error' ? 0 : this.meta.tolerances.length) + t;
    return (await all)[2 * choice + (cost === 'seconds' ? 0 : 1)];
  }

  private async unpackFigures(figures: number): Promise<Figures[]> {
    const solvers = this.meta.solvers.length, choices = 4 * this.meta.tolerances.length;
    const reader = new Reader(await inflated(this.figureTexts[figures]));
    const ratio = reader.f32(choices * solvers), cost = reader.f32(choices * solvers);
    const steps = reader.u32(2 * choices), total = steps.reduce((a, b) => a + b, 0);
    const codes = reader.u32(total), x = new Float32Array(total), bits = new Uint32Array(x.buffer), counts = reader.u32(total * solvers);
    let at = 0;
    const profile = (n: number): Profile => {
      const from = at;
      at += n;
      sums(codes.subarray(from, at)).forEach((code, i) => bits[from + i] = code << 14);
      return {x: x.subarray(from, at), counts: Array.from({length: solvers}, (_, s) =>
          sums(counts.subarray(from * solvers + s * n, from * solvers + (s + 1) * n)))};
    };
    return Array.from({length: choices}, (_, c) => ({
      ratio: ratio.subarray(c * solvers, (c + 1) * solvers), cost: cost.subarray(c * solvers, (c + 1) * solvers),
      performance: profile(steps[2 * c]), data: profile(steps[2 * c + 1]),
    }));
  }

  // The histories of one problem's rows; only the part of the file that holds them is unpacked.
  async histories(problem: number): Promise<History[]> {
    const rows = this.rowsOf[problem];
    if (!rows.length) return [];
    const chunk = this.meta.chunks.findIndex(([first, n]) => rows[0] >= first && rows[0] < first + n);
    let part = this.unpacked.get(chunk);
    if (!part) {
      part = this.unpack(chunk);
      this.unpacked.set(chunk, part);
    }
    return (await part).filter((history) => this.problem[history.row] === problem);
  }

  private async unpack(chunk: number): Promise<History[]> {
    const [first, rows, points] = this.meta.chunks[chunk];
    const reader = new Reader(await inflated(this.chunkTexts[chunk]));
    const counts = reader.u32(rows);
    const columns = this.meta.points.map(({name, type}) => [name,
        type === 'count' ? Float64Array.from(sums(reader.u32(points))) :
        type === 'log' ? fromLogCode(sums(reader.u16(points))) : reader.u8(points)] as const);
    const list: History[] = [];
    for (let i = 0, at = 0; i < rows; at += counts[i], ++i) {
      const parts = columns.map(([name, values]) => [name, values.subarray(at, at + counts[i])]);
      list.push({row: first + i, ...Object.fromEntries(parts)});
    }
    return list;
  }
}

export async function unpackReport(): Promise<Report> {
  const text = (id: string) => {
    const element = document.getElementById(id)!;
    const content = element.textContent!.trim();
    element.remove();  // what is unpacked is not kept twice
    return content;
  };
  const [meta, bytes] =
      await Promise.all([inflated(text('perpend-meta')), inflated(text('perpend-columns'))]);
  const names = JSON.parse(new TextDecoder().decode(meta)) as Meta;
  const reader = new Reader(bytes);
  const columns = new Map<string, Numbers>();
  for (const {name, type, length} of names.columns)
    columns.set(name, type === 'u32' ? reader.u32(length) : reader.f32(length));
  return new Report(names, columns, text('perpend-figures'), text('perpend-histories'));
}
