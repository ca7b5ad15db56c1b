// Made by scripts/messages.py from src/view/messages.inc: change that one.

export type FieldType = 'flag' | 'count' | 'number' | 'vector' | 'text' | 'bytes' | 'counts' | 'floats';

// What is simulated: sent first, and when bodies change.
export interface Scene {
  kind: 'scene';
  run: number;  // number of this scene: states of others do not fit it
  json: string;  // docs/scene.md; hulls come as meshes
}

// Controls: sent first, and after every change.
export interface Settings {
  kind: 'settings';
  json: string;  // list of {name, label, unit, value, choices | lowest, highest}
}

// One line for the person.
export interface Notice {
  kind: 'notice';
  wrong: boolean;  // something failed
  words: string;
}

// The hand of this run so far, as asked for.
export interface Events {
  kind: 'events';
  json: string;  // a hand file
}

// States of several panes after the same steps.
export interface Panes {
  kind: 'panes';
  sizes: Uint32Array;  // bytes of each state
  states: Uint8Array;  // messages `state`, one after the other
  titles: string;  // of the panes, a line each
  parted: number;  // the first step that left a body too far from its place in pane 1; -1: none
  words: string;  // which body of which pane; empty: none
  apart: Float32Array;  // m, largest distance of a body from its place in pane 1; of each pane
}

// Error over the iterations of the last step, pane after pane.
export interface Curve {
  kind: 'curve';
  step: number;  // steps made
  iterations: Float32Array;
  own: Float32Array;  // m/s, own_error: of the solver's own problem; of the island with the most points
  errors: Float32Array;  // m/s, velocity_error of the same
  restarts: Uint8Array;  // 1: the method restarted since the point before
  lengths: Uint32Array;  // points of each pane
}

// After steps; the newest replaces one that waits.
export interface State {
  kind: 'state';
  run: number;  // of the scene that this state belongs to
  playing: boolean;
  step: number;  // steps made
  time: number;  // s
  error: number;  // m/s, velocity_error, worst since the last message; negative: not known
  own: number;  // m/s, own_error of the last step: of the solver's own problem; negative: not known
  penetration: number;  // m, deepest overlap of two bodies
  energy: number;  // J, kinetic and potential
  milliseconds: number;  // of the slowest step since the last message
  iterations: number;  // of the solver in the last step
  pace: number;  // simulated seconds per second, 0: not playing
  status: string;  // how the last step ended
  hash: string;  // of all poses and velocities
  poses: Float32Array;  // x, y, z, qx, qy, qz, qw of each body's shape
  velocities: Float32Array;  // m/s, rad/s, of each body's centre of mass
  pairs: Uint32Array;  // first and second body of each contact
  points: Float32Array;  // m, of each contact
  normals: Float32Array;  // away from the first body
  forces: Float32Array;  // N, on the second body
  frictions: Float32Array;  // coefficient of friction of each contact
  gaps: Float32Array;  // m, of each contact at the start of the step
  errors: Float32Array;  // m/s, each contact's part of velocity_error; negative: not known
  modes: Uint8Array;  // of each contact: 0 open, 1 stick, 2 slide
  held: Uint32Array;  // bodies that a hand pulls
  grips: Float32Array;  // m, where: point on the body, target; six numbers each
  pulls: Float32Array;  // N, the hand's force on each
  cut: Uint8Array;  // 1: this joint is cut; of each joint
}

// Recordings are looked at, one or two: sent first.
export interface Recording {
  kind: 'recording';
  json: string;  // {recordings: [{file, engine, scene, frames, numbers, solvable, forms, shapes, bodies, joints}], solvers: [{name, title, joints}]}; numbers: of the frames in the file, empty: 0, 1, 2 ...
  scenes: string;  // list of scenes, docs/scene.md; bodies stand where the first frame has them
}

// After recording, and as more is known.
export interface Timeline {
  kind: 'timeline';
  frames: Uint32Array;  // of each recording
  times: Float32Array;  // s, of all frames, one recording after the other
  errors: Float32Array;  // m/s, velocity_error of the recorded answers; NaN: unknown
  left: number;  // frames whose error is not known yet
  apart: Float32Array;  // m, of two recordings: the farthest that a body is from itself; NaN: unknown
  difference: number;  // first frame in which they differ; -1: none; -2: not known yet
  words: string;  // what differs in it
}

// One frame, as asked for.
export interface Frame {
  kind: 'frame';
  frame: number;  // from 0
  json: string;  // list of {title, time, step, iterations, answered, errors, bodies, contacts, joint_rows, note}
  sizes: Uint32Array;  // bytes of each recording's state
  states: Uint8Array;  // messages `state`, one after the other, forces and errors as recorded; a body that the frame lacks has a pose of NaN, and 2^32 - 1 in a pair is a body that is not drawn
}

// A frame solved again, as asked for.
export interface Solved {
  kind: 'solved';
  recording: number;  // from 0
  frame: number;
  json: string;  // {solver, status, message, path, iterations, milliseconds, error, errors}
  forces: Float32Array;  // N, on the second body of each contact
  iterations: Float32Array;  // of the points of the error curve
  errors: Float32Array;  // m/s, velocity_error of each point
  restarts: Uint8Array;  // 1: the method restarted before this point
  contact_errors: Float32Array;  // m/s, each contact's part of velocity_error; negative: not known
  own: Float32Array;  // m/s, own_error of each point of the error curve
  modes: Uint8Array;  // of each contact: 0 open, 1 stick, 2 slide
  velocities: Float32Array;  // m/s, rad/s, after the step, of each body of the frame in its order; empty: not known
}

// An iterate of the last solve, as asked for.
export interface Iterate {
  kind: 'iterate';
  point: number;  // of the error curve, from 0
  iteration: number;
  forces: Float32Array;  // N, on the second body of each contact
  contact_errors: Float32Array;  // m/s, each contact's part of velocity_error; negative: not known
  modes: Uint8Array;  // of each contact: 0 open, 1 stick, 2 slide
  velocities: Float32Array;  // m/s, rad/s, after the step, of each body of the frame in its order; empty: not known
}

// A file to be downloaded, as asked for.
export interface Saved {
  kind: 'saved';
  name: string;
  type: string;  // its media type
  content: Uint8Array;
}

export interface Play { kind: 'play' }

export interface Pause { kind: 'pause' }

// Pauses and makes steps; goes back where count is negative.
export interface Steps {
  kind: 'steps';
  count: number;
}

// To the start, with the settings as they are.
export interface Reset { kind: 'reset' }

export interface Speed {
  kind: 'speed';
  factor: number;  // simulated seconds per second, 0.01 to 100
}

// This page shows curves, or does not any more.
export interface Watch {
  kind: 'watch';
  on: boolean;
}

// Answered by events.
export interface AskEvents { kind: 'ask_events' }

// Of recordings; answered by frame.
export interface ShowFrame {
  kind: 'show_frame';
  frame: number;  // from 0
}

// Of a recording; answered by solved.
export interface SolveFrame {
  kind: 'solve_frame';
  recording: number;  // from 0
  frame: number;  // from 0
  solver: string;
  iterations: number;  // at most; 1 to 1e6
  tolerance: number;  // m/s
}

// Of the frame solved last; answered by iterate.
export interface ShowIterate {
  kind: 'show_iterate';
  point: number;  // of the error curve, from 0
}

// Of a recording; answered by saved.
export interface SaveFrame {
  kind: 'save_frame';
  recording: number;  // from 0
  frame: number;  // from 0
  form: string;  // h5 or jsonl
}

// The run so far, made again as a recording; answered by saved.
export interface AskRecording { kind: 'ask_recording' }

// Pulls a body by a spring until it is released.
export interface Drag {
  kind: 'drag';
  body: number;  // its place in the scene, from 0
  point: [number, number, number];  // m, where it is held, in the frame of its shape
  target: [number, number, number];  // m, where the hand is, in the world
}

// Ends drag and twist.
export interface Release {
  kind: 'release';
  body: number;
}

// Turns a body until it is released.
export interface Twist {
  kind: 'twist';
  body: number;
  torque: [number, number, number];  // N m, in the world; at most what the hand's strength allows
}

// Takes a joint out of the run.
export interface Cut {
  kind: 'cut';
  joint: number;  // its place in the scene, from 0
}

// Adds a ball.
export interface Throw {
  kind: 'throw';
  position: [number, number, number];  // m
  velocity: [number, number, number];  // m/s
  radius: number;  // m
  mass: number;  // kg
}

// Changes a setting.
export interface Set {
  kind: 'set';
  name: string;  // of the list in settings; 2:solver is that of the second pane alone
  value: string;
}

export type FromProgram = Scene | Settings | Notice | Events | Panes | Curve | State | Recording | Timeline | Frame | Solved | Iterate | Saved;
export type ToProgram = Play | Pause | Steps | Reset | Speed | Watch | AskEvents | ShowFrame | SolveFrame | ShowIterate | SaveFrame | AskRecording | Drag | Release | Twist | Cut | Throw | Set;

// Numbers and fields on the wire, in order.
export const MESSAGES: Record<string, {number: number; fields: [string, FieldType][]}> = {
  scene: {number: 1, fields: [['run', 'count'], ['json', 'text']]},
  settings: {number: 2, fields: [['json', 'text']]},
  notice: {number: 3, fields: [['wrong', 'flag'], ['words', 'text']]},
  events: {number: 4, fields: [['json', 'text']]},
  panes: {number: 6, fields: [['sizes', 'counts'], ['states', 'bytes'], ['titles', 'text'], ['parted', 'number'], ['words', 'text'], ['apart', 'floats']]},
  curve: {number: 7, fields: [['step', 'number'], ['iterations', 'floats'], ['own', 'floats'], ['errors', 'floats'], ['restarts', 'bytes'], ['lengths', 'counts']]},
  state: {number: 5, fields: [['run', 'count'], ['playing', 'flag'], ['step', 'number'], ['time', 'number'], ['error', 'number'], ['own', 'number'], ['penetration', 'number'], ['energy', 'number'], ['milliseconds', 'number'], ['iterations', 'number'], ['pace', 'number'], ['status', 'text'], ['hash', 'text'], ['poses', 'floats'], ['velocities', 'floats'], ['pairs', 'counts'], ['points', 'floats'], ['normals', 'floats'], ['forces', 'floats'], ['frictions', 'floats'], ['gaps', 'floats'], ['errors', 'floats'], ['modes', 'bytes'], ['held', 'counts'], ['grips', 'floats'], ['pulls', 'floats'], ['cut', 'bytes']]},
  recording: {number: 10, fields: [['json', 'text'], ['scenes', 'text']]},
  timeline: {number: 11, fields: [['frames', 'counts'], ['times', 'floats'], ['errors', 'floats'], ['left', 'number'], ['apart', 'floats'], ['difference', 'number'], ['words', 'text']]},
  frame: {number: 12, fields: [['frame', 'number'], ['json', 'text'], ['sizes', 'counts'], ['states', 'bytes']]},
  solved: {number: 13, fields: [['recording', 'count'], ['frame', 'number'], ['json', 'text'], ['forces', 'floats'], ['iterations', 'floats'], ['errors', 'floats'], ['restarts', 'bytes'], ['contact_errors', 'floats'], ['own', 'floats'], ['modes', 'bytes'], ['velocities', 'floats']]},
  iterate: {number: 14, fields: [['point', 'number'], ['iteration', 'number'], ['forces', 'floats'], ['contact_errors', 'floats'], ['modes', 'bytes'], ['velocities', 'floats']]},
  saved: {number: 15, fields: [['name', 'text'], ['type', 'text'], ['content', 'bytes']]},
  play: {number: 16, fields: []},
  pause: {number: 17, fields: []},
  steps: {number: 18, fields: [['count', 'number']]},
  reset: {number: 19, fields: []},
  speed: {number: 20, fields: [['factor', 'number']]},
  watch: {number: 22, fields: [['on', 'flag']]},
  ask_events: {number: 21, fields: []},
  show_frame: {number: 48, fields: [['frame', 'number']]},
  solve_frame: {number: 49, fields: [['recording', 'count'], ['frame', 'number'], ['solver', 'text'], ['iterations', 'number'], ['tolerance', 'number']]},
  show_iterate: {number: 50, fields: [['point', 'number']]},
  save_frame: {number: 51, fields: [['recording', 'count'], ['frame', 'number'], ['form', 'text']]},
  ask_recording: {number: 52, fields: []},
  drag: {number: 32, fields: [['body', 'count'], ['point', 'vector'], ['target', 'vector']]},
  release: {number: 33, fields: [['body', 'count']]},
  twist: {number: 34, fields: [['body', 'count'], ['torque', 'vector']]},
  cut: {number: 35, fields: [['joint', 'count']]},
  throw: {number: 36, fields: [['position', 'vector'], ['velocity', 'vector'], ['radius', 'number'], ['mass', 'number']]},
  set: {number: 37, fields: [['name', 'text'], ['value', 'text']]},
};
