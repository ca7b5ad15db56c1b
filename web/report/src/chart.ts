// A plot by uPlot: lines or points, log or linear axes, a tooltip at the nearest point, a click or
// Enter that opens it. Dragging zooms, a double click zooms out again.
import uPlot from 'uplot';
import {h} from './dom';
import {drawMarker, look, tenTo, time, whole} from './look';

export interface Series {
  solver: number;
  x: ArrayLike<number>; y: ArrayLike<number>;  // x ascending in lines
  restart?: ArrayLike<number>;                 // 1: marked
  hollow?: ArrayLike<number>;                  // 1: an empty marker
}
export interface AxisKind { label: string; log: boolean; kind: 'number' | 'seconds' | 'share' }
export interface Plot {
  title: string;
  x: AxisKind; y: AxisKind;
  kind: 'steps' | 'lines' | 'points';
  series: Series[];
  empty: string;                                    // what to say when there is nothing to draw
  describe: (series: Series, i: number) => string[];  // lines of the tooltip
  open: (series: Series, i: number) => void;
}

const HEIGHT = 340;
const MANY = 16;  // lines; more are drawn thinner

// What an axis shows: a little more than the data; zero gets a place of its own on a log axis.
export interface Range { min: number; max: number; zero: number }
export function rangeOf(lists: ArrayLike<number>[], {log, kind}: AxisKind): Range {
  let min = Infinity, max = -Infinity, zeros = false;
  for (const list of lists)
    for (let i = 0; i < list.length; ++i) {
      const value = list[i];
      if (log && value <= 0) zeros = true;
      else if (value < min) min = value;
      if (value > max) max = value;
    }
  if (kind === 'share') return {min: 0, max: 1.02, zero: 0};
  if (!log) {
    const low = min < 0 ? min * 1.04 : 0, high = max > 0 ? max * 1.04 : 0;
    return {min: low, max: high > low ? high : low + 1, zero: 0};
  }
  if (!Number.isFinite(min)) return {min: 0.1, max: 10, zero: 0.1};
  const least = zeros ? min / 4 : min, room = Math.max((max / least) ** 0.03, 1.05);
  return {min: least / room, max: max * room, zero: least};
}

export function logSplits(min: number, max: number, room: number): number[] {
  const low = Math.log10(min), high = Math.log10(max), list: number[] = [];
  if (high - low < 1.7) {
    for (let p = Math.floor(low); p <= high; ++p)
      for (const d of [1, 2, 5]) if (d * 10 ** p >= min && d * 10 ** p <= max) list.push(d * 10 ** p);
    return list;
  }
  const step = Math.max(1, Math.ceil((high - low) / room));
  for (let p = Math.ceil(low / step - 1e-9) * step; p <= high + 1e-9; p += step)
    list.push(Number(`1e${p}`));
  return list;
}

export function label(value: number, {kind}: AxisKind): string {
  if (kind === 'share') return `${Math.round(value * 100)} %`;
  if (kind === 'seconds') return time(value);
  const power = Math.log10(value);
  if (value > 0 && Math.abs(power - Math.round(power)) < 1e-9 && (power < -2 || power > 3))
    return tenTo(Math.round(power));
  return value >= 1000 ? whole(value) : `${Number(value.toPrecision(3))}`;
}

export class Chart {
  readonly element = h('figure', {class: 'chart', tabindex: 0, role: 'group'});
  private body = h('div', {class: 'plot'});
  private tip = h('div', {class: 'tip', hidden: true, role: 'status'});
  private ring = h('div', {class: 'ring', hidden: true});  // around the point chosen
  private caption = h('figcaption');
  private plot?: uPlot;
  private drawn?: Plot;
  private ranges!: {x: Range; y: Range};
  private at?: [series: number, point: number];  // under the pointer, or chosen by keys
  private emphasis = -1;                         // solver
  private grid = new Map<number, [number, number][]>();

  constructor() {
    this.element.append(this.caption, this.body, this.tip);
    new ResizeObserver(() => this.resize()).observe(this.body);
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.element.addEventListener('blur', () => this.point(undefined));
  }

  draw(drawn: Plot) {
    this.drawn = drawn;
    this.point(undefined);
    this.plot?.destroy();
    this.plot = undefined;
    this.grid.clear();
    this.caption.textContent = drawn.title;
    const series = drawn.series = drawn.series.filter(({y}) => y.length > 0);
    let points = 0;
    for (const {y} of series) points += y.length;
    this.element.dataset.lines = `${series.length}`;
    this.element.dataset.points = `${points}`;
    this.element.setAttribute('aria-label', `${drawn.title}. ${series.length} solvers. ` +
        'Arrow keys, Home and End move between points and solvers, Enter opens a point.');
    if (!points) {
      this.body.replaceChildren(h('p', {class: 'empty'}, drawn.empty));
      return;
    }
    this.ranges = {x: rangeOf(series.map(({x}) => x), drawn.x), y: rangeOf(series.map(({y}) => y), drawn.y)};
    this.body.replaceChildren();
    this.plot = new uPlot(this.options(drawn), this.aligned(drawn), this.body);
    const over = this.plot.over;
    over.addEventListener('mousemove', (event) => this.point(this.nearest(event.offsetX, event.offsetY)));
    over.addEventListener('mouseleave', () => this.point(undefined));
    let pressed: [number, number] | undefined;
    over.addEventListener('mousedown', (event) => pressed = [event.clientX, event.clientY]);
    over.addEventListener('click', (event) => {
      if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;  // zoomed
      const found = this.nearest(event.offsetX, event.offsetY);
      if (found) drawn.open(drawn.series[found[0]], found[1]);
    });
  }

  // One solver stands out, the others fade; -1: all alike.
  emphasize(solver: number) {
    if (solver === this.emphasis) return;
    this.emphasis = solver;
    if (!this.plot || !this.drawn) return;
    this.drawn.series.forEach((one, i) => {
      this.plot!.series[i + 1].alpha = solver < 0 || one.solver === solver ? 1 : 0.12;
    });
    this.plot.redraw(false);
  }

  private resize() {
    const width = this.body.clientWidth;
    if (!this.plot || width <= 0 || width === this.plot.width) return;
    this.plot.setSize({width, height: HEIGHT});
    this.grid.clear();
    this.point(undefined);
  }

  private shown(value: number, axis: 'x' | 'y'): number {
    return this.drawn![axis].log && value <= 0 ? this.ranges[axis].zero : value;
  }

  // uPlot wants one x for all lines. Points are drawn by us: they get the corners only.
  private aligned({series, kind}: Plot): uPlot.AlignedData {
    if (kind === 'points') {
      const {x, y} = this.ranges;
      return [[x.min, x.max], ...series.map(() => [y.min, y.max])] as uPlot.AlignedData;
    }
    if (kind === 'steps') return [series[0].x, ...series.map(({y}) => y)] as uPlot.AlignedData;
    return uPlot.join(series.map(({x, y}) => {
      const xs: number[] = [], ys: number[] = [];
      for (let i = 0; i < x.length; ++i) {
        let place = this.shown(x[i], 'x');
        if (i && place <= xs[i - 1]) place = xs[i - 1] * (1 + 1e-12);  // join wants them distinct
        xs.push(place);
        ys.push(this.shown(y[i], 'y'));
      }
      return [xs, ys] as uPlot.AlignedData;
    }));
  }

  private options(drawn: Plot): uPlot.Options {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--ink-2').trim(), rule = style.getPropertyValue('--grid').trim();
    const font = `12px ${style.getPropertyValue('--font').trim()}`;
    const axis = (which: 'x' | 'y'): uPlot.Axis => ({
      label: drawn[which].label, labelFont: font, font, stroke: ink, labelSize: 20,
      size: which === 'y' ? 54 : 34, gap: 4,
      grid: {stroke: rule, width: 1}, ticks: {stroke: rule, size: 4}, border: {show: true, stroke: rule},
      ...drawn[which].log ? {
        splits: (u: uPlot, _: number, min: number, max: number) => logSplits(
            min, max, which === 'x' ? u.bbox.width / devicePixelRatio / 64 : u.bbox.height / devicePixelRatio / 34),
        filter: (_: uPlot, splits: number[]) => splits,  // uPlot would leave out 2 and 5
      } : {space: which === 'x' ? 64 : 36},
      values: (_: uPlot, splits: number[]) => splits.map((value) => label(value, drawn[which])),
    });
    const scale = (which: 'x' | 'y'): uPlot.Scale => {
      const {min, max} = this.ranges[which];
      return {time: false, distr: drawn[which].log ? 3 : 1, auto: false, min, max,
              range: (_: uPlot, low: number, high: number) => [low, high]};
    };
    const steps = uPlot.paths.stepped!({align: 1}), straight = uPlot.paths.linear!();
    return {
      width: Math.max(this.body.clientWidth, 200), height: HEIGHT,
      legend: {show: false},
      cursor: {points: {show: false}, x: false, y: false,
               drag: {x: true, y: drawn.kind === 'points', uni: 20},
               bind: {dblclick: (u) => () => { this.zoomOut(u); return null; }}},
      scales: {x: scale('x'), y: scale('y')},
      axes: [axis('x'), axis('y')],
      series: [{}, ...drawn.series.map(({solver}) => {
        const {colour, dash} = look(solver);
        return {
          stroke: colour, width: drawn.series.length > MANY ? 1.3 : 2, dash, spanGaps: true, points: {show: false},
          paths: drawn.kind === 'points' ? () => null : drawn.kind === 'steps' ? steps : straight,
          alpha: this.emphasis < 0 || this.emphasis === solver ? 1 : 0.12,
        } as uPlot.Series;
      })],
      hooks: {draw: [(u) => this.drawPoints(u)], setScale: [() => { this.grid.clear(); this.point(undefined); }]},
    };
  }
  private zoomOut(u: uPlot) {
    const {x, y} = this.ranges;
    u.batch(() => {
      u.setScale('x', {min: x.min, max: x.max});
      u.setScale('y', {min: y.min, max: y.max});
    });
  }

  // Points, restarts, and the ends of lines.
  private drawPoints(u: uPlot) {
    const {series, kind} = this.drawn!, {ctx} = u, ratio = devicePixelRatio;
    const surface = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim();
    const many = series.reduce((n, {y}) => n + y.length, 0);
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    for (const one of series) {
      const {colour, marker} = look(one.solver);
      ctx.globalAlpha = this.emphasis >= 0 && this.emphasis !== one.solver ? 0.06 :
          kind === 'points' && many > 3000 ? 0.7 : 1;
      ctx.fillStyle = ctx.strokeStyle = colour;
      ctx.lineWidth = 1.4 * ratio;
      const place = (i: number): [number, number] => [
        u.valToPos(this.shown(one.x[i], 'x'), 'x', true), u.valToPos(this.shown(one.y[i], 'y'), 'y', true)];
      if (kind === 'points') {
        const radius = (many > 20000 ? 1.6 : many > 3000 ? 2.2 : 3.6) * ratio;
        const filled = new Path2D(), hollow = new Path2D();
        for (let i = 0; i < one.y.length; ++i)
          drawMarker(one.hollow?.[i] ? hollow : filled, marker, ...place(i), radius);
        ctx.fill(filled);
        ctx.stroke(hollow);
      } else if (kind === 'lines') {
        for (let i = 0; i < one.y.length; ++i) {
          const last = i === one.y.length - 1;
          if (!one.restart?.[i] && !last) continue;
          ctx.beginPath();
          drawMarker(ctx, one.restart?.[i] ? 'diamond' : marker, ...place(i), (series.length > MANY ? 2.3 : 3.5) * ratio);
          if (one.restart?.[i]) {
            ctx.fillStyle = surface;
            ctx.fill();
            ctx.fillStyle = colour;
            ctx.stroke();
          } else {
            ctx.fill();
          }
        }
      }
    }
    ctx.restore();
  }

  private screen(series: number, i: number): [number, number] {
    const {x, y} = this.drawn!.series[series];
    return [this.plot!.valToPos(this.shown(x[i], 'x'), 'x'), this.plot!.valToPos(this.shown(y[i], 'y'), 'y')];
  }

  // The point of the plot nearest to these pixels, not farther than 40 of them.
  private nearest(px: number, py: number): [number, number] | undefined {
    const {series, kind} = this.drawn!;
    let best: [number, number] | undefined, least = 40;
    const consider = (s: number, i: number, dx: number, dy: number) => {
      const distance = Math.hypot(dx, dy);
      if (distance < least) { least = distance; best = [s, i]; }
    };
    if (kind === 'points') {
      if (!this.grid.size) this.fillGrid();
      for (let gx = -1; gx <= 1; ++gx)
        for (let gy = -1; gy <= 1; ++gy)
          for (const [s, i] of this.grid.get(cell(px + gx * CELL, py + gy * CELL)) ?? []) {
            const [x, y] = this.screen(s, i);
            consider(s, i, x - px, y - py);
          }
      return best;
    }
    const at = this.plot!.posToVal(px, 'x');
    series.forEach(({x}, s) => {
      let low = 0, high = x.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.shown(x[middle], 'x') <= at) low = middle;
        else high = middle - 1;
      }
      for (const i of [low, low + 1]) {
        if (i >= x.length) continue;
        const [sx, sy] = this.screen(s, i);
        // A step holds until the next one: its height counts, not how far back it began.
        consider(s, i, kind === 'steps' && i === low ? 0 : sx - px, sy - py);
      }
    });
    return best;
  }
  private fillGrid() {
    this.drawn!.series.forEach(({y}, s) => {
      for (let i = 0; i < y.length; ++i) {
        const key = cell(...this.screen(s, i)), list = this.grid.get(key);
        if (list) list.push([s, i]);
        else this.grid.set(key, [[s, i]]);
      }
    });
  }

  private point(to: [number, number] | undefined) {
    if (to?.[0] === this.at?.[0] && to?.[1] === this.at?.[1]) return;
    this.at = to;
    this.tip.hidden = this.ring.hidden = !to;
    if (!this.plot) return;
    if (this.drawn!.kind !== 'points') this.emphasize(to ? this.drawn!.series[to[0]].solver : -1);
    this.plot.over.style.cursor = to ? 'pointer' : 'default';
    if (!to) return;
    const series = this.drawn!.series[to[0]];
    const [head, ...lines] = this.drawn!.describe(series, to[1]);
    this.tip.replaceChildren(h('strong', {}, head), ...lines.map((line) => h('div', {}, line)));
    this.tip.style.setProperty('--tip', `var(--series-${series.solver % 8})`);
    const [x, y] = this.screen(...to), left = this.plot.over.offsetLeft, width = this.element.clientWidth;
    const size = this.tip.offsetWidth;
    this.ring.style.cssText = `left:${x}px;top:${y}px;border-color:var(--series-${series.solver % 8})`;
    this.plot.over.append(this.ring);
    this.tip.style.left = `${Math.min(Math.max(left + x + 14, 0), width - size - 4)}px`;
    this.tip.style.top = `${this.body.offsetTop + this.plot.over.offsetTop + y + 16}px`;
  }

  private key(event: KeyboardEvent) {
    const series = this.drawn?.series;
    if (!this.plot || !series?.length) return;
    let [s, i] = this.at ?? [0, -1];
    switch (event.key) {
      case 'ArrowRight': ++i; break;
      case 'ArrowLeft': --i; break;
      case 'Home': i = 0; break;
      case 'End': i = series[s].y.length - 1; break;
      case 'ArrowDown': s = (s + 1) % series.length; break;
      case 'ArrowUp': s = (s + series.length - 1) % series.length; break;
      case 'Escape': this.point(undefined); return;
      case 'Enter': if (this.at) this.drawn!.open(series[s], i); break;
      default: return;
    }
    event.preventDefault();
    this.point([s, Math.min(Math.max(i, 0), series[s].y.length - 1)]);
  }
}

const CELL = 40;
const cell = (x: number, y: number) => Math.floor(x / CELL) * 4096 + Math.floor(y / CELL);
