// A ladder against a wall, a person on it. With the centre of mass at the part c of the length it
// stands as long as c <= mu_floor (tan(angle) + mu_wall) / (1 + mu_floor mu_wall): the wall takes
// at most mu_floor of what the floor carries, and the moments about the foot must balance.
import {about_y, add, FrameBuilder, rotate, scale, type Shape, type Vector} from './frame';
import {short, type Template, type Values} from './template';

const LENGTH = 4, WIDTH = 0.5, LADDER = 10, PERSON = 70;  // m, kg
const RAIL = 0.03;                                         // m, half of a rail's thickness
const radians = ({angle}: Values) => angle * Math.PI / 180;

const centre = ({height}: Values) => (LADDER / 2 + PERSON * height / 100) / (LADDER + PERSON);  // of the length
export const stands = (values: Values) => {
  const {floor, wall} = values;
  return centre(values) <= floor * (Math.tan(radians(values)) + wall) / (1 + floor * wall);
};
// As far up as the person may climb, in percent of the length.
const highest = (values: Values) => {
  const {floor, wall} = values, c = floor * (Math.tan(radians(values)) + wall) / (1 + floor * wall);
  return 100 * (c * (LADDER + PERSON) - LADDER / 2) / PERSON;
};

// Rails and rungs along x around the centre of mass, the person as a ball on it.
function shapes(c: number, at: number): Shape[] {
  const middle = LENGTH * (0.5 - c), rails: Shape[] = [-1, 1].map((side) => (
    {kind: 'box', size: [LENGTH / 2, RAIL, RAIL], position: [middle, side * WIDTH / 2, 0]}));
  for (let i = 1; i < 10; ++i)
    rails.push({kind: 'box', size: [RAIL / 2, WIDTH / 2, RAIL / 2], position: [LENGTH * (i / 10 - c), 0, 0]});
  const person = LENGTH * (at - c);
  return [...rails, {kind: 'sphere', size: [0.2, 0, 0], position: [person, 0, 0]}];
}

export const ladder: Template = {
  name: 'ladder',
  title: 'A ladder against a wall',
  words: 'Only friction at its foot keeps the ladder from sliding away. Let the person climb: at which height does it begin to slip? ' +
      'Turn on the friction cones (under Draw): it stands while every force lies inside its cone.',
  sliders: [
    {name: 'angle', label: 'Angle', unit: '°', lowest: 40, highest: 85, step: 1, start: 65},
    {name: 'height', label: 'The person is at', unit: '% of the ladder', lowest: 0, highest: 100, step: 1, start: 50},
    {name: 'floor', label: 'Friction μ at the floor', unit: '', lowest: 0, highest: 1, step: 0.01, start: 0.4},
    {name: 'wall', label: 'Friction μ at the wall', unit: '', lowest: 0, highest: 1, step: 0.01, start: 0.2},
  ],
  frame: (values) => {
    const angle = radians(values), c = centre(values), at = values.height / 100;
    const up = about_y(angle - Math.PI), along = rotate(up, [1, 0, 0]);  // from the foot to the top, which is on the left
    const foot: Vector = [LENGTH * Math.cos(angle), 0, 0], top: Vector = [0, 0, LENGTH * Math.sin(angle)];
    const bent = LADDER * (LENGTH * LENGTH / 12 + LENGTH * LENGTH * (0.5 - c) ** 2) + PERSON * (LENGTH * (at - c)) ** 2;
    const wide = LADDER * WIDTH * WIDTH / 4;
    const frame = new FrameBuilder('a ladder against a wall', ladder.by_hand(values));
    const floor = frame.floor();
    const wall = frame.body({name: 'wall', position: [-0.1, 0, 2.2], shapes: [{kind: 'box', size: [0.1, 1.2, 2.2]}]});
    const body = frame.body({name: 'ladder', mass: LADDER + PERSON, inertia: [wide + 0.4 * PERSON * 0.04, bent, bent + wide],
                             position: add(foot, scale(c * LENGTH, along)), orientation: up, shapes: shapes(c, at)});
    for (const side of [-1, 1]) {
      const rail: Vector = [0, side * WIDTH / 2, 0];
      frame.contact(floor, body, [0, 0, 1], add(foot, rail), values.floor);
      frame.contact(wall, body, [1, 0, 0], add(top, rail), values.wall);
    }
    return frame.line();
  },
  by_hand: (values) => stands(values) ?
      (highest(values) >= 100 ? 'It stands, wherever the person is.' : `It stands; up to ${short(highest(values))} % of the ladder.`) :
      (highest(values) < 0 ? 'It slips, wherever the person is.' : `It slips: above ${short(highest(values))} % of the ladder nobody is safe.`),
  found: ({velocities, forces}) => {
    const [x, , z] = velocities[2], speed = Math.hypot(x, z);
    const sum = (...list: Vector[]) => list.reduce(add);
    const floor = sum(forces[0], forces[2]), wall = sum(forces[1], forces[3]);
    return `${speed < 1e-6 ? 'it stands' : `it slips: ${short(speed)} m/s after the step`}; friction over pressure: floor ` +
        `${short(Math.abs(floor[0]) / Math.max(floor[2], 1e-9))}, wall ${short(Math.abs(wall[2]) / Math.max(wall[0], 1e-9))}`;
  },
};
