// Draws the pictures of docs/view.md: PERPEND_PROGRAM=... node web/view/test/picture.mjs docs/pictures
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
await browser.close();
