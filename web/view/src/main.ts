// The page: puts its parts together and gives them what the program tells.
import * as three from 'three';
import {h} from '../../report/src/dom';
import {Curve} from './curve';
import {Graphs} from './graphs';
import {Hand} from './hand';
import {help_dialog} from './help';
import {Inspect} from './inspect';
import type {FromProgram, Panes, State, ToProgram} from './messages';
import {Pane} from './pane';
import {Buttons, Drawn, hand_tools, Numbers, Settings} from './panel';
import {Plots} from './plots';
import {Recordings} from './recording';
import {moves, type Scene} from './scene';
import {Connection} from './socket';
import {Stage, still} from './stage';
import './style.css';
import {decode} from './wire';

const canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': 'The scene'});
const overlay = h('div', {class: 'overlay'});
const name = h('output', {class: 'name'});
const banner = h('p', {class: 'banner', role: 'status'});
const notice = h('p', {class: 'notice', role: 'alert', hidden: true});
const title = h('h1', {}, 'Perpend'), lead = h('p', {class: 'lead'});
const help = help_dialog();
const send = (message: ToProgram) => connection.send(message);
const buttons = new Buttons(send, () => help.showModal());
const settings = new Settings(send);
const numbers = new Numbers();
const plots = new Plots([
  {name: 'error', title: 'Velocity error', unit: 'm/s', log: true, floor: 1e-12},
  {name: 'own', title: 'Error of its own problem', unit: 'm/s', log: true, floor: 1e-12},
  {name: 'penetration', title: 'Deepest overlap', unit: 'm', log: true, floor: 1e-10},
  {name: 'energy', title: 'Energy', unit: 'J'},
  {name: 'milliseconds', title: 'Time of a step', unit: 'ms', zero: true},
  {name: 'apart', title: 'Distance from pane 1', unit: 'm', log: true, floor: 1e-6},
]);
plots.show('apart', false);
const curve = new Curve(), graphs = new Graphs();
const inspect = new Inspect(() => panes, () => show_state());
const parted = h('p', {class: 'parted', role: 'status', hidden: true});
const drawn_place = h('div'), hand_place = h('div');
const part = (label: string, open: boolean, ...children: Node[]) =>
    h('details', {open}, h('summary', {}, label), ...children);
const curve_part = part('Iterations of the step', false, curve.element);
const graphs_part = part('Contact graph and matrix', false, graphs.element);
const inspect_part = part('Chosen body or contact', false, inspect.element);
document.querySelector('#app')!.replaceChildren(
    h('main', {class: 'stage'}, canvas, overlay, name, banner, notice, buttons.element),
    h('aside', {class: 'panel', 'aria-label': 'Settings and numbers'}, h('header', {}, title, lead), parted, numbers.element,
      part('Over time', true, plots.element), curve_part, part('Settings', true, settings.element), inspect_part,
      part('Draw', true, drawn_place), part('Hand', true, hand_place), graphs_part),
    help);

const stage = new Stage(canvas);
const panes: Pane[] = [];
let drawn: Drawn | undefined, told: Panes | undefined, state: State | undefined;
let scene_told: {scene: Scene; run: number} | undefined, scene_name = '', begun = false;
const watch = () => send({kind: 'watch', on: curve_part.open});
curve_part.addEventListener('toggle', watch);
graphs_part.addEventListener('toggle', () => show_state());
const hand = new Hand(stage, (pane) => panes[pane]?.bodies, send, (body) => {
  name.textContent = body === null ? '' : scene_told?.scene.bodies[body]?.name || `body ${body}`;
}, click);
stage.before.push(refresh, () => panes.forEach((pane) => pane.place()));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  panes.forEach((pane) => pane.dye());
  stage.dye();
});

// A contact's mark is above the body behind it.
function click(x: number, y: number) {
  const number = stage.pane_at(x, y), pane = panes[number], shown = drawn?.shown;
  if (!pane || !shown) return;
  const contact = shown.points || shown.heat || shown.forces || shown.normals ? pane.contact_at(x, y) : undefined;
  const picked = contact === undefined ? pane.bodies?.pick(stage.ray(x, y)) : undefined;
  if (panes.length > 1) settings.choose(number + 1);
  if (contact === undefined && !picked) return inspect.choose(undefined);
  inspect_part.open = true;
  inspect.choose({pane: number, body: picked?.body, contact});
}

// As many panes as there are states.
function divide(count: number) {
  if (panes.length === count) return;
  stage.divide(count);
  for (const pane of panes.splice(0)) {
    pane.bodies?.dispose();
    pane.element.remove();
  }
  for (let k = 0; k < count; ++k) {
    panes.push(new Pane(stage, k));
    overlay.append(panes[k].element);
    if (scene_told) panes[k].show_scene(scene_told.scene, scene_told.run);
  }
  plots.show('apart', count > 1);
  if (panes[0].bodies) stage.look(panes[0].bodies.box);
}

function show_scene(scene: Scene, run: number) {
  scene_told = {scene, run};
  for (const pane of panes) pane.show_scene(scene, run);
  if (scene.name === scene_name && inspect.chosen === undefined) return;
  inspect.show_scene(scene);
  if (scene.name === scene_name) return;
  scene_name = scene.name;
  document.title = `${scene.name} · Perpend`;
  title.textContent = scene.name;
  lead.textContent = scene.title ?? '';
  canvas.setAttribute('aria-label', `The scene ${scene.name}: ${scene.title ?? ''}`);
  drawn = new Drawn(scene.bodies.filter(moves).length <= 40, () => show_state());
  drawn_place.replaceChildren(drawn.element);
  hand_place.replaceChildren(hand_tools(scene, send, hand));
  if (panes[0]?.bodies) stage.look(panes[0].bodies.box);
}

// States come more often than pictures are drawn: what is shown is made for each picture.
let stale = false;
function show_state() {
  stale = true;
  stage.draw();
}
function refresh() {
  if (!stale || !state || !drawn) return;
  stale = false;
  inspect.update();
  const {shown} = drawn, {chosen} = inspect;
  for (const pane of panes) pane.show(shown, chosen?.pane === pane.number ? chosen : undefined);
  inspect.show();
  const looked = panes[chosen?.pane ?? 0];
  if (graphs_part.open && looked.state && looked.bodies)
    graphs.show({state: looked.state, scene: looked.bodies.scene, camera: stage.camera});
  const of_panes = (words: (state: State) => string) => panes.map((pane) => pane.state ? words(pane.state) : '–').join(' · ');
  numbers.show({Step: `${state.step}`, Time: `${state.time.toFixed(3)} s`, Contacts: of_panes((s) => `${s.frictions.length}`),
                Iterations: of_panes((s) => `${s.iterations}`),
                Status: of_panes((s) => s.status.replaceAll('_', ' ') || '–'),
                Pace: state.playing ? `${state.pace.toFixed(2)} × real time` : 'paused',
                Hash: panes.length > 1 ? of_panes((s) => s.hash.slice(0, 8)) : state.hash});
}

// The states of all panes after the same steps.
function show_states(states: State[]) {
  divide(states.length);
  states.forEach((one, k) => { panes[k].state = one; });
  state = states[0];
  buttons.show(state);
  if (!begun) {  // who comes first sees it move
    begun = true;
    if (state.step === 0 && !state.playing && !still.matches && location.hash !== '#paused') send({kind: 'play'});
  }
  const of_each = (value: (state: State) => number) => states.map(value);
  plots.add(state.step, {error: of_each(({error}) => error), own: of_each(({own}) => own), penetration: of_each(({penetration}) => penetration),
                         energy: of_each(({energy}) => energy), milliseconds: of_each(({milliseconds}) => milliseconds),
                         apart: told ? [...told.apart].map((far, k) => k ? far : -1) : [-1]}, told?.parted ?? -1);
  show_state();
}

function show_panes(message: Panes) {
  told = message;
  const titles = message.titles.split('\n'), states: State[] = [];
  let at = 0;
  for (const size of message.sizes) {
    states.push(decode(message.states.slice(at, at + size).buffer) as State);
    at += size;
  }
  settings.show_panes(titles);
  parted.hidden = message.words === '';
  if (parted.textContent !== message.words) parted.textContent = message.words;
  show_states(states);
  titles.forEach((words, k) => panes[k].show_title(`${k + 1}  ${words}`));
}

function save(name: string, content: BlobPart, type: string) {
  const link = h('a', {href: URL.createObjectURL(new Blob([content], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const recordings = new Recordings(send, {banner, notice, help});

let hide = 0;
function heard(message: FromProgram) {
  if (recordings.heard(message)) return;
  switch (message.kind) {
    case 'scene': return show_scene(JSON.parse(message.json), message.run);
    case 'settings':
      if (settings.show(JSON.parse(message.json))) plots.mark();
      return;
    case 'notice':
      notice.textContent = message.words;
      notice.hidden = false;
      clearTimeout(hide);
      hide = window.setTimeout(() => { notice.hidden = true; }, 8000);
      return;
    case 'events': return save(`${scene_name.replace(/\W+/g, '-')}-hand.json`, message.json, 'application/json');
    case 'saved': return save(message.name, message.content as BlobPart, message.type);
    case 'curve': return curve.show(message);
    case 'panes': return show_panes(message);
    case 'state':
      told = undefined;
      return show_states([message]);
  }
}
const connection = new Connection(heard, (open) => {
  banner.textContent = open ? '' : 'Not connected. Trying again… If the program was started again, use the address it printed.';
  if (open && curve_part.open) watch();
  banner.hidden = open;
});

const KEYS: Record<string, () => void> = {
  ' ': () => buttons.toggle(),
  ArrowRight: () => buttons.step(1),
  ArrowLeft: () => buttons.step(-1),
  r: () => buttons.reset(),
  t: () => hand.throw_ball(),
  f: () => panes[0]?.bodies && stage.look(panes[0].bodies.box),
  '+': () => stage.turn(0, 0, 0.9),
  '-': () => stage.turn(0, 0, 1.1),
  '?': () => help.showModal(),
};
const TURNS: Record<string, [number, number]> = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]};
addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  // A slider has keys of its own, and lets the others through.
  const slides = target instanceof HTMLInputElement && target.type === 'range' && !/^(Arrow|Home|End|Page)/.test(event.key);
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !slides;
  const clicks = /^(BUTTON|SUMMARY)$/.test(target.tagName);
  if (event.ctrlKey || event.altKey || event.metaKey || typing || help.open) return;
  if (clicks && event.key === ' ') return;
  const turn = event.shiftKey ? TURNS[event.key] : undefined;
  const stages = recordings.active ? recordings.stages : [stage];
  const act = turn ? () => stages.forEach((one) => one.turn(...turn)) : recordings.active ? recordings.key(event) :
      KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// For tests: where a point of the world is on the page, and what was told last.
Object.assign(window, {perpend: {
  state: (pane = 0) => panes[pane]?.state,
  told: () => told,
  curve: () => curve.told,
  chosen: () => inspect.chosen,
  frames: () => stage.frames,
  project: (x: number, y: number, z: number, pane = 0) => {
    const {left, top} = canvas.getBoundingClientRect();
    stage.camera.updateMatrixWorld();
    const [px, py] = stage.place(new three.Vector3(x, y, z), pane);
    return [left + px, top + py];
  },
}});
