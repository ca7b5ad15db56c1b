// The viewer in a real browser: what is seen is where it ought to be, a hand moves bodies, keys and
// controls work, nothing is fetched and nothing is complained about.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {apart, launch, Page, PINK, plainly, Program, ring} from './browser.mjs';

let browser, program;
before(async () => {
  browser = await launch();
  program = await Program.start(ring);
});
after(async () => {
  await browser.close();
  assert.equal(await program.end(), 143);
});
async function opened(options, act) {
  const page = await Page.open(browser, program, {before: plainly, ...options});
  await page.tab.keyboard.press('r');
  await page.until(() => window.perpend.state().step === 0);
  await act(page, page.tab);
  await page.close();
}

test('the box is drawn where it is, before and after a drag', () => opened({}, async (page, tab) => {
  const at = await page.project(await page.body(PINK.body));
  const seen = await page.centroid(PINK.hue);
  assert.ok(seen.count > 100, `${seen.count} pixels`);
  assert.ok(apart(seen, at) < 3, `seen at ${seen.x}, ${seen.y}, is at ${at}`);

  await tab.mouse.move(...at);
  await tab.mouse.down();
  await tab.mouse.move(at[0] - 60, at[1] - 90, {steps: 4});
  await page.until(() => window.perpend.state().held.length === 1);
  await tab.keyboard.press('Space');
  const aim = [at[0] - 60, at[1] - 90];
  await page.until(([body, [x, y]]) => {  // it hangs a little below the pointer
    const {poses} = window.perpend.state(), place = window.perpend.project(...poses.slice(7 * body, 7 * body + 3));
    return Math.hypot(place[0] - x, place[1] - y) < 12;
  }, [PINK.body, aim]);
  // It hangs still: the hand holds its weight, 1 kg.
  await page.until((body) => Math.hypot(...window.perpend.state().velocities.slice(6 * body, 6 * body + 3)) < 1e-3, PINK.body);
  const {held, pulls} = await page.state('held', 'pulls');
  assert.deepEqual(held, [PINK.body]);
  assert.ok(Math.hypot(pulls[0], pulls[1], pulls[2] - 9.81) < 0.05, `${pulls}`);
  assert.match(await tab.textContent('.pull'), /^[\d.]+ N$/);
  await tab.keyboard.press('Space');
  await page.until(() => !window.perpend.state().playing);
  const there = await page.project(await page.body(PINK.body));
  await tab.evaluate(() => { document.querySelector('.pull').style.visibility = 'hidden'; });
  const again = await page.centroid(PINK.hue, 8);
  assert.ok(apart(again, there) < 3, `seen at ${again.x}, ${again.y}, is at ${there}`);
  await tab.mouse.up();
  await page.until(() => window.perpend.state().held.length === 0);
}));

test('a finger pulls a body, and beside it turns the view', () => opened({hasTouch: true}, async (page, tab) => {
  const touch = await page.context.newCDPSession(tab);
  const finger = (type, x, y) => touch.send('Input.dispatchTouchEvent', {type, touchPoints: type === 'touchEnd' ? [] : [{x, y}]});
  const swipe = async (x, y, dx, dy) => {
    await finger('touchStart', x, y);
    for (let k = 1; k <= 5; ++k) await finger('touchMove', x + dx * k / 5, y + dy * k / 5);
  };
  const at = await page.project(await page.body(PINK.body));
  await swipe(...at, -40, -60);
  await page.until((body) => window.perpend.state().held[0] === body, PINK.body);
  await finger('touchEnd');
  await page.until(() => window.perpend.state().held.length === 0);
  const before = await page.project([1, 0, 0]);
  await swipe(40, 500, 120, 0);
  await finger('touchEnd');
  await page.until(([x, y]) => Math.hypot(window.perpend.project(1, 0, 0)[0] - x, window.perpend.project(1, 0, 0)[1] - y) > 5, before);
  assert.equal((await page.state('held')).held.length, 0);
}));

test('keys: space, arrows, R and ?', () => opened({}, async (page, tab) => {
  await tab.keyboard.press('ArrowRight');
  await tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 2);
  const {hash} = await page.state('hash');
  await tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 3);
  await tab.keyboard.press('ArrowLeft');
  await page.until(() => window.perpend.state().step === 2);
  assert.equal((await page.state('hash')).hash, hash);
  await tab.keyboard.press('Space');
  await page.until(() => window.perpend.state().step > 10);
  assert.equal(await tab.textContent('.main'), '❚❚ Pause');
  await tab.keyboard.press('Space');
  await page.until(() => !window.perpend.state().playing);
  await tab.keyboard.press('?');
  assert.match(await tab.textContent('dialog[open] .licence'), /MIT License[^]*three\.js authors/);
  await tab.keyboard.press('Escape');
  await tab.keyboard.press('r');
  await page.until(() => window.perpend.state().step === 0);
}));

test('solvers and other settings change without a reset', () => opened({}, async (page, tab) => {
  const solvers = await tab.$$eval('.settings .solver option', (options) => options.map(({value}) => value));
  assert.ok(solvers.length > 30 && solvers.includes('box/pgs') && solvers.includes('ncp/auto'));
  await tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 1);
  await tab.getByLabel('Solver').selectOption('box/pgs');
  await tab.getByLabel('Gravity').fill('0');
  await tab.getByLabel('Gravity').press('Enter');
  await page.until(() => document.querySelector('.gravity input').dataset.value === '0');
  await tab.getByRole('button', {name: 'Step ▶'}).click();
  await page.until(() => window.perpend.state().step === 2);
  assert.equal(await tab.getByLabel('Solver').inputValue(), 'box/pgs');
  await tab.locator('.settings .h input').fill('abc');
  await tab.locator('.settings .h input').press('Enter');
  await tab.getByText("set: h: 'abc' is not a number").waitFor();
}));

test('two pages see the same run', () => opened({}, async (page) => {
  const other = await Page.open(browser, program);
  await page.tab.keyboard.press('ArrowRight');
  await other.until(() => window.perpend.state().step === 1);
  assert.deepEqual(await other.state('hash'), await page.state('hash'));
  await other.close();
}));

test('a lost connection comes back', async () => {
  let lose, sockets = 0;
  const page = await Page.open(browser, program, {before: (tab) => tab.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    ++sockets;
    lose = async () => {
      await socket.close();
      await server.close();
    };
  })});
  await lose();
  while (sockets < 2) await page.tab.waitForTimeout(50);
  await page.tab.getByText('Not connected').waitFor({state: 'hidden'});
  const {step} = await page.state('step');
  await page.tab.keyboard.press('ArrowRight');
  await page.until((before) => window.perpend.state().step === before + 1, step);
  await page.close();
});

test('400 pixels are enough, every control has a name, dark and light differ', async () => {
  const colours = [];
  for (const colorScheme of ['light', 'dark'])
    await opened({viewport: {width: 400, height: 760}, colorScheme}, async (page, tab) => {
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      for (const name of ['◀ Back', '▶ Play', 'Step ▶', 'Reset', 'Keys and licences']) {
        const box = await tab.getByRole('button', {name}).boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= 400, name);
      }
      const nameless = await tab.$$eval('button, select, input', (controls) => controls.filter((one) =>
          !(one.getAttribute('aria-label') || one.textContent.trim() && one.tagName === 'BUTTON' ||
            one.labels?.[0]?.textContent.trim())).map((one) => one.outerHTML));
      assert.deepEqual(nameless, []);
      colours.push(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor));
    });
  assert.notEqual(colours[0], colours[1]);
});

test('it plays by itself, but not for who wants less motion', async () => {
  const own = await Program.start(ring);
  const still = await Page.open(browser, own, {hash: '', reducedMotion: 'reduce'});
  await still.tab.waitForTimeout(500);
  assert.equal((await still.state('step')).step, 0);
  await still.close();
  const page = await Page.open(browser, own, {hash: ''});
  await page.until(() => window.perpend.state().step > 5);
  await page.close();
  assert.equal(await own.end('SIGINT'), 130);
});

test('all shapes are drawn', async () => {
  const shapes = [
    {type: 'cylinder', radius: 0.4, height: 0.8}, {type: 'cone', radius: 0.4, height: 0.8},
    {type: 'capsule', radius: 0.3, height: 0.4},
    {type: 'hull', points: [[0, 0, 0.5], [0.5, 0, -0.4], [-0.4, 0.5, -0.4], [-0.4, -0.5, -0.4]]},
    {type: 'compound', parts: [{shape: {type: 'box', half_extents: [0.5, 0.1, 0.1]}, position: [0, 0, 0.3]},
                               {shape: {type: 'sphere', radius: 0.3}}]},
  ];
  const own = await Program.start({
    format: 'perpend-scene', name: 'shapes', gravity: [0, 0, 0],
    bodies: [...shapes.map((shape, i) => ({name: shape.type, mass: 1, shape, position: [1.5 * i - 3, 0, 1]})),
             {name: 'field', position: [0, 3, 0], shape: {type: 'height_field', rows: 2, columns: 3, spacing: 1,
                                                         heights: [0, 0.2, 0, 0.1, 0.5, 0.1]}},
             {name: 'mesh', position: [0, -3, 0], shape: {type: 'mesh', points: [[-1, -1, 0], [1, -1, 0], [0, 1, 0]],
                                                          triangles: [[0, 1, 2]]}},
             {name: 'ground', position: [0, 0, -1], shape: {type: 'plane'}}],
  });
  const page = await Page.open(browser, own, {before: plainly});
  const names = [];
  for (let i = 0; i < shapes.length; ++i) {
    await page.tab.mouse.move(...await page.project(await page.body(i)));
    await page.tab.waitForTimeout(100);
    names.push(await page.tab.textContent('.name'));
  }
  assert.deepEqual(names, shapes.map(({type}) => type));
  await page.close();
  await own.end();
});
