// A canvas to draw plots on, and what plots share.
import {h} from '../../report/src/dom';

export interface Sheet { pen: CanvasRenderingContext2D; wide: number; high: number; colour: (name: string) => string }

// Ready to draw in CSS pixels; null: it is not seen.
export function sheet(canvas: HTMLCanvasElement): Sheet | null {
  const wide = canvas.clientWidth, high = canvas.clientHeight, ratio = devicePixelRatio;
  if (!wide || canvas.offsetParent === null) return null;
  if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
  }
  const pen = canvas.getContext('2d')!, style = getComputedStyle(canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, wide, high);
  pen.font = `10px ${style.fontFamily}`;
  return {pen, wide, high, colour: (name) => style.getPropertyValue(name)};
}

export const pane_colour = (on: Sheet, pane: number) => on.colour(`--pane-${pane + 1}`);

export function figure(title: string, about: string) {
  const canvas = h('canvas', {role: 'img', 'aria-label': about}), value = h('output');
  return {canvas, value, element: h('figure', {}, h('figcaption', {}, h('span', {}, title), value), canvas)};
}

// Calls draw at most once a frame, and after the size or the colours changed.
export function drawn(element: HTMLElement, draw: () => void): () => void {
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
  new ResizeObserver(ask).observe(element);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ask);
  return ask;
}

export function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 1e-3 || size >= 1e5) return value.toExponential(1);
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

// Lines and labels at the lowest and highest value.
export function axis({pen, wide, colour}: Sheet, margin: number, ends: {at: number; text: string}[], high: number) {
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (const {at, text} of ends) {
    pen.strokeStyle = colour('--line');
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(margin, at);
    pen.lineTo(wide, at);
    pen.stroke();
    pen.fillStyle = colour('--ink-2');
    pen.fillText(text, margin - 4, Math.min(Math.max(at, 6), high - 6));
  }
}

export function line({pen}: Sheet, colour: string, points: [number, number][]) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.lineJoin = 'round';
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
}
