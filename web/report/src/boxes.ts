// Boxes of quantiles, a group of them for each stage: whiskers from 5 % to 95 %, a box from 25 % to
// 75 % with the median, dots for the least and the largest. A click or Enter opens a box.
import {type AxisKind, label, logSplits, type Range, rangeOf} from './chart';
import type {Distribution} from './data';
import {h} from './dom';
import {COLOURS} from './look';

export interface Box extends Distribution { solver: number }
export interface BoxPlot {
  title: string;
  stages: {name: string; boxes: Box[]}[];
  y: AxisKind;
  empty: string;
  describe: (box: Box, stage: number) => string[];
  open: (box: Box) => void;
}

const HEIGHT = 360, LEFT = 66, BOTTOM = 34, TOP = 8, RIGHT = 8;

function s(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  element.append(...children);
  return element;
}

export class Boxes {
  readonly element = h('figure', {class: 'chart boxes'});
  private caption = h('figcaption');
  private body = h('div', {class: 'plot'});
  private tip = h('div', {class: 'tip', hidden: true, role: 'status'});
  private drawn?: BoxPlot;
  private width = 0;

  constructor() {
    this.element.append(this.caption, this.body, this.tip);
    new ResizeObserver(() => { if (this.drawn && this.body.clientWidth !== this.width) this.draw(this.drawn); }).observe(this.body);
  }

  draw(drawn: BoxPlot) {
    this.drawn = drawn;
    this.tip.hidden = true;
    this.caption.textContent = drawn.title;
    const boxes = drawn.stages.flatMap((stage) => stage.boxes);
    this.element.dataset.lines = `${new Set(boxes.map(({solver}) => solver)).size}`;
    this.element.dataset.points = `${boxes.length}`;
    this.width = this.body.clientWidth;
    if (!boxes.length) {
      this.body.replaceChildren(h('p', {class: 'empty'}, drawn.empty));
      return;
    }
    const width = Math.max(this.width, 260), range = rangeOf(boxes.map(({quantiles}) => quantiles), drawn.y);
    const place = this.place(range, drawn.y);
    const svg = s('svg', {viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'group', 'aria-label': drawn.title}, ...this.axis(range, drawn.y, place, width));
    const stageWidth = (width - LEFT - RIGHT) / drawn.stages.length;
    drawn.stages.forEach(({name, boxes: list}, stage) => {
      const left = LEFT + stage * stageWidth, step = Math.min(stageWidth * 0.92 / Math.max(list.length, 1), 56);
      const first = left + (stageWidth - step * list.length) / 2;
      if (stage) svg.append(s('path', {class: 'rule', d: `M${left} ${TOP}V${HEIGHT - BOTTOM}`}));
      svg.append(s('text', {x: left + stageWidth / 2, y: HEIGHT - 10, 'text-anchor': 'middle'}, name));
      list.forEach((box, b) => svg.append(this.box(box, stage, first + (b + 0.5) * step, Math.min(step * 0.62, 22), place)));
    });
    this.body.replaceChildren(svg);
  }

  emphasize(solver: number) {
    for (const box of this.body.querySelectorAll<SVGElement>('.box'))
      box.style.opacity = solver < 0 || box.dataset.solver === `${solver}` ? '1' : '0.15';
  }

  private place({min, max, zero}: Range, {log}: AxisKind) {
    const room = HEIGHT - TOP - BOTTOM, to = log ? Math.log10 : (value: number) => value;
    return (value: number) => TOP + room * (to(max) - to(log && value <= 0 ? zero : value)) / (to(max) - to(min));
  }

  private axis({min, max}: Range, y: AxisKind, place: (value: number) => number, width: number): SVGElement[] {
    const linear = () => {
      const step = 10 ** Math.floor(Math.log10(max - min)) / 2, list: number[] = [];
      for (let value = Math.ceil(min / step) * step; value <= max; value += step) list.push(value);
      return list.filter((_, i) => i % Math.ceil(list.length / 8) === 0);
    };
    const splits = y.log ? logSplits(min, max, HEIGHT / 34) : linear();
    return [
      ...splits.flatMap((value) => [
        s('path', {class: 'rule', d: `M${LEFT} ${place(value)}H${width - RIGHT}`}),
        s('text', {x: LEFT - 6, y: place(value) + 4, 'text-anchor': 'end'}, label(value, y))]),
      s('text', {transform: `translate(13 ${(HEIGHT - BOTTOM) / 2}) rotate(-90)`, 'text-anchor': 'middle'}, y.label),
    ];
  }

  private box(box: Box, stage: number, x: number, width: number, place: (value: number) => number): SVGElement {
    const colour = `var(--series-${box.solver % COLOURS})`;
    const [least, low, first, middle, third, high, most] = Array.from(box.quantiles, place), half = width / 2;
    const words = this.drawn!.describe(box, stage);
    const group = s('g', {class: 'box', 'data-solver': box.solver, tabindex: 0, role: 'button', 'aria-label': words.join(', '), stroke: colour, fill: colour},
        s('path', {d: `M${x} ${low}V${high}M${x - half / 2} ${low}h${half}M${x - half / 2} ${high}h${half}`, fill: 'none', 'stroke-width': 1.4}),
        s('rect', {x: x - half, y: third, width, height: Math.max(first - third, 0.8), 'fill-opacity': 0.25, 'stroke-width': 1.4}),
        s('path', {d: `M${x - half} ${middle}h${width}`, 'stroke-width': 2.6}),
        s('circle', {cx: x, cy: least, r: 1.6, stroke: 'none'}), s('circle', {cx: x, cy: most, r: 1.6, stroke: 'none'}),
        s('rect', {x: x - half - 2, y: most - 4, width: width + 4, height: least - most + 8, opacity: 0}));
    const show = () => {
      const [head, ...lines] = words;
      this.tip.replaceChildren(h('strong', {}, head), ...lines.map((line) => h('div', {}, line)));
      this.tip.style.setProperty('--tip', colour);
      this.tip.hidden = false;
      this.tip.style.left = `${Math.min(x + half + 8, this.element.clientWidth - this.tip.offsetWidth - 4)}px`;
      this.tip.style.top = `${this.body.offsetTop + Math.min(third, HEIGHT - 110)}px`;
      this.emphasize(box.solver);
    };
    const hide = () => { this.tip.hidden = true; this.emphasize(-1); };
    for (const on of ['mouseenter', 'focus']) group.addEventListener(on, show);
    for (const off of ['mouseleave', 'blur']) group.addEventListener(off, hide);
    group.addEventListener('click', () => this.drawn!.open(box));
    group.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key !== 'Enter') return;
      event.preventDefault();  // it would press the first button of what opens
      this.drawn!.open(box);
    });
    return group;
  }
}
