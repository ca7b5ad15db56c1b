// What the viewer reaches on this machine: PERPEND_PROGRAM=... node web/view/test/reach.mjs [SECONDS]
// Prints a line for each measurement; nothing is asserted.
import {launch, Page, Program} from './browser.mjs';
import {decode, Reader} from './reader.mjs';

const seconds = Number(process.argv[2] ?? 10);
const sleep = (s) => new Promise((done) => setTimeout(done, 1000 * s));
const quantile = (list, part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(part * list.length))];
const print = (what, value) => console.log(`${what.padEnd(66)} ${value}`);
const browser = await launch();

// First paint, and wall with 50 NNCG iterations a step while the page draws it.
{
  const program = await Program.start('wall', '--solver', 'ncp/nncg', '--max-iterations', '50', '--threads', '2');
  const page = await Page.open(browser, program, {viewport: {width: 1100, height: 640}}), {tab} = page;
  const paint = await tab.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime);
  print('first paint of the page, ms', paint?.toFixed(0));
  await tab.keyboard.press('Space');
  await sleep(2);
  const read = () => tab.evaluate(() => ({at: performance.now(), step: window.perpend.state().step, frames: window.perpend.frames(),
                                         ms: window.perpend.state().milliseconds}));
  const first = await read(), times = [];
  for (let i = 0; i < 4 * seconds; ++i) {
    await sleep(0.25);
    times.push((await read()).ms);
  }
  const last = await read(), passed = (last.at - first.at) / 1000;
  print('wall, 50 iterations of NNCG, page open: steps a second', ((last.step - first.step) / passed).toFixed(1));
  print('  ms of a step: median, worst of those seen', `${quantile(times, 0.5).toFixed(2)}, ${Math.max(...times).toFixed(2)}`);
  print('  drawn a second (software rendering)', ((last.frames - first.frames) / passed).toFixed(1));
  await page.close();
  await program.end();
}

// From a hand that moves to a body that has moved: at a client, and on the page until it is drawn.
{
  const program = await Program.start('stack', '--threads', '2'), body = 14;
  const reader = await Reader.open(program.address), waits = [], steps = [];
  let state;
  reader.heard = (bytes) => {
    const message = decode(bytes);
    if (message.kind === 'state') state = message;
  };
  reader.play();
  await sleep(1);
  for (let k = 0; k < 60; ++k) {
    const before = state.poses[7 * body], step = state.step, start = performance.now();
    reader.drag(body, [0, 0, 0], [before + (k % 2 ? -1 : 1), state.poses[7 * body + 1], state.poses[7 * body + 2]]);
    while (Math.abs(state.poses[7 * body] - before) < 1e-4 && performance.now() - start < 1000) await new Promise(setImmediate);
    waits.push(performance.now() - start);
    steps.push(state.step - step);
    await sleep(0.05);
  }
  print('hand to moved body, ms: median, 95 % (a frame: 16.7)', `${quantile(waits, 0.5).toFixed(1)}, ${quantile(waits, 0.95).toFixed(1)}`);
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
  const begun = performance.now(), from = {states, bytes: reader.bytes, step: decode(last).step};
  await sleep(seconds);
  const passed = (performance.now() - begun) / 1000, now = decode(last);
  print(`${boxes.length} bodies, ${now.frictions.length} contacts: states read a second`, ((states - from.states) / passed).toFixed(1));
  print('  steps a second', ((now.step - from.step) / passed).toFixed(1));
  print('  ms of a step, kB of a state', `${now.milliseconds.toFixed(2)}, ${(last.length / 1000).toFixed(0)}`);
  reader.close();
  await program.end();
}
await browser.close();
