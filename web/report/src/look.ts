// How numbers are written and how a solver looks: the same colour, dashes and marker everywhere.

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export function tenTo(power: number): string {
  if (power === 0) return '1';
  if (power === 1) return '10';
  const digits = [...`${Math.abs(power)}`].map((d) => SUPERSCRIPT[Number(d)]).join('');
  return `10${power < 0 ? '⁻' : ''}${digits}`;
}

// Three digits; powers of ten as such.
export function short(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  const size = Math.abs(value);
  if (size >= 0.001 && size < 1e5) {
    const text = Number(value.toPrecision(3));
    return text >= 1e4 ? text.toLocaleString('en') : `${text}`.replace('-', '−');
  }
  const power = Math.floor(Math.log10(size) + 1e-9), digits = Number((value / 10 ** power).toPrecision(3));
  return digits === 1 ? tenTo(power) : `${`${digits}`.replace('-', '−')}·${tenTo(power)}`;
}

// A tolerance, as the power of ten that it is.
export function tolerance(value: number): string {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9 ? tenTo(Math.round(power)) : short(value);
}

export function time(seconds: number): string {
  if (Number.isNaN(seconds)) return '–';
  if (seconds === 0) return '0 s';
  if (seconds < 0.9995e-6) return `${short(seconds * 1e9)} ns`;
  if (seconds < 0.9995e-3) return `${short(seconds * 1e6)} µs`;
  if (seconds < 0.9995) return `${short(seconds * 1e3)} ms`;
  return `${short(seconds)} s`;
}

export const whole = (value: number) => Number.isNaN(value) ? '–' : value.toLocaleString('en');
export const withUnit = (value: number, unit: string) =>
    Number.isNaN(value) || !unit ? short(value) : `${short(value)} ${unit}`;
export const plural = (n: number, one: string, many = `${one}s`) =>
    `${whole(n)} ${n === 1 ? one : many}`;

// Eight colours that people with any colour vision can tell apart (after Okabe and Ito), then the
// same again with other dashes and markers. style.css has them for light and dark.
export const COLOURS = 8;
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 3, 1, 3, 1, 3], [1, 5]];
export type Marker = 'circle' | 'square' | 'diamond' | 'up' | 'down' | 'plus' | 'cross';
const MARKERS: Marker[] = ['circle', 'square', 'diamond', 'up', 'down', 'plus', 'cross'];

export interface Look { colour: string; dash: number[]; marker: Marker }
export function look(solver: number): Look {
  const style = getComputedStyle(document.documentElement);
  const round = Math.floor(solver / COLOURS) % DASHES.length;
  return {
    colour: style.getPropertyValue(`--series-${solver % COLOURS}`).trim(),
    dash: DASHES[round], marker: MARKERS[round],
  };
}

export function drawMarker(to: CanvasRenderingContext2D | Path2D, marker: Marker, x: number,
                           y: number, r: number) {
  const corners = (...points: [number, number][]) => {
    points.forEach(([dx, dy], i) => i ? to.lineTo(x + dx * r, y + dy * r) : to.moveTo(x + dx * r, y + dy * r));
    to.closePath();
  };
  switch (marker) {
    case 'circle': to.moveTo(x + r, y); to.arc(x, y, r, 0, 2 * Math.PI); break;
    case 'square': corners([-.9, -.9], [.9, -.9], [.9, .9], [-.9, .9]); break;
    case 'diamond': corners([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]); break;
    case 'up': corners([0, -1.2], [1.1, .9], [-1.1, .9]); break;
    case 'down': corners([0, 1.2], [1.1, -.9], [-1.1, -.9]); break;
    case 'plus': corners([-.35, -1.2], [.35, -1.2], [.35, -.35], [1.2, -.35], [1.2, .35], [.35, .35],
                         [.35, 1.2], [-.35, 1.2], [-.35, .35], [-1.2, .35], [-1.2, -.35], [-.35, -.35]); break;
    case 'cross': corners([0, -.5], [.7, -1.2], [1.2, -.7], [.5, 0], [1.2, .7], [.7, 1.2], [0, .5],
                          [-.7, 1.2], [-1.2, .7], [-.5, 0], [-1.2, -.7], [-.7, -1.2]); break;
  }
}

// A piece of the solver's line with its marker.
export function swatch(solver: number): SVGElement {
  const {dash, marker} = look(solver), colour = `var(--series-${solver % COLOURS})`;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 26 12');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('aria-hidden', 'true');
  const symbol = {
    circle: '<circle cx="13" cy="6" r="3.6"/>',
    square: '<rect x="9.6" y="2.6" width="6.8" height="6.8"/>',
    diamond: '<path d="M13 1.2 17.8 6 13 10.8 8.2 6z"/>',
    up: '<path d="M13 1.6 17 9.4H9z"/>',
    down: '<path d="M13 10.4 17 2.6H9z"/>',
    plus: '<path d="M11.7 1.5h2.6v3.2h3.2v2.6h-3.2v3.2h-2.6V7.3H8.5V4.7h3.2z"/>',
    cross: '<path d="m13 4.1 2.6-2.6 1.9 1.9L14.9 6l2.6 2.6-1.9 1.9L13 7.9l-2.6 2.6-1.9-1.9L11.1 6 8.5 3.4l1.9-1.9z"/>',
  }[marker];
  svg.innerHTML = `<path d="M0 6H26" fill="none" stroke="${colour}" stroke-width="2" ` +
      `stroke-dasharray="${dash.join(' ')}"/><g fill="${colour}">${symbol}</g>`;
  return svg;
}
