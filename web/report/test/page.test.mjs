// The page in a real browser, against the files written beside it.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {csv, folder, launch, Page, tables, text} from './browser.mjs';

const rows = csv(text('results.csv'));
const solvers = [...new Set(rows.map((row) => row.solver))];
const timed = (list) => list.filter((row) => row.seconds !== '');
const points = csv(text('points.csv'));  // what results.csv does not tell of each row
const key = ({file, frame}) => `${file} ${frame}`;
const problems = [...new Set(rows.map(key))];
const sum = (list, of) => list.reduce((total, one) => total + Number(one[of]), 0);
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

async function opened(options, steps) {
  const page = await Page.open(browser, options);
  await steps(page, page.tab);
  await page.close();
}
const SECTIONS = ['summary', 'profiles', 'tolerances', 'convergence', 'distributions', 'sizes', 'endings', 'problems', 'setup'];

test('opens from disk, draws every section, fetches nothing, says nothing on the console', () =>
    opened({}, async (page, tab) => {
      for (const section of SECTIONS) await page.show(section);
      assert.match(await tab.title(), /^Invented/);
      assert.match(await tab.$eval('.licence', (element) => element.textContent), /The MIT License[^]*Leon Sorokin/);
      assert.match(await tab.$eval('#setup', (element) => element.innerText), /Imaginary CPU/);
    }));

test('the summary has the numbers of results.csv', () => opened({}, async (page, tab) => {
  await page.show('summary');
  const cells = await page.cells('summary');
  assert.deepEqual(cells.map(([name]) => name), solvers);
  for (const line of cells) {
    const all = rows.filter(({solver}) => solver === line[0]);
    const own = all.filter(({status}) => status !== 'invalid_input');
    assert.equal(line[10], `${all.length - own.length}`, line[0]);
    assert.equal(line[2], `${own.filter(({status}) => status === 'converged').length}/${own.length}`, line[0]);
    const count = (error) => own.filter((row) => row[error] !== '' && Number(row[error]) <= 1e-8).length;
    assert.equal(line[3], `${count('own_error')}/${own.length}`, line[0]);
    assert.equal(line[4], `${count('velocity_error')}/${own.length}`, line[0]);
    const failures = own.filter(({status}) => status !== 'converged').length;
    const told = [...line[9].matchAll(/\d+/g)].reduce((sum, [n]) => sum + Number(n), 0);
    assert.equal(told, failures, `${line[0]}: ${line[9]}`);
  }
  assert.ok(cells.some((line) => line[10] !== '0'));  // there is one that takes no joints
  await page.show('endings');
  const endings = await page.cells('endings');
  assert.equal(endings.flat().filter((cell) => /^\d+$/.test(cell)).reduce((a, b) => a + Number(b), 0), rows.length);
}));

test('the page and report.md tell the same', () => opened({}, async (page, tab) => {
  const [summary, own, coulomb] = tables(text('report.md'));
  await page.show('summary');
  const cells = await page.cells('summary');
  const plain = (word) => Number(word.replace(/·10/, 'e').replace('10⁰', '1').replace(/^10(?=[⁻⁰¹²³⁴-⁹])/, '1e')
      .replace('⁻', '-').replace(/[⁰¹²³⁴-⁹]/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)).replace(/ m\/s$/, ''));
  summary.forEach((line, s) => {
    assert.deepEqual(cells[s].slice(0, 5), line.slice(0, 5));
    // float32 in the page: seven digits, of which three are shown.
    for (const c of [5, 7, 8]) assert.ok(Math.abs(plain(cells[s][c]) / Number(line[c]) - 1) < 0.006, `${cells[s][c]} ${line[c]}`);
  });
  await page.show('tolerances');
  const counts = async () => (await page.cells('tolerances')).map(([name, ...list]) => [name, ...list.reverse()]);
  const reached = (table) => table.map(([name, ...list]) => [name, ...list.map((cell) => cell.split('/')[0])]);
  assert.deepEqual(await counts(), reached(own));
  await tab.click('#tolerances .segments label:nth-child(2)');
  await page.show('tolerances');
  assert.deepEqual(await counts(), reached(coulomb));
}));

test('terminal, report.md and page count the same as solved', () => opened({}, async (page) => {
  await page.show('summary');
  const cells = await page.cells('summary');
  const out = mkdtempSync(join(tmpdir(), 'perpend-'));
  const told = (...options) => {
    const {stdout, stderr} = spawnSync(process.env.PERPEND_PROGRAM, ['merge', folder, '--out', out, ...options], {encoding: 'utf8'});
    assert.equal(stderr, '');
    return stdout;
  };
  const document = JSON.parse(told('--json')).solvers, [markdown] = tables(text('report.md'));
  const terminal = told().split('\n').slice(1).map((line) => line.split(/ +/));
  rmSync(out, {recursive: true});
  document.forEach(({solver, rows: all, solved, reached, does_not_apply, time_relative_to_best}, s) => {
    const of = all - does_not_apply;
    assert.deepEqual([terminal[s][0], ...terminal[s].slice(2, 5)], [solver, `${solved}`, `${reached}`, `${of}`]);
    assert.deepEqual([cells[s][2], cells[s][3]], [`${solved}/${of}`, `${reached}/${of}`], solver);
    assert.deepEqual([markdown[s][2], markdown[s][3]], [`${solved}/${of}`, `${reached}/${of}`], solver);
    assert.equal(Number(markdown[s][5]), Number(time_relative_to_best.toPrecision(3)), solver);
  });
  // There is a result that reached the tolerance and did not converge.
  assert.ok(document.some(({solved, reached}) => solved < reached));
}));

test('a profile has a line per solver and ends at the share it reached', () => opened({}, async (page, tab) => {
  for (const chart of ['performance', 'data']) {
    const {lines, points} = await page.drawn(chart);
    assert.equal(lines, solvers.length);
    assert.equal(points % lines, 0);
    await tab.focus(`#${chart}`);
    for (const name of solvers) {
      await tab.keyboard.press('End');
      const tip = await tab.$eval(`#${chart} .tip`, (element) => element.innerText);
      // Of all problems, also of those that the solver does not take.
      const reached = rows.filter((row) => row.solver === name && row.own_error !== '' && Number(row.own_error) <= 1e-8).length;
      assert.ok(tip.startsWith(name), tip);
      assert.match(tip, new RegExp(`${reached} of ${problems.length} problems`));
      await tab.keyboard.press('ArrowDown');
    }
  }
  await tab.click(`.chip[data-solver="${solvers[2]}"]`);
  await page.show('profiles');
  assert.equal((await page.drawn('performance')).lines, solvers.length - 1);
}));

test('size against time has a point per timed row, also filtered', () => opened({}, async (page, tab) => {
  await page.show('sizes');
  assert.deepEqual(await page.drawn('size-chart'), {lines: solvers.length, points: timed(rows).length});
  const {file} = rows[0];
  await tab.selectOption('#group', {label: `file ${file}`});
  await page.show('sizes');
  assert.equal((await page.drawn('size-chart')).points, timed(rows.filter((row) => row.file === file)).length);
  await tab.selectOption('#group', {label: 'tag hard'});
  await page.show('sizes');
  const hard = new Set(points.filter(({tags}) => tags.split(' ').includes('hard')).map(key));
  assert.equal((await page.drawn('size-chart')).points, timed(rows.filter((row) => hard.has(key(row)))).length);
}));

test('convergence has every point of the history and marks restarts', () => opened({}, async (page, tab) => {
  await page.show('convergence');
  for (const problem of [0, 7]) {
    await tab.selectOption('#problem', `${problem}`);
    await page.show('convergence');
    const own = points.filter((row) => key(row) === problems[problem] && row.points > 0);
    assert.deepEqual(await page.drawn('convergence-error'), {lines: own.length, points: sum(own, 'points')});
    assert.equal((await page.drawn('convergence-normal')).points, sum(own, 'points'));
    assert.equal((await page.drawn('convergence-friction')).points, sum(own, 'friction_points'));
    const restarts = sum(own, 'restarts');
    assert.match(await tab.$eval('#convergence .chosen', (element) => element.innerText), new RegExp(` ${restarts} restarts?\\.`));
  }
  await tab.selectOption('#problem', '-1');
  await page.show('convergence');
  assert.equal((await page.drawn('convergence-error')).lines, solvers.length);
}));

test('convergence plots any measure of the histories', () => opened({}, async (page, tab) => {
  await page.show('convergence');
  await tab.selectOption('#problem', '0');
  const own = points.filter((row) => key(row) === problems[0] && row.points > 0);
  const choices = await tab.$$eval('#measure option', (list) => list.map((one) => one.textContent));
  assert.deepEqual(choices, ['own error', 'Coulomb error', 'normal error', 'friction error', 'total error', 'PGS merit at λᵏ', 'energy change']);
  for (const [value, title] of [['total_error', 'Total error'], ['pgs_merit@iterate', 'PGS merit at λᵏ'], ['energy_change', 'Energy change']]) {
    await page.show('convergence');
    await tab.selectOption('#measure', value);
    await page.show('convergence');
    assert.deepEqual(await page.drawn('convergence-error'), {lines: own.length, points: sum(own, 'points')});
    assert.equal(await tab.$eval('#convergence-error figcaption', (caption) => caption.textContent), title);
  }
  // A measure with a sign has a linear axis with both sides: the lowest value is told as it is.
  await tab.focus('#convergence-error');
  await tab.keyboard.press('End');
  assert.match(await tab.$eval('#convergence-error .tip', (tip) => tip.innerText), /: −0\.3/);
  // Without a problem of its own it is the median of all.
  await tab.selectOption('#problem', '-1');
  await page.show('convergence');
  assert.equal((await page.drawn('convergence-error')).lines, solvers.length);
}));

test('distributions have the quantiles of every solver at every stage', () => opened({}, async (page, tab) => {
  await page.show('distributions');
  const stages = [['10 iterations', 'after_10'], ['40 iterations', 'after_40'], ['400 iterations', 'after_400'], ['at the end', 'end']];
  const boxes = await tab.$$eval('#distribution-chart .box', (list) => list.map((box) => box.getAttribute('aria-label')));
  assert.deepEqual(await page.drawn('distribution-chart'), {lines: solvers.length, points: stages.length * solvers.length});
  const plain = (word) => Number(word.replace(/·10/, 'e').replace(/^10(?=[⁻⁰¹²³⁴-⁹])/, '1e')
      .replace('⁻', '-').replace(/[⁰¹²³⁴-⁹]/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)));
  stages.forEach(([name, column], stage) => solvers.forEach((solver, s) => {
    const words = boxes[stage * solvers.length + s];
    const list = points.filter((row) => row.solver === solver && row[column] !== '').map((row) => Number(row[column])).sort((a, b) => a - b);
    assert.ok(words.startsWith(`${solver}, ${name}, ${list.length} problem`), words);
    const at = (share) => list[Math.floor(share * (list.length - 1) + 0.5)];
    const told = words.match(/median (\S+) m\/s, half of them (\S+) m\/s to (\S+) m\/s, 5 % to 95 %: (\S+) m\/s to (\S+) m\/s, least (\S+) m\/s, largest (\S+) m\/s/);
    [0.5, 0.25, 0.75, 0.05, 0.95, 0, 1].forEach((share, i) =>
        assert.ok(Math.abs(plain(told[i + 1]) / at(share) - 1) < 0.006, `${words}: ${at(share)}`));
  }));
  // A group, a hidden solver, another measure.
  await tab.selectOption('#group', {label: 'tag hard'});
  await tab.click(`.chip[data-solver="${solvers[2]}"]`);
  await page.show('distributions');
  const hard = points.filter(({tags, solver, end}) => tags.split(' ').includes('hard') && solver === solvers[0] && end !== '');
  assert.match(await tab.$eval('#distribution-chart .box', (box) => box.getAttribute('aria-label')), new RegExp(`^${solvers[0]}, 10 iterations, ${hard.length} problem`));
  assert.equal((await page.drawn('distribution-chart')).lines, solvers.length - 1);
  await tab.selectOption('#distribution-measure', 'energy_change');
  await page.show('distributions');
  assert.match(await tab.$eval('#distribution-chart .box:last-of-type', (box) => box.getAttribute('aria-label')), /median −0\.3 J/);
  await tab.focus('#distribution-chart .box');
  assert.match(await tab.$eval('#distribution-chart .tip', (tip) => tip.innerText), new RegExp(`^${solvers[0]}`));
  await tab.keyboard.press('Enter');
  assert.match(await tab.$eval('dialog[open] h2', (head) => head.innerText), new RegExp(solvers[0]));
}));

test('a click on a point opens its frame and the command that reruns it', () => opened({}, async (page, tab) => {
  await page.show('sizes');
  const box = await (await tab.$('#size-chart .u-over')).boundingBox();
  let named;
  search: for (let x = 10; x < box.width; x += 15)
    for (let y = 10; y < box.height; y += 15) {
      await tab.mouse.move(box.x + x, box.y + y);
      named = await tab.$eval('#size-chart .tip', (tip) => tip.hidden ? '' : tip.querySelector('strong').innerText);
      if (named) break search;
    }
  await tab.mouse.down();
  await tab.mouse.up();
  const detail = await tab.$eval('dialog[open]', (dialog) => dialog.innerText);
  const command = await tab.$eval('dialog[open] .command code', (code) => code.innerText);
  const words = command.split(' ');
  const [file, solver, frame] = [words[2], words[words.indexOf('--solver') + 1], words[words.indexOf('--frames') + 1]];
  assert.equal(solver, named);
  const row = rows.find((one) => one.solver === solver && one.file === file && one.frame === frame);
  assert.ok(row, command);
  for (const part of [row.status.replaceAll('_', ' '), row.message, row.file, row.path]) assert.ok(detail.includes(part), part);
  assert.match(command, /^perpend solve \S+ --solver \S+ --frames \d+ --tolerance 1e-8 --error own_error --max-iterations 2000 --time-limit 10/);
  assert.equal(command.includes('--set bounds=lagged'), solver.startsWith('box/'));
  // From here to the convergence of that problem.
  await tab.click('dialog[open] .actions button');
  await page.show('convergence');
  assert.ok((await tab.$eval('#problem', (list) => list.selectedOptions[0].text)).includes(`frame ${frame}`));
}));

test('a number of the summary opens its results, and a keyboard reaches them', () => opened({}, async (page, tab) => {
  const failed = rows.find(({status}) => status === 'crashed');
  await page.show('endings');
  const heads = await tab.$$eval('#endings .table:first-child thead th', (list) => list.map((head) => head.innerText.trim()));
  const line = (await page.cells('endings')).findIndex(([name]) => name === failed.solver);
  await tab.focus(`#endings .table:first-child tbody tr:nth-child(${line + 1}) td:nth-child(${heads.indexOf('crashed') + 1}) button`);
  await tab.keyboard.press('Enter');
  await tab.click('dialog[open] tbody .link');
  const detail = await tab.$eval('dialog[open]', (dialog) => dialog.innerText);
  assert.ok(detail.includes(failed.message), detail);
  await tab.click('dialog[open] header button:first-child');  // back to the list
  assert.match(await tab.$eval('dialog[open] h2', (head) => head.innerText), /crashed/);
  await tab.keyboard.press('Escape');
  assert.equal(await tab.$('dialog[open]'), null);
}));

test('columns sort, and nothing solved is said in words', () => opened({}, async (page, tab) => {
  await page.show('summary');
  const column = async () => (await page.cells('summary')).map((cells) => Number(cells[2].split('/')[0]) / Number(cells[2].split('/')[1]));
  await tab.click('#summary thead th:nth-child(3) button');
  const down = await column();
  assert.deepEqual(down, [...down].sort((a, b) => b - a));
  await tab.click('#summary thead th:nth-child(3) button');
  const up = await column();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await tab.selectOption('#tolerance', '0');
  await page.show('profiles');
  assert.match(await tab.$eval('#performance', (chart) => chart.innerText), /No solver reached 10⁻¹² m\/s in own error/);
  await tab.click('.chip.plain:last-child');
  await page.show('summary');
  assert.match(await tab.$eval('#summary', (section) => section.innerText), /No solver is shown/);
}));

// Pixels of the plot in each solver's colour.
const painted = (tab) => tab.evaluate(() => {
  const canvas = document.querySelector('#performance canvas'), {width, height} = canvas;
  const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
  const style = getComputedStyle(document.documentElement);
  return [...Array(8).keys()].map((s) => {
    const [r, g, b] = style.getPropertyValue(`--series-${s}`).trim().match(/\w\w/g).map((word) => parseInt(word, 16));
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 12 && data[i + 3] > 200) ++count;
    return count;
  });
});

for (const colorScheme of ['light', 'dark'])
  test(`${colorScheme}: every solver's colour is on the plot, and the switch changes it`, () => opened({colorScheme}, async (page, tab) => {
    const brightness = () => tab.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
    const look = async (dark) => {
      assert.equal(await brightness() < 128, dark);
      (await painted(tab)).forEach((count, s) => assert.ok(count > 60, `solver ${s}: ${count} pixels`));
    };
    await look(colorScheme === 'dark');
    await tab.click('.theme');
    await page.show('profiles');
    await look(colorScheme !== 'dark');
  }));

test('1200 pixels show the failures of each solver without scrolling', () => opened({viewport: {width: 1200, height: 900}}, async (page, tab) => {
  await page.show('summary');
  const [edge, failures] = await tab.evaluate(() => {
    const right = (element) => element.getBoundingClientRect().right;
    const heads = [...document.querySelectorAll('#summary thead th')];
    return [right(document.querySelector('#summary .table')), right(heads.find((head) => head.textContent.startsWith('failures')))];
  });
  assert.ok(failures <= edge, `${failures} > ${edge}`);
}));

test('400 pixels are enough: nothing sticks out', () => opened({viewport: {width: 400, height: 800}}, async (page, tab) => {
  for (const section of SECTIONS) await page.show(section);
  const width = () => tab.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(await width() <= 400, `${await width()}`);
  await page.show('endings');
  await tab.click('#endings tbody .link');
  await tab.click('dialog[open] tbody .link');
  assert.ok(await tab.$eval('dialog[open]', (dialog) => dialog.scrollWidth <= dialog.clientWidth));
  assert.ok(await width() <= 400);
}));
