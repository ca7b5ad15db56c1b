// The numbers of a template as sliders, and any frame as text that may be changed by hand.
import {button, h} from '../../../report/src/dom';
import {short, starts, type Slider, type Template, type Values} from './template';

const value_at = ({log}: Slider, at: number) => log ? Number((10 ** at).toPrecision(2)) : at;
const place_of = ({log}: Slider, value: number) => log ? Math.log10(value) : value;

export class Sliders {
  readonly element = h('div', {class: 'sliders'});
  values: Values = {};

  constructor(private readonly changed: () => void) {}

  show(template: Template, given: Values = {}) {
    this.values = starts(template);
    this.element.replaceChildren(...template.sliders.map((slider) => {
      const {name, label, unit, lowest, highest, step} = slider;
      const wanted = place_of(slider, given[name] ?? NaN);
      if (wanted >= lowest && wanted <= highest) this.values[name] = given[name];
      const out = h('output'), range = h('input', {type: 'range', 'aria-label': label, min: lowest, max: highest, step, value: place_of(slider, this.values[name])});
      const tell = () => {
        out.textContent = `${short(this.values[name])} ${unit}`.trim();
        range.setAttribute('aria-valuetext', out.textContent);
      };
      range.addEventListener('input', () => {
        this.values[name] = value_at(slider, Number(range.value));
        tell();
        this.changed();
      });
      tell();
      return h('label', {}, h('span', {}, label), range, out);
    }));
  }
  hide() { this.element.replaceChildren(); }
}

// The frame as text. `use` is called with what a person wrote.
export class Text {
  readonly element: HTMLDetailsElement;
  private readonly area = h('textarea', {rows: 12, spellcheck: false, 'aria-label': 'The frame as JSON'});
  private readonly wrong = h('p', {class: 'wrong', role: 'alert', hidden: true});

  constructor(use: (text: string) => void, save: () => void) {
    this.element = h('details', {class: 'text'}, h('summary', {}, 'The problem as text'),
        h('p', {class: 'words'}, 'Bodies, contacts and the time step in one JSON line. Change a number and use it, or drop a .jsonl file on this page.'),
        this.area, this.wrong,
        h('div', {class: 'hand'}, button('Use this text', () => use(this.area.value)), button('Save as a file', save, {title: 'For perpend solve FILE'})));
    this.area.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) use(this.area.value);
    });
  }
  show(text: string) {
    this.area.value = pretty(text);
  }
  complain(words: string) {
    this.wrong.textContent = words;
    this.wrong.hidden = words === '';
    if (words) this.element.open = true;
  }
}

// A frame on several lines, a column on each: lists of numbers stay on one line.
function pretty(line: string): string {
  try {
    const columns = (part: object, indent: string) => Object.entries(part).map(([name, value]) =>
        `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n');
    const frame = JSON.parse(line);
    return `{${Object.entries(frame).map(([name, value]) => value && typeof value === 'object' && !Array.isArray(value) ?
        `${JSON.stringify(name)}: {\n${columns(value, '  ')}}` : `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n')}}`;
  } catch {
    return line;
  }
}
// One frame on several lines becomes one line again; several frames are a line each already.
export function as_lines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
