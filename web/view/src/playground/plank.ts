// A plank on two trestles with a heavy and a light box. By the lever rule the right trestle carries
// the sum of m g (x + 1 m)/2 m, as long as neither trestle would have to pull: then it tips.
import {FrameBuilder, GRAVITY, type Vector} from './frame';
import {force_between, short, type Template, type Values} from './template';

const PLANK = 10, HALF: Vector = [2, 0.5, 0.05];        // kg, m
const APART = 1, HIGH = 0.8;                            // m, trestles at -1 and 1
const BOX = 0.2;                                        // m, half of a side
const loads = ({heavy, light, heavy_at, light_at}: Values) => {
  const all = [[PLANK, 0], [heavy, heavy_at], [light, light_at]];
  const weight = all.reduce((sum, [mass]) => sum + mass * GRAVITY, 0);
  const right = all.reduce((sum, [mass, x]) => sum + mass * GRAVITY * (x + APART) / (2 * APART), 0);
  return {left: weight - right, right};
};

export const plank: Template = {
  name: 'plank',
  title: 'A plank with a heavy and a light box',
  words: 'The trestles share the load by the lever rule. Move the heavy box beyond a trestle until the plank tips: ' +
      'one trestle loses its contact. Which mass of the other box, and which place, hold it down?',
  distance: 0.75,
  sliders: [
    {name: 'heavy', label: 'Heavy box', unit: 'kg', lowest: 0, highest: 3, step: 0.1, start: 50, log: true},
    {name: 'heavy_at', label: 'Place of the heavy box', unit: 'm', lowest: -1.8, highest: 1.8, step: 0.05, start: 1.1},
    {name: 'light', label: 'Light box', unit: 'kg', lowest: -1, highest: 2, step: 0.1, start: 5, log: true},
    {name: 'light_at', label: 'Place of the light box', unit: 'm', lowest: -1.8, highest: 1.8, step: 0.05, start: -1.5},
  ],
  frame: (values) => {
    const frame = new FrameBuilder('a plank on two trestles', plank.by_hand(values)), mu = 0.6;
    const trestle = (name: string, x: number) => frame.body(
        {name, position: [x, 0, HIGH / 2], shapes: [{kind: 'box', size: [0.05, HALF[1], HIGH / 2]}]});
    frame.floor();
    const left = trestle('left trestle', -APART), right = trestle('right trestle', APART);
    const top = HIGH + 2 * HALF[2], board = frame.box('plank', PLANK, HALF, [0, 0, HIGH + HALF[2]]);
    for (const [support, x] of [[left, -APART], [right, APART]])
      for (const y of [-HALF[1], HALF[1]]) frame.contact(support, board, [0, 0, 1], [x, y, HIGH], mu);
    const load = (name: string, mass: number, x: number, y: number) => {  // beside each other
      const box = frame.box(name, mass, [BOX, BOX, BOX], [x, y, top + BOX]);
      frame.face(board, box, [0, 0, 1], [x, y, top], [BOX, 0, 0], [0, BOX, 0], mu);
    };
    load('heavy box', values.heavy, values.heavy_at, -0.25);
    load('light box', values.light, values.light_at, 0.25);
    return frame.line();
  },
  by_hand: (values) => {
    const {left, right} = loads(values);
    return left < 0 ? 'The left trestle would have to pull: the plank tips to the right.' :
        right < 0 ? 'The right trestle would have to pull: the plank tips to the left.' :
        `The plank lies still: the left trestle carries ${short(left)} N, the right one ${short(right)} N.`;
  },
  found: (found) => {
    const spin = Math.max(...found.velocities.map((v) => Math.hypot(...v)));
    return `left ${short(force_between(found, 1, 3)[2])} N, right ${short(force_between(found, 2, 3)[2])} N` +
        (spin > 1e-6 ? `; it tips, fastest body ${short(spin)} m/s after the step` : '; nothing moves');
  },
};
