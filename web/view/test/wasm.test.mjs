// The WebAssembly of shared pages without a browser: every solver on the sample frames ends as in the
// program, and recorded answers have the same errors.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {before, test} from 'node:test';
import {decode, encode} from './reader.mjs';

const {PERPEND_PROGRAM: program, PERPEND_WASM: wasm} = process.env;
const frames = new URL('../../../examples/frames/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'perpend-wasm-'));
let module, perpend_program;
before(async () => {
  module = await WebAssembly.compile(readFileSync(join(wasm, 'perpend.wasm')));
  perpend_program = new Function(`${readFileSync(join(wasm, 'perpend.js'), 'utf8')}; return perpend_program;`)();
});

// The program with a file of JSON lines; `ask` gives its answer.
async function opened(name, lines) {
  const heard = [], begun = await perpend_program(module, (message) => heard.push(decode(Buffer.from(message))));
  const open = begun.open({name, lines});
  if (open) begun.join();
  return {heard, open, begun, ask: (message) => {
    heard.length = 0;
    begun.hear(encode(message));
    return heard[0];
  }};
}
const solve_all = (file) => JSON.parse(spawnSync(program, ['solve', file, '--solver', 'all,recorded', '--json'],
    {encoding: 'utf8', maxBuffer: 1 << 28}).stdout).results;
// To six digits, or both below 1e-12.
const close = (a, b) => Math.abs(a) < 1e-12 && Math.abs(b) < 1e-12 || Math.abs(a - b) <= 1e-6 * Math.abs(b);

for (const name of readdirSync(frames).filter((one) => one.endsWith('.jsonl')).sort())
  test(`${name}: every solver ends as in the program, recorded answers have the same errors`, async () => {
    const {heard, ask} = await opened(name, readFileSync(join(frames, name)));
    const about = JSON.parse(heard.find(({kind}) => kind === 'recording').json);
    const expected = solve_all(join(frames, name)), differ = [];
    assert.ok(expected.length > 0);
    for (const {frame, solver, status, errors} of expected) {
      assert.ok(about.solvers.some((one) => one.name === solver), solver);
      const solved = JSON.parse(ask({kind: 'solve_frame', recording: 0, frame, solver, iterations: 10000, tolerance: 1e-8}).json);
      if (solved.status !== status) differ.push(`frame ${frame}, ${solver}: ${solved.status}, not ${status} (${solved.message})`);
      if (solver !== 'recorded') continue;
      for (const [measure, value] of Object.entries(errors))
        if (value !== null && !close(solved.errors[measure], value))
          differ.push(`frame ${frame}, ${measure}: ${solved.errors[measure]}, not ${value}`);
    }
    assert.deepEqual(differ, []);
  });

test('a real recording has the same errors of its recorded answers', async () => {
  const file = join(folder, 'pile.h5'), lines = join(folder, 'pile.jsonl');
  execFileSync(program, ['simulate', 'pile-boxes:20', '--steps', '40', '--out', file, '--quiet'], {stdio: 'ignore'});
  execFileSync(program, ['convert', file, lines, '--quiet']);
  const {ask} = await opened('pile.jsonl', readFileSync(lines));
  const expected = JSON.parse(spawnSync(program, ['solve', file, '--solver', 'recorded', '--json'], {encoding: 'utf8'}).stdout).results;
  assert.ok(expected.length >= 20);
  for (const {frame, errors} of expected) {
    const solved = JSON.parse(ask({kind: 'solve_frame', recording: 0, frame, solver: 'recorded', iterations: 1, tolerance: 1e-8}).json);
    for (const [measure, value] of Object.entries(errors))
      if (value !== null) assert.ok(close(solved.errors[measure], value), `frame ${frame}, ${measure}: ${solved.errors[measure]}, ${value}`);
  }
});

test('what is no frame is refused with its line and field', async () => {
  const {open, heard} = await opened('mine.jsonl', Buffer.from(
      '{"step": 0.01, "bodies": {"masses": ["heavy"], "inertia": [[1, 0, 0, 0, 1, 0, 0, 0, 1]], "positions": [[0, 0, 0]]}}\n'));
  assert.equal(open, false);
  assert.equal(heard[0].kind, 'notice');
  assert.match(heard[0].words, /^mine\.jsonl:1: .*masses/);
});
