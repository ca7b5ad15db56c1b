// What the viewer reaches on this machine: PERPEND_PROGRAM=... node web/view/test/reach.mjs [SECONDS]
// Prints a line for each measurement; nothing is asserted.
import {readFileSync} from 'node:fs';
import {launch, Page, Program} from './browser.mjs';
import {decode, Reader} from './reader.mjs';

const seconds = Number(process.argv[2] ?? 10);
const sleep = (s) => new Promise((done) => setTimeout(done, 1000 * s));
const quantile = (list, part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(part * list.length))];
const print = (what, value) => console.log(`${what.padEnd(66)} ${value}`);
const browser = await launch();

// Processor time of a program so far, s.
const processor = ({child}) => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

// First paint, and wall with 50 NNCG iterations a step while the page draws it.
for (const solver of ['box/nncg', 'ncp/nncg']) {
  const program = await Program.start('wall', '--solver', solver, '--max-iterations', '50', '--correct', '0', '--threads', '2');
  const page = await Page.open(browser, program, {viewport: {width: 1100, height: 640}}), {tab} = page;
  const paint = await tab.evaluate(() => performance.getEntriesByType('paint').map(({startTime}) => Math.round(startTime))[0]);
  print('first paint of the page, ms', paint);
  await tab.keyboard.press('Space');
  await sleep(2);
  const read = async () => ({...await tab.evaluate(() => ({at: performance.now(), step: window.perpend.state().step,
      frames: window.perpend.frames(), ms: window.perpend.state().milliseconds})), processor: processor(program)});
  const first = await read(), times = [];
  for (let i = 0; i < 4 * seconds; ++i) {
    await sleep(0.25);
    times.push((await read()).ms);
  }
  const last = await read(), passed = (last.at - first.at) / 1000, steps = last.step - first.step;
  print(`wall, 50 iterations of ${solver}, page open: steps a second`, (steps / passed).toFixed(1));
  print('  ms of a step: median, worst of those seen', `${quantile(times, 0.5).toFixed(2)}, ${Math.max(...times).toFixed(2)}`);
  print('  processor ms of the program for a step', (1000 * (last.processor - first.processor) / steps).toFixed(2));
  print('  drawn a second (software rendering)', ((last.frames - first.frames) / passed).toFixed(1));
  await page.close();
  await program.end();
}

// From a hand that moves to a body that has moved, at a client: how many steps later, and when.
{
  const program = await Program.start('stack', '--threads', '2'), body = 13;
  const reader = await Reader.open(program.address), waits = [], steps = [];
  let state;
  reader.heard = (bytes) => {
    const message = decode(bytes);
    if (message.kind === 'state') state = message;
  };
  for (let k = 0; k < 30; ++k) {
    reader.reset();
    reader.play();
    await sleep(0.2);  // it rests
    const before = state.poses[7 * body], start = performance.now(), step = state.step;
    reader.drag(body, [0, 0, 0], [before + 1, state.poses[7 * body + 1], state.poses[7 * body + 2]]);
    while (Math.abs(state.poses[7 * body] - before) < 1e-3 && performance.now() - start < 1000) await new Promise(setImmediate);
    waits.push(performance.now() - start);
    steps.push(state.step - step);
  }
  print('hand to moved body, ms: median, worst (two frames: 33)', `${quantile(waits, 0.5).toFixed(1)}, ${Math.max(...waits).toFixed(1)}`);
  print('  steps until then: median, worst', `${quantile(steps, 0.5)}, ${Math.max(...steps)}`);
  reader.close();
  await program.end();
}

// A thousand boxes with four contacts each, to a client that reads and does not draw.
{
  const boxes = Array.from({length: 1000}, (_, i) => ({name: `box ${i}`, mass: 1, shape: {type: 'box', half_extents: [0.5, 0.5, 0.5]},
                                                       position: [1.5 * (i % 32), 1.5 * Math.floor(i / 32), 0.5]}));
  const program = await Program.start({format: 'perpend-scene', name: 'field', step: 1 / 60,
                                       bodies: [{name: 'floor', shape: {type: 'plane'}}, ...boxes]}, '--threads', '2');
  const reader = await Reader.open(program.address);
  let last, states = 0;
  reader.heard = (bytes) => {
    if (bytes[0] !== 5) return;
    ++states;
    last = bytes;
  };
  reader.play();
  await sleep(2);
  const begun = performance.now(), from = {states, step: decode(last).step, processor: processor(program)};
  await sleep(seconds);
  const passed = (performance.now() - begun) / 1000, now = decode(last);
  print(`${boxes.length} bodies, ${now.frictions.length} contacts: states read a second`, ((states - from.states) / passed).toFixed(1));
  print('  steps a second', ((now.step - from.step) / passed).toFixed(1));
  print('  processor ms of the program for a step', (1000 * (processor(program) - from.processor) / (now.step - from.step)).toFixed(2));
  print('  ms of a step, kB of a state', `${now.milliseconds.toFixed(2)}, ${(last.length / 1000).toFixed(0)}`);
  reader.close();
  await program.end();
}
await browser.close();
