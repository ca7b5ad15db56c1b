// A box on a slope: it sticks where tan(angle) <= mu, else it slides with g (sin - mu cos).
import {about_y, dot, FrameBuilder, GRAVITY, rotate, scale, STEP, type Vector} from './frame';
import {force_between, short, type Template, type Values} from './template';

const HALF: Vector = [0.5, 0.4, 0.2];  // m: flat, so that it does not tip
const LENGTH = 4, WIDTH = 1.6;         // m, of the slope
const radians = ({angle}: Values) => angle * Math.PI / 180;
const downhill = (values: Values): Vector => rotate(about_y(radians(values)), [1, 0, 0]);

// A prism that stands on the floor: its upper face passes through the middle.
function wedge(angle: number) {
  const x = LENGTH / 2 * Math.cos(angle), high = LENGTH / 2 * Math.sin(angle), y = WIDTH / 2, base = -high - 0.05;
  const vertices: Vector[] = [[-x, -y, high], [x, -y, -high], [x, -y, base], [-x, -y, base]];
  vertices.push(...vertices.map(([a, , c]): Vector => [a, y, c]));
  const triangles: Vector[] = [[0, 1, 5], [0, 5, 4],                    // above
    [0, 3, 2], [0, 2, 1], [4, 5, 6], [4, 6, 7],                         // sides
    [0, 4, 7], [0, 7, 3], [1, 2, 6], [1, 6, 5], [3, 7, 6], [3, 6, 2]];  // ends, below
  return {kind: 'mesh' as const, vertices, triangles};
}

export const slope: Template = {
  name: 'slope',
  title: 'A box on a slope',
  words: 'Friction holds the box as long as the slope is less steep than the friction angle: tan(angle) ≤ μ. ' +
      'Raise the angle slowly and watch the contact points turn from green squares (stick) to red triangles (slide). ' +
      'Then change the mass: does it matter?',
  sliders: [
    {name: 'angle', label: 'Angle', unit: '°', lowest: 0, highest: 45, step: 0.5, start: 20},
    {name: 'friction', label: 'Friction μ', unit: '', lowest: 0, highest: 1.2, step: 0.01, start: 0.5},
    {name: 'mass', label: 'Mass', unit: 'kg', lowest: -1, highest: 3, step: 0.1, start: 10, log: true},
  ],
  frame: (values) => {
    const angle = radians(values), turn = about_y(angle), normal = rotate(turn, [0, 0, 1]);
    const frame = new FrameBuilder('a box on a slope', slope.by_hand(values));
    const ground = frame.body({name: 'slope', shapes: [wedge(angle)]});
    const box = frame.box('box', values.mass, HALF, scale(HALF[2], normal), {orientation: turn});
    frame.face(ground, box, normal, [0, 0, 0], scale(HALF[0], downhill(values)), [0, HALF[1], 0], values.friction);
    return frame.line();
  },
  by_hand: (values) => {
    const {friction, mass} = values, angle = radians(values), weight = mass * GRAVITY;
    const pressure = `The slope presses with m g cos = ${short(weight * Math.cos(angle))} N.`;
    return Math.tan(angle) <= friction ?
        `tan(angle) = ${short(Math.tan(angle))} ≤ μ = ${short(friction)}: the box stays. ${pressure}` :
        `tan(angle) = ${short(Math.tan(angle))} > μ = ${short(friction)}: it slides, faster by ` +
        `g (sin − μ cos) = ${short(GRAVITY * (Math.sin(angle) - friction * Math.cos(angle)))} m/s each second. ${pressure}`;
  },
  found: (found, values) => {
    const speed = dot(found.velocities[1], downhill(values)), turn = about_y(radians(values));
    const pressure = dot(force_between(found, 0, 1), rotate(turn, [0, 0, 1]));
    return `speed after the step ${short(speed)} m/s (${short(speed / STEP)} m/s each second), pressure ${short(pressure)} N`;
  },
};
