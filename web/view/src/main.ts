// The page: puts its parts together and gives them what the program tells.
import {h} from '../../report/src/dom';
import {Curve} from './curve';
import {Hand} from './hand';
import {help_dialog} from './help';
import {Look, part, states_of} from './look';
import type {FromProgram, Panes, State, ToProgram} from './messages';
import {Buttons, Drawn, hand_tools, Numbers, Settings} from './panel';
import {Plots} from './plots';
import {Recordings} from './recording';
import {moves, type Scene} from './scene';
import {CARRIED, Shared} from './shared';
import {Connection} from './socket';
import {still} from './stage';
import './style.css';

export function show_page() {
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
  const curve = new Curve(), look = new Look(banner, notice), {canvas, stage, panes, inspect} = look;
  const parted = h('p', {class: 'parted', role: 'status', hidden: true});
  const drawn_place = h('div'), hand_place = h('div');
  const curve_part = part('Iterations of the step', false, curve.element);
  look.element.append(buttons.element);
  document.querySelector('#app')!.replaceChildren(look.element,
      h('aside', {class: 'panel', 'aria-label': 'Settings and numbers'}, h('header', {}, title, lead), parted, numbers.element,
        part('Over time', true, plots.element), curve_part, part('Settings', true, settings.element), look.inspect_part,
        part('Draw', true, drawn_place), part('Hand', true, hand_place), look.graphs_part),
      help);

  let told: Panes | undefined, state: State | undefined;
  let scene_told: {scene: Scene; run: number} | undefined, scene_name = '', begun = false;
  const watch = () => send({kind: 'watch', on: curve_part.open});
  curve_part.addEventListener('toggle', watch);
  const hand = new Hand(stage, (pane) => panes[pane]?.bodies, send, (pane, body) => look.hover(pane, body),
                        (x, y) => look.click(x, y));
  look.chosen = (pane) => { if (panes.length > 1) settings.choose(pane + 1); };
  look.refreshed.push(show_numbers);

  // As many panes as there are states.
  function divide(count: number) {
    if (!look.divide(count)) return;
    if (scene_told) for (const pane of panes) pane.show_scene(scene_told.scene, scene_told.run);
    plots.show('apart', count > 1);
    look.frame();
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
    look.drawn = new Drawn(scene.bodies.filter(moves).length <= 40, () => look.show());
    drawn_place.replaceChildren(look.drawn.element);
    hand_place.replaceChildren(hand_tools(scene, send, hand));
    look.frame();
  }

  function show_numbers() {
    if (!state) return;
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
    look.show();
  }

  function show_panes(message: Panes) {
    told = message;
    const titles = message.titles.split('\n');
    settings.show_panes(titles);
    parted.hidden = message.words === '';
    if (parted.textContent !== message.words) parted.textContent = message.words;
    show_states(states_of(message));
    titles.forEach((words, k) => panes[k].show_title(`${k + 1}  ${words}`));
  }

  function save(name: string, content: BlobPart, type: string) {
    const link = h('a', {href: URL.createObjectURL(new Blob([content], {type})), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  const recordings = new Recordings(send, look, help, () => {
    hand.only_looks = true;
    buttons.element.remove();
  });

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
  const connection = document.querySelector(CARRIED) ? new Shared(heard, (why) => {
    banner.textContent = `This page cannot go on: ${why}`;
    banner.hidden = false;
  }) : new Connection(heard, (open) => {
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
    f: () => look.frame(),
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
    const act = turn ? () => stage.turn(...turn) : recordings.active ? recordings.key(event) :
        KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  Object.assign(window, {perpend: {...look.tested(), told: () => told, curve: () => curve.told}});
}
