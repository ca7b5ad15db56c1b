// A small problem with a few numbers that a person may change, and its answer by hand.
import type {Vector} from './frame';

export interface Slider {
  name: string;
  label: string;
  unit: string;
  lowest: number;
  highest: number;
  step: number;      // of the slider; of its power of ten where it is logarithmic
  start: number;
  log?: boolean;     // a factor: the slider moves its power of ten
}
export type Values = Record<string, number>;

// What a solver found, in the order of the frame.
export interface Found {
  velocities: Vector[];  // m/s, after the step; of each body
  forces: Vector[];      // N, on the second body of each contact
  pairs: [number, number][];
}

export interface Template {
  name: string;
  title: string;
  words: string;                                   // for a student: what to look at, what to try
  sliders: Slider[];
  distance?: number;                               // of the eye; 1: all that moves just fits
  frame: (values: Values) => string;               // a JSON line
  by_hand: (values: Values) => string;             // one sentence
  found: (found: Found, values: Values) => string; // the same numbers of a solver
}

export const starts = ({sliders}: Template): Values => Object.fromEntries(sliders.map(({name, start}) => [name, start]));
export const short = (value: number) => {
  const size = Math.abs(value);
  if (size < 5e-7) return '0';
  return size < 1e-3 || size >= 1e5 ? value.toExponential(1) : `${Number(value.toPrecision(3))}`;
};
// The force on a body by all contacts with another one.
export function force_between({forces, pairs}: Found, first: number, second: number): Vector {
  const sum: Vector = [0, 0, 0];
  forces.forEach((force, i) => {
    const [a, b] = pairs[i];
    const sign = a === first && b === second ? 1 : a === second && b === first ? -1 : 0;
    for (const k of [0, 1, 2]) sum[k] += sign * force[k];
  });
  return sum;
}
