// Elements with few words.
type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: (Child | Child[])[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : `${value}`);
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      element.append(typeof child === 'number' ? `${child}` : child);
  return element;
}

export function select<T extends string | number>(
    label: string, options: {value: T; text: string}[], chosen: T, choose: (value: T) => void,
    attributes: Attributes = {}): HTMLLabelElement {
  const list = h('select', attributes, options.map(({value, text}) =>
      h('option', {value, selected: value === chosen}, text)));
  list.addEventListener('change', () => choose(options[list.selectedIndex].value));
  return h('label', {class: 'field'}, h('span', {}, label), list);
}

// Two or three choices side by side.
export function choice<T extends string>(
    label: string, options: {value: T; text: string}[], chosen: T,
    choose: (value: T) => void): HTMLFieldSetElement {
  const name = `choice-${label.replace(/\W/g, '-')}-${Math.floor(Math.random() * 1e9)}`;
  return h('fieldset', {class: 'choice'}, h('legend', {}, label),
           h('span', {class: 'segments'}, options.map(({value, text}) => {
             const input = h('input', {type: 'radio', name, value, checked: value === chosen});
             input.addEventListener('change', () => choose(value));
             return h('label', {}, input, h('span', {}, text));
           })));
}

export interface Column<Row> {
  title: string;
  hint?: string;
  text?: boolean;                               // left, sorted by letters
  sort: (row: Row) => number | string;
  cell: (row: Row) => Node | string;
}

// A table whose columns sort it; NaN last. Long ones show some rows, and more when asked.
export function sortable<Row>(caption: string, columns: Column<Row>[], rows: Row[],
                              start: {column: number; down: boolean}, most = 100): HTMLElement {
  let {column, down} = start, shown = most;
  const body = h('tbody');
  const more = h('button', {class: 'more', onclick: () => { shown += 500; fill(); }});
  const heads = columns.map((one, c) => h('th', {scope: 'col', class: one.text ? 'text' : ''},
      h('button', {title: one.hint, onclick: () => {
        down = c === column ? !down : !one.text && c !== 0;
        column = c;
        fill();
      }}, one.title)));
  const compare = (a: Row, b: Row) => {
    const x = columns[column].sort(a), y = columns[column].sort(b);
    if (typeof x === 'string' || typeof y === 'string')
      return `${x}`.localeCompare(`${y}`, 'en', {numeric: true}) * (down ? -1 : 1);
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return (x - y) * (down ? -1 : 1);
  };
  const fill = () => {
    heads.forEach((head, c) => head.setAttribute(
        'aria-sort', c !== column ? 'none' : down ? 'descending' : 'ascending'));
    const sorted = [...rows].sort(compare);
    body.replaceChildren(...sorted.slice(0, shown).map((row) => h('tr', {}, columns.map((one, c) =>
        h(c ? 'td' : 'th', c ? {class: one.text ? 'text' : ''} : {scope: 'row'}, one.cell(row))))));
    more.hidden = rows.length <= shown;
    more.textContent = `Show more (${(rows.length - shown).toLocaleString('en')} left)`;
  };
  fill();
  return h('div', {class: 'table', tabindex: 0, role: 'region', 'aria-label': caption},
           h('table', {}, h('caption', {class: 'hidden'}, caption),
             h('thead', {}, h('tr', {}, heads)), body), more);
}

export const button = (text: Child | Child[], click: () => void, attributes: Attributes = {}) =>
    h('button', {type: 'button', ...attributes, onclick: click}, text);
