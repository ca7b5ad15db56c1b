// Keys, and the licences of what is bundled.
import {button, h} from '../../report/src/dom';

declare const THREE_LICENCE: string, THREE_VERSION: string;

const KEYS = [
  ['Space', 'Play or pause'], ['→  ←', 'One step, one step back'], ['R', 'To the start'],
  ['T', 'Throw a ball'], ['F', 'Look at everything'], ['Shift + arrows', 'Turn the view'],
  ['+  −', 'Come closer, go away'], ['?', 'This list'],
];
const RECORDING_KEYS = [
  ['→  ←', 'One frame on, one back'], ['Page ↓  ↑', 'Ten frames'], ['Home  End', 'First frame, last frame'],
  ['W  Shift + W', 'The worst frame, then the next'], ['D', 'First difference of two recordings'], ['S', 'Solve the frame again'],
];

export const licences = () => [
  h('p', {}, 'Perpend: Apache 2.0. Solvers that run inside a page contain Eigen (MPL 2.0), JSON for Modern C++ (MIT) and the libraries of ' +
      'emscripten (MIT; libc++: Apache 2.0 with LLVM exceptions). This page contains three.js ', THREE_VERSION, ':'),
  h('pre', {class: 'licence', tabindex: 0}, THREE_LICENCE)];

export function help_dialog(): HTMLDialogElement {
  const dialog = h('dialog', {class: 'help', 'aria-labelledby': 'help-title'},
      h('h2', {id: 'help-title'}, 'Keys'),
      h('dl', {}, KEYS.map(([key, meaning]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)))),
      h('h2', {}, 'Keys of a recording'),
      h('dl', {}, RECORDING_KEYS.map(([key, meaning]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)))),
      h('h2', {}, 'Pointer'),
      h('p', {}, 'Drag a body to pull it by a spring, with Shift to twist it. Click a body or a contact for its numbers. Drag beside it to turn the view, ' +
          'with the right button or two fingers to move it; wheel or pinch to come closer.'),
      h('h2', {}, 'Licences'),
      ...licences());
  dialog.append(button('Close', () => dialog.close(), {autofocus: true}));
  return dialog;
}
