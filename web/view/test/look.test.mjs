// What there is to look at: numbers of a body or contact, errors by colour, the contact graph, the
// matrix, the curve of a step; and what works without a pointer, and after a restart.
import assert from 'node:assert/strict';
import {mkdtempSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, Page, PINK, plainly, Program, ring} from './browser.mjs';

let browser, program;
before(async () => {
  browser = await launch();
  program = await Program.start(ring);
});
after(async () => {
  await browser.close();
  await program.end();
});
async function opened(options, act) {
  const page = await Page.open(browser, program, {viewport: {width: 1000, height: 900}, ...options});
  await page.tab.keyboard.press('r');
  await page.until(() => window.perpend.state().step === 0);
  await page.tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 1);
  await act(page, page.tab);
  await page.close();
}
const numbers = (tab) => tab.$$eval('.inspect .numbers div', (all) =>
    Object.fromEntries(all.map((one) => [one.children[0].textContent, one.children[1].textContent])));
const open = (tab, label) => tab.locator('summary', {hasText: label}).click();

test('the picture shows the crates, not the way of a ball that comes from afar; only the panel scrolls', async () => {
  const far = await Program.start('crates:4');
  const page = await Page.open(browser, far, {viewport: {width: 1000, height: 700}}), {tab} = page;
  const [low, high] = await Promise.all([0, 1].map((z) => page.project([0, 0, z])));
  assert.ok(low[1] - high[1] > 60, `a crate of 1 m is ${low[1] - high[1]} pixels high`);
  assert.ok(await tab.evaluate(() => document.documentElement.scrollHeight <= innerHeight));
  assert.ok(await tab.evaluate(() => document.querySelector('.panel').scrollHeight > innerHeight));
  await page.close();
  await far.end();
});

test('a click tells the numbers of a body, and pulls nothing', () => opened({before: plainly}, async (page, tab) => {
  await tab.mouse.click(...await page.project(await page.body(PINK.body)));
  await tab.getByText('box, box').waitFor();
  const told = await numbers(tab);
  assert.equal(told.Mass, '1.00 kg');
  assert.equal(told.Contacts, '4');
  const up = Number(told['Contact force'].split(', ')[2].replace(' N', ''));
  assert.ok(Math.abs(up - 9.81) < 0.1, told['Contact force']);
  assert.equal((await page.state('held')).held.length, 0);
  await tab.mouse.click(...await page.project(await page.body(1)));
  await tab.getByText('ball 0, sphere').waitFor();
}));

test('a click on a contact tells its force, its cone and its error', () => opened({}, async (page, tab) => {
  const {points, pairs, forces, frictions} = await page.state('points', 'pairs', 'forces', 'frictions');
  const i = frictions.findIndex((_, k) => pairs.slice(2 * k, 2 * k + 2).includes(1));  // below a ball
  await tab.mouse.click(...await page.project(points.slice(3 * i, 3 * i + 3)));
  await tab.getByText(/^Contact \d+ of floor and ball 0$/).waitFor();
  const told = await numbers(tab);
  assert.ok(Math.abs(Number(told['Normal force'].replace(' N', '')) - Math.hypot(...forces.slice(3 * i, 3 * i + 3))) < 0.01);
  assert.match(told.State, /stick|slide/);
  assert.match(told.Error, /m\/s$/);
  assert.equal(told.Coefficient, '0.500');
  // It is followed while the run goes on.
  await tab.keyboard.press('Space');
  await page.until(() => window.perpend.state().step > 20);
  await tab.keyboard.press('Space');
  await tab.getByText(/^Contact \d+ of floor and ball 0$/).waitFor();
  // Without a pointer.
  await tab.getByLabel('Body to look at').selectOption('box');
  await tab.getByRole('button', {name: 'Next contact'}).press('Enter');
  await tab.getByText(/^Contact \d+ of floor and box$/).waitFor();
  await tab.getByRole('button', {name: 'Worst contact'}).press('Enter');
  const {contact} = await tab.evaluate(() => window.perpend.chosen());
  const {errors} = await page.state('errors');
  assert.equal(errors[contact], Math.max(...errors));
}));

test('errors are shown by colour', () => opened({}, async (page, tab) => {
  const {points, pairs, frictions} = await page.state('points', 'pairs', 'frictions');
  const i = frictions.findIndex((_, k) => pairs.slice(2 * k, 2 * k + 2).includes(1));
  const [x, y] = (await page.project(points.slice(3 * i, 3 * i + 3))).map(Math.round);
  const clip = {x: x - 8, y: y - 8, width: 16, height: 16};
  await tab.getByLabel('Forces').uncheck();
  const count = async (hue) => (await page.centroid(hue, 14, clip)).count;
  const [green, blue] = [await count(158), await count(225)];
  await tab.getByLabel('Errors by colour').check();
  const [heat_green, heat_blue] = [await count(158), await count(225)];
  assert.ok(green > 5 && heat_green < green / 2, `stick: ${green}, ${heat_green} pixels`);
  assert.ok(heat_blue > blue + 5, `an exact answer is blue: ${blue}, ${heat_blue} pixels`);
}));

test('the contact graph and the blocks of A', () => opened({before: plainly}, async (page, tab) => {
  await open(tab, 'Contact graph and matrix');
  await tab.getByText('7 bodies, 6 pairs').waitFor();
  // Five balls with a contact each, a box with four: 5 + 16 of 81 blocks.
  await tab.getByText('9 × 9 blocks, 26 % not zero, 6 islands').waitFor();
  const inked = await tab.$$eval('.graphs canvas', (all) => all.map((canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, at) => at % 4 === 3 && value > 0).length;
  }));
  assert.ok(inked.every((count) => count > 200), `${inked}`);
}));

test('the error of the iterations of the current step', async () => {
  const nncg = await Program.start('stack:10', '--solver', 'box/nncg', '--max-iterations', '50');
  const page = await Page.open(browser, nncg, {viewport: {width: 1000, height: 900}}), {tab} = page;
  await tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 1);
  await open(tab, 'Iterations of the step');
  await page.until(() => window.perpend.curve()?.errors.length > 1);  // the step made before it was open
  const {step, iterations, own, restarts} = await tab.evaluate(() => {
    const {step, iterations, own, restarts} = window.perpend.curve();
    return {step, iterations: [...iterations], own: [...own], restarts: [...restarts]};
  });
  assert.equal(step, 1);
  assert.deepEqual(iterations, [...iterations.keys()]);
  assert.ok(own.at(-1) < own[0] / 10, `${own}`);
  const told = await page.state('iterations');
  assert.equal(iterations.at(-1), told.iterations);
  await tab.getByText(`Step 1: iterations ${iterations.at(-1)}, restarts ${restarts.filter((one) => one).length}`).waitFor();
  await page.close();
  await nncg.end();
});

test('a body is pulled, turned and let go with keys alone', () => opened({before: plainly}, async (page, tab) => {
  await tab.getByLabel('Body to pull').selectOption('box');
  await tab.getByRole('button', {name: 'Pull up'}).focus();
  for (let i = 0; i < 4; ++i) await tab.keyboard.press('Enter');
  await page.until((body) => window.perpend.state().held[0] === body, PINK.body);
  const before = await page.body(PINK.body);
  for (let i = 0; i < 30; ++i) await tab.getByRole('button', {name: 'Step ▶'}).press('Enter');
  await page.until(() => window.perpend.state().step === 31);
  assert.ok((await page.body(PINK.body))[2] > before[2] + 0.1);
  await tab.getByRole('button', {name: 'Twist right'}).press('Enter');
  const turned = async () => Math.abs((await page.state('poses')).poses[7 * PINK.body + 6]);  // cosine of half the angle
  const straight = await turned();
  for (let i = 0; i < 10; ++i) await tab.getByRole('button', {name: 'Step ▶'}).press('Enter');
  await page.until(() => window.perpend.state().step === 41);
  assert.ok(Math.abs(await turned() - straight) > 0.02, `${straight}, ${await turned()}`);
  await tab.getByRole('button', {name: 'Let go'}).press('Enter');
  await page.until(() => window.perpend.state().held.length === 0);
  const unreachable = await tab.$$eval('button, select, input, summary, canvas[tabindex]', (all) =>
      all.filter((one) => one.tabIndex < 0).map((one) => one.outerHTML));
  assert.deepEqual(unreachable, []);
}));

test('names are drawn beside their bodies', () => opened({before: plainly}, async (page, tab) => {
  await tab.getByLabel('Names').check();
  await page.drawn();
  const [x, y] = await page.project(await page.body(PINK.body));
  const box = await tab.locator('.names span', {hasText: 'box'}).boundingBox();
  assert.ok(Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 2, JSON.stringify([box, x, y]));
}));

test('an open page comes back after the program was started again', async () => {
  const port = await new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port: free} = server.address();
      server.close(() => found(free));
    });
  });
  const env = {XDG_RUNTIME_DIR: mkdtempSync(join(tmpdir(), 'perpend-view-'))};
  const first = await Program.start_in(env, ring, '--port', `${port}`);
  const page = await Page.open(browser, first, {before: plainly});
  await page.tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 1);
  await first.end();
  await page.tab.getByText('Not connected').waitFor();
  const second = await Program.start_in(env, ring, '--port', `${port}`);
  assert.equal(second.address, first.address);
  await page.tab.getByText('Not connected').waitFor({state: 'hidden'});
  await page.until(() => window.perpend.state().step === 0);
  await page.tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 1);
  page.complaints = page.complaints.filter((one) => !/ERR_CONNECTION_REFUSED|WebSocket connection/.test(one));
  await page.close();
  await second.end();
});
