// A real comparison, its report, and the command that the report gives: it runs, and answers the same.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {csv, folder, launch, Page, text} from './browser.mjs';

const program = process.env.PERPEND_PROGRAM;
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('the command in the drill-down runs, and its answer is the one in the report', async () => {
  const rows = csv(text('results.csv'));
  const page = await Page.open(browser), {tab} = page;
  await page.show('summary');
  assert.equal((await page.cells('summary')).length, new Set(rows.map((row) => row.solver)).size);
  await page.show('sizes');
  assert.equal((await page.drawn('size-chart')).points, rows.filter((row) => row.seconds !== '').length);
  for (const line of [1, 2, 3]) {
    await page.show('summary');
    await tab.click(`#summary tbody tr:nth-child(${line}) th .link`);   // all results of that solver
    await tab.click('dialog[open] tbody tr:nth-child(4) th .link');     // one of them
    const words = (await tab.$eval('dialog[open] .command code', (code) => code.innerText)).split(' ');
    await tab.keyboard.press('Escape');
    assert.equal(words[0], 'perpend');
    const {stdout, stderr} = spawnSync(program, [...words.slice(1), '--json'], {cwd: folder, encoding: 'utf8'});
    assert.equal(stderr, '');
    const {results: [again], solver, file} = JSON.parse(stdout);
    const row = rows.find((one) => one.solver === solver && one.file === file && Number(one.frame) === again.frame);
    assert.equal(again.status, row.status);
    assert.equal(again.message, row.message);
    assert.equal(again.iterations, Number(row.iterations));
    assert.equal(again.errors.velocity_error, Number(row.velocity_error));
  }
  await page.close();
});

test('rows link to the page with their frame and solver', {skip: !existsSync(join(folder, 'share'))}, async () => {
  const page = await Page.open(browser), {tab} = page;
  await page.show('summary');
  await tab.click('#summary tbody tr:nth-child(1) th .link');
  const links = await tab.$$eval('dialog[open] tbody tr', (rows) => rows.map((row) => [
      row.querySelector('th').innerText.trim(), row.querySelector('a.shared').getAttribute('href')]));
  assert.equal(links.length, 15);
  for (const [, link] of links) assert.match(link, /^share\/blocks\.html#frame=\d+&solver=[a-z]+%2F[a-z-]+$/);
  assert.equal(new Set(links.map(([, link]) => link)).size, 15);
  assert.ok(existsSync(join(folder, links[0][1].split('#')[0])));
  await tab.click('dialog[open] tbody tr:nth-child(4) th .link');
  assert.equal(await tab.$eval('dialog[open] .actions a.shared', (link) => link.getAttribute('href')), links[3][1]);
  await page.close();
});
