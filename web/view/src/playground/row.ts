// A row of cubes pushed against a wall. Without friction the wall feels the whole push. With
// friction the floor takes an unknown part of it: the forces are not unique.
import {FrameBuilder, GRAVITY, type Vector} from './frame';
import {force_between, short, type Template, type Values} from './template';

const HALF = 0.25;  // m
const MASS = 2;     // kg
const held = ({count, friction}: Values) => count * friction * MASS * GRAVITY;  // N, by the floor at most

export const row: Template = {
  name: 'row',
  title: 'A row pushed against a wall',
  words: 'A push at the right end must travel through all boxes to the wall. How many iterations does that take with 3 boxes, and with 10? ' +
      'Then give the floor some friction: now the floor may hold back a part of the push, nobody knows how much. ' +
      'Solvers find different forces, and all of them are right.',
  distance: 0.9,
  sliders: [
    {name: 'count', label: 'Boxes', unit: '', lowest: 1, highest: 10, step: 1, start: 4},
    {name: 'push', label: 'Push', unit: 'N', lowest: 0, highest: 200, step: 5, start: 100},
    {name: 'friction', label: 'Friction μ of the floor', unit: '', lowest: 0, highest: 1, step: 0.01, start: 0},
  ],
  frame: (values) => {
    const {count, push, friction} = values, frame = new FrameBuilder('a row of boxes', row.by_hand(values));
    const floor = frame.floor(), half: Vector = [HALF, HALF, HALF];
    const wall = frame.body({name: 'wall', position: [-0.1, 0, 0.5], shapes: [{kind: 'box', size: [0.1, 0.8, 0.5]}]});
    let before = wall;
    for (let i = 0; i < count; ++i) {  // from the wall to the right
      const x = HALF + 2 * HALF * i;
      const box = frame.box(`box ${i + 1}`, MASS, half, [x, 0, HALF], {push: [i === count - 1 ? -push : 0, 0, 0]});
      frame.face(floor, box, [0, 0, 1], [x, 0, 0], [HALF, 0, 0], [0, HALF, 0], friction);
      frame.face(before, box, [1, 0, 0], [x - HALF, 0, HALF], [0, HALF, 0], [0, 0, HALF], 0);
      before = box;
    }
    return frame.line();
  },
  by_hand: (values) => held(values) === 0 ? `Nothing moves, and the wall feels the whole push: ${short(values.push)} N.` :
      `Nothing moves. The floor can hold up to n μ m g = ${short(held(values))} N, so the wall feels something between ` +
      `${short(Math.max(0, values.push - held(values)))} N and ${short(values.push)} N.`,
  found: (found) => {
    const fastest = Math.max(...found.velocities.map((v) => Math.hypot(...v)));
    return `wall feels ${short(force_between(found, 1, 2)[0])} N, fastest box ${short(fastest)} m/s`;
  },
};
