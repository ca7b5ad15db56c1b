// Everything beside the picture: buttons, settings as the program lists them, what is drawn, numbers.
import {button, h} from '../../report/src/dom';
import {HEAT_STYLE, MODE_NAMES, type Shown} from './contacts';
import type {State, ToProgram} from './messages';
import {moves, type Scene} from './scene';

export interface Setting {
  name: string;
  label: string;
  unit: string;
  value: string;
  choices?: string[];
  lowest?: number;
  highest?: number;
  whole?: boolean;
  pane?: number;  // from 1: it is this pane's alone
}
type Send = (message: ToProgram) => void;

const remembered = <T extends object>(key: string, fallback: T): T => {
  try {
    return {...fallback, ...JSON.parse(localStorage.getItem(key) ?? '{}')};
  } catch {
    return fallback;
  }
};

// Play, step, back, reset.
export class Buttons {
  readonly element: HTMLElement;
  private playing = false;
  private readonly play: HTMLButtonElement;

  constructor(private readonly send: Send, help: () => void) {
    this.play = button('Play', () => this.toggle(), {class: 'main', 'aria-keyshortcuts': 'Space'});
    const speed = h('select', {}, ['0.1', '0.25', '0.5', '1', '2', '5'].map((factor) =>
        h('option', {value: factor, selected: factor === '1'}, `${factor} ×`)));
    speed.addEventListener('change', () => send({kind: 'speed', factor: Number(speed.value)}));
    this.element = h('div', {class: 'buttons', role: 'toolbar', 'aria-label': 'Run'},
        button('◀ Back', () => this.step(-1), {title: 'One step back (←)', 'aria-keyshortcuts': 'ArrowLeft'}),
        this.play,
        button('Step ▶', () => this.step(1), {title: 'One step (→)', 'aria-keyshortcuts': 'ArrowRight'}),
        button('Reset', () => this.reset(), {title: 'To the start (R)', 'aria-keyshortcuts': 'R'}),
        h('label', {}, h('span', {class: 'hidden'}, 'Speed'), speed),
        button('?', help, {title: 'Keys and licences (?)', 'aria-label': 'Keys and licences'}));
  }
  toggle() { this.send({kind: this.playing ? 'pause' : 'play'}); }
  step(count: number) { this.send({kind: 'steps', count}); }
  reset() { this.send({kind: 'reset'}); }
  show(state: State) {
    if (state.playing === this.playing && this.play.dataset.seen) return;
    this.play.dataset.seen = 'yes';
    this.playing = state.playing;
    this.play.textContent = state.playing ? '❚❚ Pause' : '▶ Play';
  }
}

// One control for each setting of the program's list; of several panes those of one are shown.
export class Settings {
  readonly element = h('div', {class: 'settings'});
  private readonly fields = new Map<string, HTMLSelectElement | HTMLInputElement>();
  private readonly panes = h('select');
  private readonly choice = h('label', {class: 'of-pane', hidden: true}, h('span', {}, 'Settings of'), this.panes);

  constructor(private readonly send: Send) {
    this.panes.addEventListener('change', () => this.choose(Number(this.panes.value)));
    this.element.append(this.choice);
  }

  // The names of the panes, where there are several.
  show_panes(titles: string[]) {
    this.choice.hidden = titles.length < 2;
    titles.forEach((title, k) => {
      const option = this.panes.options[k] ?? this.panes.appendChild(h('option', {value: k + 1}));
      const words = `${k + 1}: ${title}`;
      if (option.textContent !== words) option.textContent = words;
    });
  }
  choose(pane: number) {
    this.panes.value = `${pane}`;
    for (const label of this.element.querySelectorAll<HTMLElement>('label[data-pane]'))
      label.hidden = label.dataset.pane !== `${pane}`;
  }

  show(list: Setting[]): boolean {
    let changed = false;
    for (const setting of list) {
      let field = this.fields.get(setting.name);
      if (!field) {
        field = this.make(setting);
        this.fields.set(setting.name, field);
        this.element.append(h('label', {class: setting.name.replace(/^\d+:/, ''), 'data-pane': setting.pane,
                                        hidden: (setting.pane ?? 1) !== 1},
            h('span', {}, setting.label, setting.unit && h('small', {}, ` ${setting.unit}`)), field));
      } else if (field.dataset.value !== setting.value) changed = true;
      if (field instanceof HTMLSelectElement && ![...field.options].some(({value}) => value === setting.value))
        field.append(h('option', {value: setting.value}, setting.value));
      field.dataset.value = setting.value;
      if (field !== document.activeElement || field instanceof HTMLSelectElement) field.value = short(setting);
    }
    return changed;
  }

  private make(setting: Setting): HTMLSelectElement | HTMLInputElement {
    const set = (value: string) => this.send({kind: 'set', name: setting.name, value});
    if (setting.choices) {
      const groups = new Map<string, string[]>();
      for (const choice of setting.choices) {
        const group = choice.includes('/') ? choice.slice(0, choice.indexOf('/')) : '';
        groups.set(group, [...groups.get(group) ?? [], choice]);
      }
      const option = (value: string) => h('option', {value}, value);
      const field = h('select', {}, [...groups].flatMap(([group, some]) =>
          group ? [h('optgroup', {label: group}, some.map(option))] : some.map(option)));
      field.addEventListener('change', () => set(field.value));
      return field;
    }
    const field = h('input', {type: 'text', inputmode: setting.whole ? 'numeric' : 'decimal', size: 8,
                              title: `${setting.lowest} to ${setting.highest}`});
    const give = () => {
      if (field.value.trim() !== short({...setting, value: field.dataset.value!})) set(field.value.trim());
    };
    field.addEventListener('change', give);
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') field.value = short({...setting, value: field.dataset.value!});
    });
    return field;
  }
}
// Few digits to look at; the program has them all.
function short({value, choices}: Setting): string {
  if (choices || value.length <= 8) return value;
  return `${Number(Number(value).toPrecision(5))}`;
}

// What is drawn.
export class Drawn {
  readonly shown: Shown & {glass: boolean; names: boolean};
  readonly element: HTMLElement;
  constructor(few: boolean, changed: () => void) {
    this.shown = remembered('perpend-drawn', {points: few, normals: false, forces: few, cones: false, heat: false,
                                             glass: false, names: false});
    const names = {points: 'Contact points', forces: 'Forces', normals: 'Normals', cones: 'Friction cones',
                   heat: 'Errors by colour', names: 'Names', glass: 'See-through bodies'};
    this.element = h('div', {class: 'drawn'}, Object.entries(names).map(([name, label]) => {
      const key = name as keyof typeof names;
      const box = h('input', {type: 'checkbox', name, checked: this.shown[key]});
      box.addEventListener('change', () => {
        this.shown[key] = box.checked;
        localStorage.setItem('perpend-drawn', JSON.stringify(this.shown));
        changed();
      });
      return h('label', {}, box, h('span', {}, label));
    }), h('p', {class: 'legend'}, MODE_NAMES.map(({name, colour}) =>
        h('span', {class: `mode ${name}`, style: `--mode: ${colour}`}, name))),
    h('p', {class: 'legend'}, h('span', {}, 'error 1e-10'), h('span', {class: 'heat', style: `background: ${HEAT_STYLE}`}),
      h('span', {}, '1e-1 m/s')));
  }
}

// The hand besides the pointer: everything it can do, for the keyboard too.
export interface HandActions {
  throw_ball(): void;
  nudge(body: number, right: number, up: number, away?: number): void;
  turn(body: number, way: number): void;
  release(): void;
}
export function hand_tools(scene: Scene, send: Send, hand: HandActions): HTMLElement {
  const joints = scene.joints ?? [];
  const list = h('select', {}, joints.map(({name}, i) => h('option', {value: i}, name || `joint ${i}`)));
  const bodies = h('select', {}, scene.bodies.map(({name}, i) => ({name, i})).filter(({i}) => moves(scene.bodies[i]))
      .map(({name, i}) => h('option', {value: i}, name || `body ${i}`)));
  const body = () => Number(bodies.value);
  const tool = (sign: string, label: string, act: () => void) => button(sign, act, {'aria-label': label, title: label});
  return h('div', {class: 'hand'},
      h('p', {}, 'Drag a body to pull it. Hold Shift to twist it. Click a body or a contact for its numbers.'),
      bodies.options.length > 0 && h('div', {class: 'tools', role: 'group', 'aria-label': 'Pull without a pointer'},
          h('label', {}, h('span', {class: 'hidden'}, 'Body to pull'), bodies),
          tool('←', 'Pull left', () => hand.nudge(body(), -1, 0)), tool('→', 'Pull right', () => hand.nudge(body(), 1, 0)),
          tool('↑', 'Pull up', () => hand.nudge(body(), 0, 1)), tool('↓', 'Pull down', () => hand.nudge(body(), 0, -1)),
          tool('⊙', 'Pull closer', () => hand.nudge(body(), 0, 0, -1)), tool('⊗', 'Push away', () => hand.nudge(body(), 0, 0, 1)),
          tool('⟲', 'Twist left', () => hand.turn(body(), -1)), tool('⟳', 'Twist right', () => hand.turn(body(), 1)),
          button('Let go', () => hand.release())),
      button('Throw a ball', () => hand.throw_ball(), {title: 'From where you look (T)', 'aria-keyshortcuts': 'T'}),
      joints.length > 0 && h('span', {class: 'cut'}, h('label', {}, h('span', {class: 'hidden'}, 'Joint'), list),
          button('Cut', () => send({kind: 'cut', joint: Number(list.value)}))),
      button('Save what the hand did', () => send({kind: 'ask_events'}),
             {title: 'A file for perpend view --hand FILE'}),
      button('Save the recording', () => send({kind: 'ask_recording'}),
             {title: 'The run so far as a standard file, with what the hand did'}));
}

// Numbers of the last step.
export class Numbers {
  readonly element = h('dl', {class: 'numbers'});
  private readonly cells = new Map<string, HTMLElement>();
  show(values: Record<string, string>) {
    for (const [name, value] of Object.entries(values)) {
      let cell = this.cells.get(name);
      if (!cell) {
        cell = h('dd');
        this.cells.set(name, cell);
        this.element.append(h('div', {}, h('dt', {}, name), cell));
      }
      if (cell.textContent === value) continue;
      cell.textContent = value;
      if (name.length + value.length > 16) cell.parentElement!.classList.add('wide');  // and stays so
    }
  }
}
