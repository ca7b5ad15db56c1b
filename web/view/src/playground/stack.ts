// A stack of cubes, the top one heavier or lighter: the floor carries the weight of all.
import {FrameBuilder, GRAVITY, type Vector} from './frame';
import {force_between, short, type Template, type Values} from './template';

const HALF = 0.25;  // m
const total = ({count, ratio}: Values) => count - 1 + ratio;  // kg: each 1 kg, the top one `ratio`

export const stack: Template = {
  name: 'stack',
  title: 'A stack, heavy on top',
  words: 'Every box must learn how much stands on it. Gauss-Seidel (box/pgs) tells it from contact to contact, so it needs more ' +
      'and more iterations as the stack grows, and many more with a heavy box on top. Make the top box 100 times heavier and ' +
      'compare box/pgs with ncp/auto.',
  sliders: [
    {name: 'count', label: 'Boxes', unit: '', lowest: 1, highest: 12, step: 1, start: 5},
    {name: 'ratio', label: 'Top box', unit: '× as heavy', lowest: -2, highest: 3, step: 0.1, start: 10, log: true},
    {name: 'friction', label: 'Friction μ', unit: '', lowest: 0, highest: 1.2, step: 0.01, start: 0.5},
  ],
  frame: (values) => {
    const {count, ratio, friction} = values, frame = new FrameBuilder('a stack of boxes', stack.by_hand(values));
    let below = frame.floor();
    for (let i = 0; i < count; ++i) {
      const high = 2 * HALF * i, half: Vector = [HALF, HALF, HALF];
      const box = frame.box(`box ${i + 1}`, i === count - 1 ? ratio : 1, half, [0, 0, high + HALF]);
      frame.face(below, box, [0, 0, 1], [0, 0, high], [HALF, 0, 0], [0, HALF, 0], friction);
      below = box;
    }
    return frame.line();
  },
  by_hand: (values) => `Nothing moves, and the floor carries all: (${values.count - 1} × 1 kg + ${short(values.ratio)} kg) g = ` +
      `${short(total(values) * GRAVITY)} N.`,
  found: (found) => {
    const fastest = Math.max(...found.velocities.map((v) => Math.hypot(...v)));
    return `floor carries ${short(force_between(found, 0, 1)[2])} N, fastest box ${short(fastest)} m/s`;
  },
};
