// The page: puts its parts together and gives them what the program tells.
import * as three from 'three';
import {h} from '../../report/src/dom';
import {Bodies} from './bodies';
import {Contacts} from './contacts';
import {Hand} from './hand';
import {help_dialog} from './help';
import type {FromProgram, State, ToProgram} from './messages';
import {Buttons, Drawn, hand_tools, Numbers, Settings} from './panel';
import {Plots} from './plots';
import {Recordings} from './recording';
import {moves, type Scene} from './scene';
import {Connection} from './socket';
import {Stage, still} from './stage';
import './style.css';

const canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': 'The scene'});
const pull = h('output', {class: 'pull', hidden: true});
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
  {name: 'error', title: 'Error of the step', unit: 'm/s', log: true, floor: 1e-16},
  {name: 'penetration', title: 'Deepest overlap', unit: 'm', log: true, floor: 1e-16},
  {name: 'energy', title: 'Energy', unit: 'J'},
  {name: 'milliseconds', title: 'Time of a step', unit: 'ms'},
]);
const drawn_place = h('div'), hand_place = h('div');
const part = (label: string, open: boolean, ...children: Node[]) =>
    h('details', {open}, h('summary', {}, label), ...children);
document.querySelector('#app')!.replaceChildren(
    h('main', {class: 'stage'}, canvas, pull, name, banner, notice, buttons.element),
    h('aside', {class: 'panel', 'aria-label': 'Settings and numbers'}, h('header', {}, title, lead), numbers.element,
      part('Over time', true, plots.element), part('Settings', true, settings.element),
      part('Draw', true, drawn_place), part('Hand', true, hand_place)),
    help);

const stage = new Stage(canvas);
const contacts = new Contacts();
let bodies: Bodies | undefined, drawn: Drawn | undefined, state: State | undefined;
let run = 0, weight = 1, scene_name = '', begun = false;
const hand = new Hand(stage, pull, () => bodies, send, (body) => {
  name.textContent = body === null ? '' : bodies?.scene.bodies[body]?.name || `body ${body}`;
});
stage.scene.add(contacts.group, hand.group);
stage.before.push(() => bodies?.clear_view(stage.camera), () => hand.place_label());
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  bodies?.dye();
  stage.dye();
});

function show_scene(scene: Scene, number: number) {
  bodies?.dispose();
  bodies = new Bodies(scene);
  stage.scene.add(bodies.group);
  run = number;
  const masses = scene.bodies.filter(moves).map(({mass}) => mass!).sort((a, b) => a - b);
  weight = 9.81 * (masses[masses.length >> 1] ?? 1);
  if (scene.name !== scene_name) {
    scene_name = scene.name;
    document.title = `${scene.name} · Perpend`;
    title.textContent = scene.name;
    lead.textContent = scene.title ?? '';
    canvas.setAttribute('aria-label', `The scene ${scene.name}: ${scene.title ?? ''}`);
    drawn = new Drawn(masses.length <= 40, () => show_state());
    drawn_place.replaceChildren(drawn.element);
    hand_place.replaceChildren(hand_tools(scene, send, () => hand.throw_ball()));
    stage.look(bodies.box);
  }
}

function show_state() {
  if (!state || !bodies || !drawn || state.run !== run) return;
  bodies.update(state.poses, state.cut);
  bodies.see_through(drawn.shown.glass);
  contacts.show(state, drawn.shown, bodies.size, weight);
  hand.show(state, bodies.size);
  buttons.show(state);
  numbers.show({Step: `${state.step}`, Time: `${state.time.toFixed(3)} s`, Contacts: `${state.frictions.length}`,
                Iterations: `${state.iterations}`, Status: state.status.replaceAll('_', ' '),
                Pace: state.playing ? `${state.pace.toFixed(2)} × real time` : 'paused', Hash: state.hash});
  stage.draw();
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
    case 'state':
      state = message;
      if (!begun) {  // who comes first sees it move
        begun = true;
        if (state.step === 0 && !state.playing && !still.matches && location.hash !== '#paused') send({kind: 'play'});
      }
      plots.add({step: state.step, error: state.error, penetration: state.penetration, energy: state.energy,
                 milliseconds: state.milliseconds});
      return show_state();
  }
}
const connection = new Connection(heard, (open) => {
  banner.textContent = open ? '' : 'Not connected. Trying again…';
  banner.hidden = open;
});

const KEYS: Record<string, () => void> = {
  ' ': () => buttons.toggle(),
  ArrowRight: () => buttons.step(1),
  ArrowLeft: () => buttons.step(-1),
  r: () => buttons.reset(),
  t: () => hand.throw_ball(),
  f: () => bodies && stage.look(bodies.box),
  '+': () => stage.turn(0, 0, 0.9),
  '-': () => stage.turn(0, 0, 1.1),
  '?': () => help.showModal(),
};
const TURNS: Record<string, [number, number]> = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]};
addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName), clicks = /^(BUTTON|SUMMARY)$/.test(target.tagName);
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
  state: () => state,
  frames: () => stage.frames,
  project: (x: number, y: number, z: number) => {
    const {left, top, width, height} = canvas.getBoundingClientRect();
    stage.camera.updateMatrixWorld();
    const seen = new three.Vector3(x, y, z).project(stage.camera);
    return [left + (seen.x + 1) / 2 * width, top + (1 - seen.y) / 2 * height];
  },
}});
