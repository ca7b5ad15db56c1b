// Shared by the tests: Debian's Chromium, the program, a page of it that may use nothing else.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {chromium} from 'playwright-core';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? PROGRAMS.find(existsSync);
if (!executablePath) {
  console.log('skipped: Chromium is not installed (Debian: chromium)');
  process.exit(77);
}
const program = process.env.PERPEND_PROGRAM;
assert.ok(program, 'PERPEND_PROGRAM names the program');

export const launch = () => chromium.launch({executablePath, args: [
  ...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--use-gl=angle', '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']});

// Balls in a ring and a small box in their middle, on a floor. The box has the seventh colour: pink,
// which nothing else on the page has.
export const PINK = {body: 6, hue: 320};
const ball = (k) => ({name: `ball ${k}`, mass: 1, shape: {type: 'sphere', radius: 0.2},
                      position: [2 * Math.cos(k * Math.PI / 3), 2 * Math.sin(k * Math.PI / 3), 0.2]});
export const ring = {
  format: 'perpend-scene', name: 'ring', title: 'five balls and a box',
  bodies: [{name: 'floor', shape: {type: 'plane'}}, ...[0, 1, 2, 3, 4].map(ball),
           {name: 'box', mass: 1, shape: {type: 'box', half_extents: [0.1, 0.1, 0.1]}, position: [0, 0, 0.1]}],
};
export const plainly = (tab) => tab.addInitScript(() => localStorage.setItem('perpend-drawn',
    JSON.stringify({points: false, forces: false, normals: false, cones: false, heat: false, glass: false, names: false})));
export const apart = (a, b) => Math.hypot(a.x - b[0], a.y - b[1]);

// perpend view with a scene (a name or an object), until end().
export class Program {
  static start(scene, ...options) { return Program.start_in({}, scene, ...options); }
  static async start_in(env, scene, ...options) {
    const out = new Program();
    if (typeof scene !== 'string') {
      const file = join(mkdtempSync(join(tmpdir(), 'perpend-view-')), 'scene.json');
      writeFileSync(file, JSON.stringify(scene));
      scene = file;
    }
    out.child = spawn(program, ['view', scene, '--no-open', ...options],
                      {stdio: ['ignore', 'pipe', 'inherit'], env: {...process.env, ...env}});
    out.ended = new Promise((end) => out.child.on('exit', (code) => end(code)));
    const lines = createInterface({input: out.child.stdout});
    out.address = (await new Promise((first, failed) => {
      lines.once('line', first);
      out.child.on('exit', () => failed(new Error('perpend view ended before it told its address')));
    }));
    return out;
  }
  async end(signal = 'SIGTERM') {
    this.child.kill(signal);
    return this.ended;
  }
}

export class Page {
  complaints = [];
  static async open(browser, program, {hash = '#paused', before, ...options} = {}) {
    const page = new Page();
    page.context = await browser.newContext({viewport: {width: 900, height: 640}, ...options});
    const tab = page.tab = await page.context.newPage();
    const {origin} = new URL(program.address);
    await before?.(tab);
    await page.context.route('**', (route) => {
      const url = route.request().url();
      if (url.startsWith(origin) || url.startsWith('data:') || url.startsWith('blob:')) return route.continue();
      page.complaints.push(`fetches ${url}`);
      return route.abort();
    });
    tab.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !/GPU stall|swiftshader|GL Driver/i.test(message.text()))
        page.complaints.push(message.text());
    });
    tab.on('pageerror', (error) => page.complaints.push(`${error}`));
    await tab.goto(program.address + hash);
    await tab.waitForFunction(() => window.perpend?.state() && window.perpend.frames() > 0);
    return page;
  }
  state = (...names) => this.state_of(0, ...names);
  state_of = (pane, ...names) => this.tab.evaluate(([k, list]) => {
    const state = window.perpend.state(k);
    return Object.fromEntries(list.map((name) => [name, state[name]?.buffer ? [...state[name]] : state[name]]));
  }, [pane, names]);
  project = (point, pane = 0) => this.tab.evaluate(([p, k]) => window.perpend.project(...p, k), [point, pane]);
  until = (words, value) => this.tab.waitForFunction(words, value, {timeout: 60000});
  // After this a picture shows the last state.
  async drawn() {
    const frames = await this.tab.evaluate(() => window.perpend.frames());
    await this.tab.evaluate(() => dispatchEvent(new Event('resize')));
    await this.tab.waitForTimeout(400);
    return frames;
  }
  async body(i, pane = 0) {
    const {poses} = await this.state_of(pane, 'poses');
    return poses.slice(7 * i, 7 * i + 3);
  }
  // Middle of the pixels of a hue (degrees), in page coordinates; of a part of the page.
  async centroid(hue, width = 12, clip = undefined) {
    await this.drawn();
    const picture = (await this.tab.screenshot({type: 'png', clip})).toString('base64');
    const viewer = await this.context.newPage();
    const found = await viewer.evaluate(async ([data, wanted, apart]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0);
      const {data: p} = pen.getImageData(0, 0, image.width, image.height);
      let x = 0, y = 0, count = 0;
      for (let i = 0; i < p.length; i += 4) {
        const [r, g, b] = [p[i] / 255, p[i + 1] / 255, p[i + 2] / 255];
        const top = Math.max(r, g, b), range = top - Math.min(r, g, b);
        if (range < 0.25 * top || top < 0.15) continue;
        const sixth = top === r ? ((g - b) / range + 6) % 6 : top === g ? (b - r) / range + 2 : (r - g) / range + 4;
        if (Math.abs((sixth * 60 - wanted + 540) % 360 - 180) > apart) continue;
        x += (i / 4) % image.width + 0.5;
        y += Math.floor(i / 4 / image.width) + 0.5;
        ++count;
      }
      return {x: x / count, y: y / count, count};
    }, [picture, hue, width]);
    await viewer.close();
    return {...found, x: found.x + (clip?.x ?? 0), y: found.y + (clip?.y ?? 0)};
  }
  async close() {
    await this.context.close();
    assert.deepEqual(this.complaints, []);
  }
}
