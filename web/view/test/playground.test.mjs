// The playground in a real browser, opened from the disk without a network: problems, solvers,
// curves, iterates, text by hand.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {launch, Page} from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'perpend-playground-')), file = join(folder, 'class.html');
const perpend = (...words) => execFileSync(process.env.PERPEND_PROGRAM, words, {encoding: 'utf8'});
let browser;
before(async () => {
  try {
    perpend('playground', file);
  } catch (error) {
    if (!/emscripten/.test(error.stderr)) throw error;
    console.log('skipped: the program was built without emscripten');
    process.exit(77);
  }
  browser = await launch();
});
after(() => browser?.close());

async function opened(hash, act, options = {}) {
  const page = new Page();
  page.context = await browser.newContext({viewport: {width: 1280, height: 800}, ...options});
  await page.context.setOffline(true);
  const tab = page.tab = await page.context.newPage();
  tab.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.complaints.push(`fetches ${request.url()}`);
  });
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|swiftshader|GL Driver/i.test(message.text()))
      page.complaints.push(message.text());
  });
  tab.on('pageerror', (error) => page.complaints.push(`${error}`));
  await tab.goto(pathToFileURL(file).href + hash);
  await solved(page);
  await act(page, tab);
  await page.close();
}
const solved = (page) => page.until(() => window.perpend?.curves().length > 0 && window.perpend.curves().every(({busy, errors}) => !busy && errors.length > 0));
const curves = (page) => page.tab.evaluate(() => window.perpend.curves());
const slide = (tab, label, value) => tab.getByLabel(label, {exact: true}).fill(`${value}`);
// Pixels of the plot that have the colour of each solver.
const inked = (tab) => tab.evaluate(() => {
  const canvas = document.querySelector('.convergence canvas'), style = getComputedStyle(canvas);
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return [...document.querySelectorAll('.results tbody th')].map((head) => {
    const [r, g, b] = style.getPropertyValue(head.style.getPropertyValue('--solver').slice(4, -1)).trim().slice(1).match(/../g).map((x) => parseInt(x, 16));
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255) ++count;
    return count;
  });
});

test('two solvers on a wall of bricks end as the program says, below the tolerance, with a line each', () => opened('', async (page, tab) => {
  await tab.getByLabel('Problem', {exact: true}).selectOption({label: 'A wall of bricks has just landed'});
  await page.until(() => window.perpend.state().frictions.length > 50);
  await tab.getByLabel('Remove box/pgs').click();
  await tab.getByLabel('Remove ncp/pgs').click();
  await tab.getByLabel('Add a solver').selectOption('ncp/interior-point');
  await solved(page);
  const all = await curves(page);
  assert.deepEqual(all.map(({solver}) => solver), ['ncp/auto', 'ncp/interior-point']);
  for (const {errors} of all) assert.ok(errors.at(-1) < 1e-8 && errors[0] > 1e-3, `${errors.at(-1)}`);
  await tab.getByText('The problem as text').click();
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', {name: 'Save as a file'}).click()]);
  const saved = join(folder, 'wall.jsonl');
  await download.saveAs(saved);
  for (const {solver} of all) {
    const told = JSON.parse(perpend('solve', saved, '--solver', solver, '--max-iterations', '1000', '--json')).results[0];
    assert.equal(await tab.getAttribute(`tr[data-solver="${solver}"]`, 'data-status'), told.status);
  }
  await tab.waitForTimeout(300);
  for (const pixels of await inked(tab)) assert.ok(pixels > 100, `${pixels}`);
}));

test('the box on the slope sticks below the friction angle, slides above it, and is drawn', () => opened('#slope', async (page, tab) => {
  assert.deepEqual((await page.state('modes')).modes, [1, 1, 1, 1]);
  assert.match(await tab.textContent('.by-hand'), /the box stays/);
  assert.match(await tab.textContent('.found'), /speed after the step 0 m\/s/);
  assert.ok((await page.centroid(202)).count > 2000);  // the box is blue
  await slide(tab, 'Angle', 27);
  await page.until(() => window.perpend.state().modes.every((mode) => mode === 2));
  assert.match(await tab.textContent('.by-hand'), /it slides/);
  const [, speed] = (await tab.textContent('.found')).match(/speed after the step ([\d.e-]+) m\/s/);
  const expected = 9.81 * 0.01 * (Math.sin(27 * Math.PI / 180) - 0.5 * Math.cos(27 * Math.PI / 180));
  assert.ok(Math.abs(speed - expected) < 0.005 * expected, `${speed}, ${expected}`);
  assert.match(tab.url(), /#slope&angle=27&friction=0.5&mass=10&solvers=box\/pgs,ncp\/pgs,ncp\/auto$/);
  await slide(tab, 'Friction μ', 0.52);
  await page.until(() => window.perpend.state().modes.every((mode) => mode === 1));
}));

test('an address opens what it names', () => opened('#stack&count=3&ratio=100&solvers=box/pgs,ncp/prox-newton', async (page, tab) => {
  assert.match(await tab.textContent('.by-hand'), /\(2 × 1 kg \+ 100 kg\) g = 1000 N/);
  assert.deepEqual((await curves(page)).map(({solver}) => solver), ['box/pgs', 'ncp/prox-newton']);
  assert.match(await tab.textContent('.found'), /floor carries 1000 N/);
}));

test('the iterates of a solver are walked through', () => opened('#ladder&solvers=ncp/auto', async (page, tab) => {
  const last = (await page.state('forces')).forces;
  await tab.getByLabel('Iterate', {exact: true}).fill('1');
  await page.until((forces) => window.perpend.state().forces.some((force, i) => Math.abs(force - forces[i]) > 1), last);
  assert.match(await tab.textContent('.walk'), /iteration 1,/);
  await tab.getByRole('button', {name: 'Play the iterates'}).click();
  await page.until((forces) => window.perpend.state().forces.every((force, i) => force === forces[i]), last);
}));

test('every solver of the program is offered, by formulation and with its title', () => opened('#slope', async (page, tab) => {
  const known = JSON.parse(perpend('solvers', '--json')).solvers.filter(({origin}) => origin === 'perpend');
  const offered = await tab.$$eval('.results select option[value*="/"]', (options) => options.map(({value, textContent, parentElement}) =>
      ({value, textContent, group: parentElement.label})));
  assert.deepEqual(offered.map(({value}) => value).sort(), known.map(({name}) => name).sort());
  for (const {name, title} of known) {
    const one = offered.find(({value}) => value === name);
    assert.equal(one.textContent, `${name}: ${title}`);
    assert.equal(one.group.split(':')[0], name.split('/')[0]);
  }
}));

test('text by hand is used, and what is wrong with it is said in one line', () => opened('#slope', async (page, tab) => {
  await tab.getByText('The problem as text').click();
  const area = tab.getByLabel('The frame as JSON'), text = await area.inputValue(), use = tab.getByRole('button', {name: 'Use this text'});
  const complaint = tab.locator('.text .wrong');
  for (const [wrong, says] of [[text.slice(0, -1), /line 1|parse|expected/i], [text.replace(/"masses": \[0,10\]/, '"masses": [0,-10]'), /masses/],
                               [text.replace('"mu"', '"friction"'), /mu|friction/], ['', /.+/]]) {
    assert.notEqual(wrong, text);
    await area.fill(wrong);
    await use.click();
    await complaint.getByText(says).waitFor();
    assert.doesNotMatch(await complaint.textContent(), /\n/);
  }
  await area.fill(text.replace(/"mu": \[[^\]]*\]/, '"mu": [0.1,0.1,0.1,0.1]'));
  await use.click();
  await page.until(() => window.perpend.state().modes.every((mode) => mode === 2));
  assert.equal(await complaint.isVisible(), false);
  await tab.getByRole('button', {name: 'Start again'}).click();
  await page.until(() => window.perpend.state().modes.every((mode) => mode === 1));
}));

test('a file of frames may be dropped on the page; one that is none is refused', () => opened('#slope', async (page, tab) => {
  const drop = (name, text) => tab.evaluate(([called, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], called));
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
  }, [name, text]);
  await drop('run.h5', '\u0089HDF\r\n');
  await tab.getByRole('alert').getByText('run.h5 does not hold JSON lines').first().waitFor();
  const source = new URL('../../../examples/frames/blocks.jsonl', import.meta.url);
  await drop('blocks.jsonl', readFileSync(source, 'utf8'));
  await tab.getByRole('heading', {name: 'block on a slope just below the friction angle'}).waitFor();
  await slide(tab, 'Frame', 7);
  await tab.getByRole('heading', {name: 'stack of three boxes at rest'}).waitFor();
  await page.until(() => window.perpend.state().frictions.length === 12);
  await solved(page);
  assert.ok((await curves(page)).at(-1).errors.at(-1) < 1e-8);
}));

test('400 pixels are enough, and every control has a name', () => opened('#balls', async (page, tab) => {
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const nameless = await tab.$$eval('button, select, input, textarea', (controls) => controls.filter((one) =>
      !(one.getAttribute('aria-label') || one.textContent.trim() && one.tagName === 'BUTTON' ||
        one.labels?.[0]?.textContent.trim())).map((one) => one.outerHTML));
  assert.deepEqual(nameless, []);
}, {viewport: {width: 400, height: 760}}));
