// Pages that carry their recordings, opened from disk: no server runs and the network is off.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, Page} from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'perpend-share-'));
const at = (name) => join(folder, name);
const perpend = (...words) => execFileSync(process.env.PERPEND_PROGRAM, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
const solved = (...words) => JSON.parse(spawnSync(process.env.PERPEND_PROGRAM, ['solve', ...words, '--json'],
    {encoding: 'utf8', maxBuffer: 1 << 28}).stdout).results;
const HOSTILE = '</script><img src=x onerror=window.hurt=1>';
let browser;
before(async () => {
  perpend('simulate', 'stack:4', '--steps', '40', '--solver', 'box/pgs', '--max-iterations', '4', '--out', at('run.h5'),
          '--share', at('run.html'), '--quiet');
  browser = await launch();
});
after(() => browser.close());

// A page from disk; the browser has no network, and asks for nothing.
async function opened(file, hash, act, options = {}) {
  const page = new Page();
  page.context = await browser.newContext({viewport: {width: 900, height: 640}, offline: true, ...options});
  const tab = page.tab = await page.context.newPage();
  tab.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && request.url().split('#')[0] !== `file://${file}`) page.complaints.push(`fetches ${request.url()}`);
  });
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|swiftshader|GL Driver/i.test(message.text()))
      page.complaints.push(message.text());
  });
  tab.on('pageerror', (error) => page.complaints.push(`${error}`));
  await tab.goto(`file://${file}${hash}`);
  await tab.waitForFunction(() => window.perpend?.state() && window.perpend.frames() > 0, undefined, {timeout: 60000});
  await act(page, tab);
  await page.close();
}
// To six digits, or both below 1e-12.
const close = (a, b) => Math.abs(a) < 1e-12 && Math.abs(b) < 1e-12 || Math.abs(a - b) <= 1e-6 * Math.abs(b);
const about = (tab) => tab.evaluate(() => JSON.parse(window.perpend.solved().json));
async function solve(page, tab, solver, iterations = 10000) {
  await tab.locator('.settings .solver').selectOption(solver);
  await tab.getByLabel('Iterations at most').fill(`${iterations}`);
  await tab.getByRole('button', {name: 'Solve again'}).click();
  await page.until((name) => window.perpend.solved() && JSON.parse(window.perpend.solved().json).solver === name, solver);
  return about(tab);
}

test('it plays, and bodies, contacts and forces are seen', () => opened(at('run.html'), '', async (page, tab) => {
  await page.until(() => window.perpend.frame() > 5);  // by itself
  await tab.keyboard.press('Space');
  await tab.keyboard.press('End');
  await page.until(() => window.perpend.frame() === 39);
  const {forces, points, names} = await page.state('forces', 'points', 'names');
  assert.ok(points.length >= 3 * 16 && forces.some((force) => Math.abs(force) > 1));
  await tab.getByLabel('Friction cones').check();
  const box = await tab.locator('canvas').first().boundingBox();
  await page.drawn();
  const hues = await Promise.all([20, 60, 210, 280].map((hue) => page.centroid(hue, 30, box)));
  assert.ok(hues.filter(({count}) => count > 100).length >= 2, JSON.stringify(hues));
}));

test('solves end as those of the program, recorded answers have the same errors', () => opened(at('run.html'), '#paused', async (page, tab) => {
  const solvers = ['ncp/auto', 'ncp/nncg', 'box/pgs', 'lcp/lemke', 'recorded'];
  for (const frame of [7, 30]) {
    await tab.evaluate((number) => { location.hash = `#frame=${number}`; }, frame);
    await page.until((number) => window.perpend.frame() === number, frame);
    const expected = solved(at('run.h5'), '--solver', solvers.join(), '--frames', `${frame}`);
    assert.equal(expected.length, solvers.length);
    for (const {solver, status, errors} of expected) {
      const found = await solve(page, tab, solver);
      assert.equal(found.status, status, `frame ${frame}, ${solver}`);
      if (solver !== 'recorded') continue;
      for (const [measure, value] of Object.entries(errors))
        if (value !== null) assert.ok(close(found.errors[measure], value), `${measure}: ${found.errors[measure]}, ${value}`);
      const shown = await tab.$$eval('.measures div', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
      const velocity = Number(shown.find(([name]) => name === 'velocity_error')[1]);
      assert.ok(close(velocity, errors.velocity_error), `${velocity}, ${errors.velocity_error}`);
    }
  }
}));

test('a link leads to the frame and solves it; frames go on during a solve, and a new one ends it', () =>
  opened(at('run.html'), '#frame=12&solver=ncp/pgs', async (page, tab) => {
    await page.until(() => window.perpend.solved?.());
    assert.equal(await tab.evaluate(() => window.perpend.frame()), 12);
    assert.equal((await about(tab)).solver, 'ncp/pgs');
    // A solve that does not end: the tolerance cannot be met.
    await tab.getByLabel('Tolerance').fill('0');
    await tab.getByLabel('Iterations at most').fill('1000000');
    await tab.getByRole('button', {name: 'Solve again'}).click();
    await tab.getByLabel('Tolerance').fill('1e-8');
    assert.equal((await solve(page, tab, 'ncp/auto')).status, 'converged');
    await tab.keyboard.press('ArrowRight');
    await page.until(() => window.perpend.frame() === 13);
  }));

test('chosen frames keep their numbers, two recordings stand beside each other', async () => {
  perpend('view', at('run.h5'), at('run.h5'), '--share', at('two.html'), '--frames', '20-25', '--quiet');
  await opened(at('two.html'), '#frame=22', async (page, tab) => {
    await page.until(() => window.perpend.frame() === 2);
    assert.match(await tab.textContent('.numbers'), /Frame22/);
    assert.equal(await tab.locator('.pane').count(), 2);
    await tab.getByText('no difference').waitFor();
  });
});

test('a trajectory plays and says that nothing can be solved', async () => {
  perpend('view', at('run.h5'), '--share', at('poses.html'), '--trajectory', '--quiet');
  await opened(at('poses.html'), '', async (page, tab) => {
    await page.until(() => window.perpend.frame() > 5);
    assert.ok(await tab.getByText('nothing can be solved again').isVisible());
    assert.equal((await page.state('forces')).forces.length, 0);
  });
});

test('names cannot become HTML', async () => {
  const scene = JSON.parse(perpend('scenes', 'stack:2', '--json'));
  scene.name = scene.title = HOSTILE;
  for (const body of scene.bodies) body.name = `${body.name} ${HOSTILE}`;
  writeFileSync(at('hostile.json'), JSON.stringify(scene));
  perpend('simulate', at('hostile.json'), '--steps', '3', '--share', at('hostile.html'), '--quiet');
  assert.ok(!readFileSync(at('hostile.html'), 'utf8').includes('<img src=x'));
  await opened(at('hostile.html'), '#paused', async (page, tab) => {
    await page.until(() => window.perpend.frame() === 0);
    assert.ok((await tab.textContent('h1')).includes(HOSTILE));
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
  });
});

test('JSON lines are shown and solved too, and 400 pixels are enough', async () => {
  const lines = new URL('../../../examples/frames/blocks.jsonl', import.meta.url).pathname;
  perpend('view', lines, '--share', at('blocks.html'), '--quiet');
  await opened(at('blocks.html'), '#frame=1&solver=ncp/auto', async (page, tab) => {
    await page.until(() => window.perpend.solved?.());
    assert.equal((await about(tab)).status, 'converged');
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', {name: 'As a JSON line'}).click()]);
    await download.saveAs(at('one.jsonl'));
    assert.match(perpend('validate', at('one.jsonl')), /valid/);
  }, {viewport: {width: 400, height: 760}});
});

test('100 frames of the wall are small', () => {
  perpend('simulate', 'wall', '--steps', '100', '--out', at('wall.h5'), '--share', at('wall.html'), '--quiet');
  perpend('view', at('wall.h5'), '--share', at('wall-poses.html'), '--trajectory', '--quiet');
  assert.ok(statSync(at('wall.html')).size < 10e6, `${statSync(at('wall.html')).size}`);
  assert.ok(statSync(at('wall-poses.html')).size < 3e6, `${statSync(at('wall-poses.html')).size}`);
});
