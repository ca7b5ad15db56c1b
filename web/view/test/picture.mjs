// Draws the pictures of docs/view.md and docs/playground.md: PERPEND_PROGRAM=... node web/view/test/picture.mjs docs/pictures
import {execFileSync} from 'node:child_process';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {launch, Page, Program} from './browser.mjs';

const browser = await launch(), folder = process.argv[2];
async function draw(name, scene, options, body, act) {
  const program = await Program.start(scene, ...options);
  const page = await Page.open(browser, program, {viewport: {width: 1100, height: 640}}), {tab} = page;
  const steps = async (count) => {
    const {step} = await page.state('step');
    for (let i = 0; i < count; ++i) await tab.keyboard.press('ArrowRight');
    await page.until((last) => window.perpend.state().step === last, step + count);
  };
  await act(tab);
  await steps(60);
  const at = await page.project(await page.body(body));
  await tab.mouse.move(...at);
  await tab.mouse.down();
  await tab.mouse.move(at[0] + 150 / (options.length + 1), at[1] - 40, {steps: 5});
  await page.until(() => window.perpend.state().held.length === 1);
  await steps(7);
  await tab.evaluate(() => document.activeElement.blur());
  await page.drawn();
  await tab.screenshot({path: `${folder}/${name}.png`});
  await tab.mouse.up();
  await page.close();
  await program.end();
}
await draw('view', 'stack', [], 12, () => {});  // a cube of the fourth layer
await draw('panes', 'wall', ['--panes'], 100, async (tab) => {
  await tab.locator('summary', {hasText: 'Iterations of the step'}).click();
  await tab.evaluate(() => document.querySelector('.curve').scrollIntoView({block: 'end'}));
});
const file = join(mkdtempSync(join(tmpdir(), 'perpend-picture-')), 'class.html');
execFileSync(process.env.PERPEND_PROGRAM, ['playground', file]);
const tab = await browser.newPage({viewport: {width: 1280, height: 760}});
await tab.goto(`${pathToFileURL(file)}#stack&count=6&ratio=100&solvers=box/pgs,ncp/pgs,ncp/nncg,ncp/auto`);
await tab.waitForFunction(() => window.perpend?.curves().every(({busy, errors}) => !busy && errors.length > 0));
await tab.waitForTimeout(1000);
await tab.screenshot({path: `${folder}/playground.png`});
await browser.close();
