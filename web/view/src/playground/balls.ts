// Two balls on the floor carry a third. The lower ones stay where mu >= tan(spread/2): each touches
// the floor and the upper ball, and the two frictions on it must be equal.
import {FrameBuilder, GRAVITY, scale, type Vector} from './frame';
import {force_between, short, type Template, type Values} from './template';

const RADIUS = 0.5, MASS = 10;  // m, kg, of the lower balls
const half = ({spread}: Values) => Math.tan(spread * Math.PI / 360);

export const balls: Template = {
  name: 'balls',
  title: 'Three balls, one on top',
  words: 'The upper ball wants to squeeze in between the others. Friction can hold it, even if it is very heavy: what counts is ' +
      'only how far the lower balls are apart. Find the friction at which they roll away, and see that the mass does not change it.',
  sliders: [
    {name: 'spread', label: 'Line of centres, from the vertical', unit: '°', lowest: 31, highest: 75, step: 1, start: 40},
    {name: 'friction', label: 'Friction μ', unit: '', lowest: 0, highest: 1, step: 0.01, start: 0.5},
    {name: 'mass', label: 'Upper ball', unit: 'kg', lowest: -1, highest: 4, step: 0.1, start: 10, log: true},
  ],
  frame: (values) => {
    const {mass, friction} = values, angle = values.spread * Math.PI / 180;
    const frame = new FrameBuilder('three balls', balls.by_hand(values));
    const ball = (name: string, kilograms: number, position: Vector) => frame.body({name, mass: kilograms, position,
      inertia: scale(0.4 * kilograms * RADIUS * RADIUS, [1, 1, 1]), shapes: [{kind: 'sphere', size: [RADIUS, 0, 0]}]});
    const floor = frame.floor(), x = 2 * RADIUS * Math.sin(angle), high = 2 * RADIUS * Math.cos(angle);
    const lower = [-1, 1].map((side) => ball(side < 0 ? 'left ball' : 'right ball', MASS, [side * x, 0, RADIUS]));
    const upper = ball('upper ball', mass, [0, 0, RADIUS + high]);
    lower.forEach((one, k) => {
      const side = k ? 1 : -1, normal: Vector = [-side * Math.sin(angle), 0, Math.cos(angle)];
      frame.contact(floor, one, [0, 0, 1], [side * x, 0, 0], friction);
      frame.contact(one, upper, normal, [side * x / 2, 0, RADIUS + high / 2], friction);
    });
    return frame.line();
  },
  by_hand: (values) => {
    const limit = half(values), weight = (MASS + values.mass / 2) * GRAVITY;
    return values.friction >= limit ?
        `μ = ${short(values.friction)} ≥ tan(angle/2) = ${short(limit)}: all stay. The floor carries ${short(weight)} N under each ball.` :
        `μ = ${short(values.friction)} < tan(angle/2) = ${short(limit)}: the lower balls give way.`;
  },
  found: (found) => {
    const fall = -found.velocities[3][2], floor = force_between(found, 0, 1)[2];
    return `${fall < 1e-6 ? 'all stay' : `upper ball falls, ${short(fall)} m/s after the step`}; floor carries ${short(floor)} N under each ball`;
  },
};
