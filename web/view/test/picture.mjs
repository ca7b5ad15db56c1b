// Draws docs/pictures/view.png: PERPEND_PROGRAM=... node web/view/test/picture.mjs OUT.png
import {launch, Page, Program} from './browser.mjs';

const program = await Program.start('stack'), browser = await launch();
const page = await Page.open(browser, program, {viewport: {width: 1100, height: 640}});
const {tab} = page, body = 12;  // a cube of the fourth layer
const steps = async (count) => {
  const {step} = await page.state('step');
  for (let i = 0; i < count; ++i) await tab.keyboard.press('ArrowRight');
  await page.until((last) => window.perpend.state().step === last, step + count);
};
await steps(60);
const at = await page.project(await page.body(body));
await tab.mouse.move(...at);
await tab.mouse.down();
await tab.mouse.move(at[0] + 150, at[1] - 40, {steps: 5});
await page.until(() => window.perpend.state().held.length === 1);
await steps(7);
await tab.evaluate(() => document.activeElement.blur());
await page.drawn();
await tab.screenshot({path: process.argv[2]});
await tab.mouse.up();
await page.close();
await browser.close();
await program.end();
