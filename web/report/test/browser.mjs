// Shared by the tests: Debian's Chromium, a page that may not use the network, the CSV beside it.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? PROGRAMS.find(existsSync);
if (!executablePath) {
  console.log('skipped: Chromium is not installed (Debian: chromium)');
  process.exit(77);
}

// The folder that report_sample has filled.
export const folder = process.env.REPORT_FOLDER;
assert.ok(folder, 'REPORT_FOLDER names the folder of the report');
assert.ok(existsSync(join(folder, 'report.html')),
          'report.html was not written: the program was built without its page');
export const text = (name) => readFileSync(join(folder, name), 'utf8');

export const launch = () => chromium.launch(
    {executablePath, args: process.getuid() === 0 ? ['--no-sandbox'] : []});

export class Page {
  complaints = [];
  static async open(browser, options = {}) {
    const page = new Page();
    const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
    const tab = page.tab = await context.newPage();
    const url = pathToFileURL(join(folder, 'report.html')).href;
    await context.route('**', (route) => {
      if (route.request().url() === url) return route.continue();
      page.complaints.push(`request: ${route.request().url()}`);
      return route.abort();
    });
    tab.on('console', (message) => page.complaints.push(`console: ${message.text()}`));
    tab.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
    const begun = Date.now();
    await tab.goto(url);
    await tab.waitForSelector('html[data-ready]');
    await page.show('profiles');
    page.seconds = (Date.now() - begun) / 1000;
    return page;
  }
  // Brings a section into sight and waits until it is drawn.
  async show(section) {
    await this.tab.evaluate((id) => document.getElementById(id).scrollIntoView(), section);
    await this.tab.waitForSelector(`#${section}[data-ready]`);
  }
  async drawn(chart) {
    return this.tab.$eval(`#${chart}`, ({dataset}) => ({lines: +dataset.lines, points: +dataset.points}));
  }
  cells(section) {
    return this.tab.$eval(`#${section} table`, (table) => [...table.tBodies[0].rows].map(
        (row) => [...row.cells].map((cell) => cell.innerText.trim())));
  }
  // Closes the tab; nothing may have been fetched, nothing said on the console.
  async close() {
    await this.tab.context().close();
    assert.deepEqual(this.complaints, []);
  }
}

// RFC 4180.
export function csv(content) {
  const rows = [[]];
  for (const [, quoted, plain, end] of content.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  rows.pop();
  const [names, ...lines] = rows;
  return lines.map((line) => {
    assert.equal(line.length, names.length);
    return Object.fromEntries(names.map((name, i) => [name, line[i]]));
  });
}

// The tables of report.md: lists of rows, each a list of cells.
export function tables(markdown) {
  return markdown.split('\n## ').slice(1).map((part) => part.split('\n').filter((line) => line.startsWith('|'))
      .slice(2).map((line) => line.slice(2, -2).split(' | ')));
}
