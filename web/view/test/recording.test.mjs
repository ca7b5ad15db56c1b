// Recordings in a real browser: scrubbing, the worst frames, solving again, iterates, two beside
// each other, saving.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, Page, Program} from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'perpend-recording-'));
const perpend = (...words) => execFileSync(process.env.PERPEND_PROGRAM, words, {encoding: 'utf8'});
const exact = join(folder, 'exact.h5'), loose = join(folder, 'loose.h5');
let browser, program;
before(async () => {
  perpend('simulate', 'stack:4', '--steps', '60', '--out', exact, '--quiet');
  perpend('simulate', 'stack:4', '--steps', '60', '--solver', 'box/pgs', '--max-iterations', '4', '--out', loose, '--quiet');
  browser = await launch();
  program = await Program.start(loose);
});
after(async () => {
  await browser.close();
  assert.equal(await program.end(), 143);
});
async function opened(act, source = program) {
  const page = await Page.open(browser, source);
  await page.until(() => window.perpend.errors?.());
  await act(page, page.tab);
  await page.close();
}
const frame = (page) => page.tab.evaluate(() => window.perpend.frame());
const at = (page, wanted) => page.until((number) => window.perpend.frame() === number, wanted);

test('a click on the timeline shows that frame, and keys go from frame to frame', () => opened(async (page, tab) => {
  const before = (await page.state('poses')).poses;
  const box = await tab.locator('.bars').boundingBox();
  await tab.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.until(() => Math.abs(window.perpend.frame() - 30) <= 1);
  assert.notDeepEqual((await page.state('poses')).poses, before);
  await tab.keyboard.press('End');
  await at(page, 59);
  await tab.keyboard.press('ArrowLeft');
  await at(page, 58);
  await tab.keyboard.press('Home');
  await at(page, 0);
  await tab.keyboard.press('Space');
  await page.until(() => window.perpend.frame() > 5);
  await tab.keyboard.press('Space');
}));

test('bodies are where they were recorded, with their names', () => opened(async (page, tab) => {
  const place = await page.project(await page.body(2));
  await tab.mouse.move(...place);
  await tab.waitForTimeout(200);
  assert.match(await tab.textContent('.name'), /\w/);
  assert.ok((await page.state('forces')).forces.some((force) => force !== 0));
}));

test('a click shows the numbers of a body and of a contact, errors have colours, bodies their names', () => opened(async (page, tab) => {
  await tab.keyboard.press('w');
  await page.until(() => window.perpend.frame() > 0);
  const errors = (await page.state('errors')).errors, worst = Math.max(...errors);
  const told = await tab.evaluate(() => Math.max(...window.perpend.errors()));
  assert.ok(Math.abs(worst - told) < 1e-5 * told, `${worst}, ${told}`);
  await tab.getByText('Chosen body or contact').click();
  await tab.getByRole('button', {name: 'Worst contact'}).click();
  await tab.locator('.chosen').getByText(/^Contact \d+ of /).waitFor();
  assert.match(await tab.textContent('.inspect .numbers'), /Error\d/);
  await tab.getByLabel('Errors by colour').check();
  await tab.getByLabel('Names').check();
  await tab.locator('.names span').first().waitFor();
  assert.equal(await tab.locator('.names span').count(), 4);
  await tab.getByText('Contact graph and matrix').click();
  await tab.locator('.graphs canvas').first().waitFor();
  // What is looked at is not pulled.
  const place = await page.project(await page.body(2));
  await tab.mouse.move(...place);
  await tab.mouse.down();
  await tab.mouse.move(place[0] + 60, place[1], {steps: 3});
  await tab.mouse.up();
  assert.equal(await tab.locator('.notice').isVisible(), false);
}));

test('W goes to the worst frames, the worst first', () => opened(async (page, tab) => {
  const errors = await tab.evaluate(() => [...window.perpend.errors()]);
  await tab.keyboard.press('w');
  const worst = errors.indexOf(Math.max(...errors));
  await at(page, worst);
  await tab.keyboard.press('w');
  await page.until((first) => window.perpend.frame() !== first, worst);
  assert.ok(errors[await frame(page)] <= errors[worst]);
  await tab.keyboard.press('Shift+W');
  await at(page, worst);
}));

test('a frame is solved again, and its iterates are walked through', () => opened(async (page, tab) => {
  await tab.keyboard.press('w');
  await page.until(() => window.perpend.frame() > 0);
  const recorded = (await page.state('forces')).forces;
  await tab.locator('.settings .solver').selectOption('ncp/nncg');
  await tab.getByLabel('Iterations at most').fill('20');
  await tab.getByRole('button', {name: 'Solve again'}).click();
  await page.until(() => window.perpend.solved());
  assert.match(await tab.textContent('.solved-words'), /ncp\/nncg: iteration limit, 20 iterations/);
  const solved = await tab.evaluate(() => [...window.perpend.forces()]);
  assert.deepEqual((await page.state('forces')).forces, solved);
  assert.equal(solved.length, recorded.length);
  assert.ok(solved.some((force, i) => Math.abs(force - recorded[i]) > 1e-3));
  await tab.getByLabel('Iterate').focus();
  await tab.keyboard.press('Home');
  await page.until((last) => window.perpend.forces().some((force, i) => force !== last[i]), solved);
  await tab.getByRole('button', {name: 'Recorded'}).click();
  await page.until(() => !window.perpend.solved());
}));

test('a frame is saved as a file that is sound', () => opened(async (page, tab) => {
  await tab.keyboard.press('ArrowRight');
  await at(page, 1);
  for (const [name, ending] of [['As a standard file', 'h5'], ['As a JSON line', 'jsonl']]) {
    const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', {name}).click()]);
    assert.equal(download.suggestedFilename(), `loose-frame1.${ending}`);
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    assert.match(perpend('validate', file), /valid/);
  }
}));

test('two recordings stand beside each other, and their first difference is marked', async () => {
  const both = await Program.start(exact, loose);
  await opened(async (page, tab) => {
    assert.equal(await tab.locator('.pane').count(), 2);
    assert.deepEqual(await tab.locator('.pane .title').allTextContents(), ['exact.h5', 'loose.h5']);
    assert.ok((await page.state_of(1, 'poses')).poses.length > 0);
    await tab.getByText(/first difference in frame 1:/).waitFor();
    await tab.keyboard.press('End');
    await at(page, 59);
    await tab.keyboard.press('d');
    await at(page, 1);
  }, both);
  await both.end();
});

test('400 pixels are enough, and every control has a name', async () => {
  const page = await Page.open(browser, program, {viewport: {width: 400, height: 760}});
  assert.ok(await page.tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const nameless = await page.tab.$$eval('button, select, input', (controls) => controls.filter((one) =>
      !(one.getAttribute('aria-label') || one.textContent.trim() && one.tagName === 'BUTTON' ||
        one.labels?.[0]?.textContent.trim())).map((one) => one.outerHTML));
  assert.deepEqual(nameless, []);
  await page.close();
});

test('a run that was pulled at is saved as a recording and repeated', async () => {
  const live = await Program.start('stack:2');
  const page = await Page.open(browser, live), {tab} = page;
  for (let i = 0; i < 5; ++i) await tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 5);
  const place = await page.project(await page.body(2));
  await tab.mouse.move(...place);
  await tab.mouse.down();
  await tab.mouse.move(place[0] + 40, place[1] - 40, {steps: 3});
  await page.until(() => window.perpend.state().held.length === 1);
  for (let i = 0; i < 5; ++i) await tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 10);
  const {pulls} = await page.state('pulls');
  await tab.mouse.up();
  const [download] = await Promise.all([tab.waitForEvent('download'),
                                        tab.getByRole('button', {name: 'Save the recording'}).click()]);
  const file = join(folder, 'live.h5');
  await download.saveAs(file);
  assert.match(perpend('validate', '--rerun', file), /the same, bit for bit: 10 frames/);
  // What the file has beside gravity is what the page told of the hand.
  const lines = join(folder, 'live.jsonl');
  perpend('convert', file, lines, '--quiet');
  const {bodies} = JSON.parse(readFileSync(lines, 'utf8').trim().split('\n').at(-1));
  const row = bodies.forces.findIndex((force) => Math.hypot(force[0], force[1]) > 0);
  const hand = bodies.forces[row].slice(0, 3).map((force, k) => force + (k === 2 ? 9.81 * bodies.masses[row] : 0));
  assert.ok(Math.hypot(...pulls) > 1);
  assert.ok(Math.hypot(...hand.map((force, k) => force - pulls[k])) < 1e-4 * Math.hypot(...pulls), `${hand}, ${pulls}`);
  await page.close();
  await live.end();
});
