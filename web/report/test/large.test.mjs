// Fifty solvers on a thousand problems: everything is there. How long it took is told, not judged.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {csv, launch, Page, text} from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('fifty solvers on a thousand problems', async (context) => {
  const page = await Page.open(browser), {tab} = page;
  const size = Buffer.byteLength(text('report.html'));
  context.diagnostic(`opened in ${page.seconds} s, ${(size / 1e6).toFixed(1)} MB`);
  console.log(`opened in ${page.seconds} s, ${(size / 1e6).toFixed(1)} MB`);
  const rows = csv(text('results.csv'));
  const solvers = new Set(rows.map((row) => row.solver));
  assert.equal(solvers.size, 50);
  assert.equal(new Set(rows.map((row) => `${row.file} ${row.frame}`)).size, 1000);
  assert.equal((await page.drawn('performance')).lines, 50);
  assert.equal((await page.drawn('data')).lines, 50);
  await page.show('summary');
  for (const line of await page.cells('summary')) {
    const own = rows.filter(({solver, status}) => solver === line[0] && status !== 'invalid_input');
    const solved = own.filter(({status}) => status === 'converged');
    assert.equal(line[2].replaceAll(',', ''), `${solved.length}/${own.length}`, line[0]);
  }
  await page.show('sizes');
  assert.deepEqual(await page.drawn('size-chart'), {lines: 50, points: rows.filter((row) => row.seconds !== '').length});
  await page.show('convergence');
  await tab.selectOption('#problem', '999');
  await page.show('convergence');
  const last = rows.filter((row) => row.file === 'suite/wall.h5' && row.frame === '249' && row.status !== 'crashed');
  assert.equal((await page.drawn('convergence-error')).lines, last.length);
  await page.close();
});
