// A box on a slope: it sticks where tan(angle) <= mu, else it slides with g (sin - mu cos).
import {about_y, dot, FrameBuilder, GRAVITY, rotate, scale, STEP, type Shape, type Vector} from './frame';
import {force_between, short, type Template, type Values} from './template';

const HALF: Vector = [0.5, 0.4, 0.2];  // m: flat, so that it does not tip
const LENGTH = 4, WIDTH = 1.6, THICK = 0.04;  // m, of the slope; half of its thickness
const radians = ({angle}: Values) => angle * Math.PI / 180;
const downhill = (values: Values): Vector => rotate(about_y(radians(values)), [1, 0, 0]);

// A plate, and below it the level floor.
function plate(angle: number): Shape[] {
  const turn = about_y(angle);
  return [{kind: 'box', size: [LENGTH / 2, WIDTH / 2, THICK], position: scale(-THICK, rotate(turn, [0, 0, 1])), orientation: turn},
          {kind: 'plane', position: [0, 0, -LENGTH / 2 * Math.sin(Math.abs(angle)) - 4 * THICK]}];
}

export const slope: Template = {
  name: 'slope',
  title: 'A box on a slope',
  words: 'Friction holds the box as long as the slope is less steep than the friction angle: tan(angle) ≤ μ. ' +
      'Raise the angle slowly and watch the contact points turn from green squares (stick) to red triangles (slide). ' +
      'Then change the mass: does it matter?',
  distance: 1.3,
  sliders: [
    {name: 'angle', label: 'Angle', unit: '°', lowest: 0, highest: 45, step: 0.5, start: 20},
    {name: 'friction', label: 'Friction μ', unit: '', lowest: 0, highest: 1.2, step: 0.01, start: 0.5},
    {name: 'mass', label: 'Mass', unit: 'kg', lowest: -1, highest: 3, step: 0.1, start: 10, log: true},
  ],
  frame: (values) => {
    const angle = radians(values), turn = about_y(angle), normal = rotate(turn, [0, 0, 1]);
    const frame = new FrameBuilder('a box on a slope', slope.by_hand(values));
    const ground = frame.body({name: 'slope', shapes: plate(angle)});
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
