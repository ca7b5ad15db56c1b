// Several panes under one hand, in a real browser.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {apart, launch, Page, PINK, plainly, Program, ring} from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());
async function opened(panes, options, act, scene = ring) {
  const program = await Program.start(scene, ...panes.flatMap((pane) => ['--pane', pane]));
  try {
    const page = await Page.open(browser, program, {before: plainly, ...options});
    await page.drawn();
    await act(page, page.tab);
    await page.close();
  } finally {
    await program.end();
  }
}

test('one hand in two panes of the same solver: equal hashes after 300 steps', () =>
  opened(['box/nncg@50', 'box/nncg@50'], {}, async (page, tab) => {
    for (const pane of [0, 1]) {
      const at = await page.project(await page.body(PINK.body, pane), pane);
      const clip = await tab.locator('.pane').nth(pane).boundingBox();
      assert.ok(apart(await page.centroid(PINK.hue, 12, clip), at) < 3, `pane ${pane + 1}`);
    }
    await tab.keyboard.press('Space');
    const at = await page.project(await page.body(PINK.body, 1), 1);
    await tab.mouse.move(...at);  // in the second pane
    await tab.mouse.down();
    await tab.mouse.move(at[0] - 40, at[1] - 60, {steps: 6});
    await page.until(() => window.perpend.state(0).held.length === 1 && window.perpend.state(1).held.length === 1);
    assert.equal(await tab.locator('.pull:visible').count(), 2);
    await page.until(() => window.perpend.state().step > 60);
    await tab.mouse.up();
    await tab.keyboard.press('t');
    await page.until(() => window.perpend.state().step >= 300);
    await tab.keyboard.press('Space');
    await page.until(() => !window.perpend.state().playing);
    const [one, two] = [await page.state_of(0, 'step', 'hash', 'poses'), await page.state_of(1, 'step', 'hash', 'poses')];
    assert.deepEqual(one, two);
    assert.equal(one.poses.length, 7 * (ring.bodies.length + 1));
    assert.equal(await page.tab.evaluate(() => window.perpend.told().parted), -1);
    assert.ok(await tab.locator('.parted').isHidden());
    const before = one.hash;
    await tab.keyboard.press('ArrowLeft');
    await page.until((step) => window.perpend.state(1).step === step - 1, one.step);
    await tab.keyboard.press('ArrowRight');
    await page.until((step) => window.perpend.state(1).step === step, one.step);
    assert.equal((await page.state_of(1, 'hash')).hash, before);
  }));

test('the step in which panes part is told', () => opened(['ncp/auto', 'box/pgs@2', 'bullet'], {}, async (page, tab) => {
  const titles = await tab.$$eval('.pane .title', (all) => all.map((one) => one.textContent));
  assert.deepEqual(titles.slice(0, 2), ['1  ncp/auto', '2  box/pgs, 2 iterations']);
  assert.match(titles[2], /^3 {2}Bullet \d.*, 10 iterations$/);
  await tab.keyboard.press('Space');
  await page.until(() => window.perpend.told().parted > 0);
  const {parted, words} = await tab.evaluate(() => window.perpend.told());
  assert.match(words, new RegExp(`^Pane [23] parts from pane 1 in step ${parted}: .* a tenth of its radius$`));
  assert.equal(await tab.textContent('.parted'), words);
  await tab.keyboard.press('r');
  await page.until(() => window.perpend.told().parted === -1);
  assert.ok(await tab.locator('.parted').isHidden());
}, 'stack:10'));

test('a solver is changed in one pane alone', () => opened(['box/pgs@50', 'box/nncg@50'], {}, async (page, tab) => {
  await tab.keyboard.press('ArrowRight');
  await page.until(() => window.perpend.state().step === 1);
  await tab.getByLabel('Settings of').selectOption('2');
  await tab.locator('.settings .solver:visible select').selectOption('ncp/auto');
  await page.until(() => window.perpend.told().titles.endsWith('\nncp/auto, 50 iterations'));
  await tab.locator('.settings .gravity input').fill('1');
  await tab.locator('.settings .gravity input').press('Enter');
  await page.until(() => document.querySelector('.gravity input').dataset.value === '1');
  await tab.keyboard.press('Tab');
  await tab.getByRole('button', {name: 'Step ▶'}).click();
  await page.until(() => window.perpend.state(1).step === 2);
  assert.equal(await tab.evaluate(() => window.perpend.told().titles), 'box/pgs, 50 iterations\nncp/auto, 50 iterations');
}));

test('four panes fit into 400 pixels', () => opened(['box/pgs@50', 'box/nncg@50', 'ncp/auto', 'bullet'],
    {viewport: {width: 400, height: 760}}, async (page, tab) => {
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const cells = await tab.$$eval('.pane', (all) => all.map((one) => one.getBoundingClientRect()).map(({x, y, width, height}) =>
      [x, y, width, height].map(Math.round)));
  assert.equal(new Set(cells.map(([x, y]) => `${x} ${y}`)).size, 4);
  assert.ok(cells.every(([x, , width, height]) => x + width <= 400 && height > 150), JSON.stringify(cells));
}));
