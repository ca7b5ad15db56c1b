// The small problems of the playground: the program accepts their frames, and its answers are those
// that one finds by hand.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {build} from 'esbuild';

const G = 9.81, H = 0.01;
const folder = mkdtempSync(join(tmpdir(), 'perpend-templates-'));
const perpend = (...words) => execFileSync(process.env.PERPEND_PROGRAM, words, {encoding: 'utf8'});

// The sources are TypeScript: bundled here, for Node.
async function sources(file) {
  const {outputFiles: [{text}]} = await build({entryPoints: [new URL(`../src/playground/${file}`, import.meta.url).pathname],
    bundle: true, format: 'esm', write: false, logLevel: 'error'});
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}
const {TEMPLATES} = await sources('templates.ts');
const {starts} = await sources('template.ts');
const template = (name) => TEMPLATES.find((one) => one.name === name);

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const add = (a, b, s = 1) => a.map((x, k) => x + s * b[k]);
function tangents(n) {  // docs/format.md
  const k = n.map(Math.abs).reduce((best, x, i, all) => x < all[best] ? i : best, 0);
  const t = n.map((x, i) => (i === k ? 1 : 0) - n[k] * x), size = Math.hypot(...t);
  const unit = t.map((x) => x / size);
  return [unit, cross(n, unit)];
}
const solve3 = (m, v) => {  // Cramer's rule; m: nine numbers
  const [a, b, c] = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)], dot = (x, y) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const det = dot(a, cross(b, c)), columns = [cross(b, c), cross(c, a), cross(a, b)];
  return [0, 1, 2].map((k) => (columns[0][k] * v[0] + columns[1][k] * v[1] + columns[2][k] * v[2]) / det);
};

// Impulses of a solver, from the copy that perpend solve --out writes.
const READ = `import h5py, json, sys
f = h5py.File(sys.argv[1]); s = f["solutions/" + sys.argv[2]]; z = s["z"][:].tolist()
print(json.dumps([z[o[0]:o[0] + o[4]] for o in s["offsets"][:].tolist()]))`;
let files = 0;
function solved(lines, solver = 'ncp/auto') {
  const name = join(folder, `${++files}`), frames = lines.map((line) => {
    const {model, ...frame} = JSON.parse(line);
    return frame;
  });
  writeFileSync(`${name}.jsonl`, frames.map((frame) => JSON.stringify(frame) + '\n').join(''));
  const told = JSON.parse(perpend('solve', `${name}.jsonl`, '--solver', solver, '--out', `${name}.h5`, '--json', '--quiet', '--tolerance', '1e-11'));
  for (const {status} of told.results) assert.equal(status, 'converged');
  const all = JSON.parse(execFileSync('/usr/bin/python3', ['-c', READ, `${name}.h5`, solver], {encoding: 'utf8'}));
  // Newton's second law of one step.
  return frames.map(({bodies, contacts}, i) => {
    const forces = contacts.normals.map((n, c) => {
      const [t, o] = tangents(n), [zn, zt, zo] = all[i][c];
      return [0, 1, 2].map((k) => (zn * n[k] + zt * t[k] + zo * o[k]) / H);
    });
    const velocities = bodies.masses.map((mass, body) => {
      let force = bodies.forces[body].slice(0, 3), torque = bodies.forces[body].slice(3);
      contacts.pairs.forEach(([first, second], c) => {
        if (first !== body && second !== body) return;
        const sign = second === body ? 1 : -1;
        const arm = add(add(contacts.points[c], bodies.positions[first]), bodies.positions[body], -1);
        force = add(force, forces[c], sign);
        torque = add(torque, cross(arm, forces[c]), sign);
      });
      if (mass === 0) return [0, 0, 0, 0, 0, 0];
      return [...force.map((f) => H * f / mass), ...solve3(bodies.inertia[body], torque).map((a) => H * a)];
    });
    return {velocities, forces, pairs: contacts.pairs};
  });
}
const near = (found, expected, tolerance, words = '') =>
    assert.ok(Math.abs(found - expected) <= tolerance, `${words}: ${found}, expected ${expected}`);
const between = ({forces, pairs}, first, second) => pairs.reduce((sum, [a, b], i) =>
    a === first && b === second ? add(sum, forces[i]) : sum, [0, 0, 0]);
const speeds = ({velocities}) => Math.max(...velocities.map((v) => Math.hypot(...v)));

test('every template is valid at its start and at both ends of every slider', () => {
  for (const one of TEMPLATES) {
    const start = starts(one), settings = [start];
    for (const {name, lowest, highest, log} of one.sliders)
      for (const end of [lowest, highest]) settings.push({...start, [name]: log ? 10 ** end : end});
    settings.forEach((values, i) => {
      const file = join(folder, `${one.name}${i}.jsonl`);
      writeFileSync(file, one.frame(values) + '\n');
      assert.match(perpend('validate', file), /valid/);
    });
    for (const found of solved(settings.map(one.frame))) {
      const words = one.found(found, start);
      assert.ok(words.length > 10 && !/NaN|undefined/.test(words), words);
    }
    for (const values of settings) assert.doesNotMatch(one.by_hand(values), /NaN|undefined|Infinity/);
  }
});

// Velocities are solved to 1e-11 m/s; what is written of a force is 1/h of that times a mass.
test('a box on a slope sticks below the friction angle and slides with g (sin - mu cos) above it', () => {
  const slope = template('slope'), limit = Math.atan(0.5) * 180 / Math.PI;
  for (const angle of [0, 10, limit - 0.1, limit + 0.1, 40]) {
    const values = {angle, friction: 0.5, mass: 10}, [found] = solved([slope.frame(values)]);
    const a = angle * Math.PI / 180, slides = angle > limit;
    const speed = slides ? G * H * (Math.sin(a) - 0.5 * Math.cos(a)) : 0;
    near(found.velocities[1][0], speed * Math.cos(a), 1e-9, `at ${angle}`);
    near(found.velocities[1][2], -speed * Math.sin(a), 1e-9, `at ${angle}`);
    const normal = [Math.sin(a), 0, Math.cos(a)];
    const pressure = found.forces.reduce((sum, f) => sum + f[0] * normal[0] + f[2] * normal[2], 0);
    near(pressure * H, 10 * G * H * Math.cos(a), 1e-8, `pressure at ${angle}`);
    assert.match(slope.by_hand(values), slides ? /it slides/ : /the box stays/);
  }
});

test('the floor carries the weight of the whole stack', () => {
  const stack = template('stack');
  for (const [count, ratio] of [[1, 1], [5, 10], [5, 0.01], [12, 1000]]) {
    const [found] = solved([stack.frame({count, ratio, friction: 0.5})]);
    near(between(found, 0, 1)[2] * H, (count - 1 + ratio) * G * H, 1e-8 * (count + ratio));
    near(speeds(found), 0, 1e-9);
  }
});

test('the wall feels the whole push, or with friction what the floor leaves of it', () => {
  const row = template('row');
  for (const count of [1, 4, 10]) {
    const [found] = solved([row.frame({count, push: 100, friction: 0})]);
    near(between(found, 1, 2)[0], 100, 1e-5);
    near(speeds(found), 0, 1e-9);
  }
  const [found] = solved([row.frame({count: 4, push: 100, friction: 0.3})]), least = 100 - 4 * 0.3 * 2 * G;
  const wall = between(found, 1, 2)[0];
  assert.ok(wall >= least - 1e-5 && wall <= 100 + 1e-5, `${wall}`);
  near(speeds(found), 0, 1e-9);
});

test('a ladder slips where the classical limit says, with and without friction at the wall', () => {
  const ladder = template('ladder');
  // Without a person's help: the centre of mass in the middle, so tan(angle) = (1 - mu mu')/(2 mu).
  for (const [floor, wall] of [[0.4, 0], [0.4, 0.3], [0.25, 0.5]]) {
    const limit = Math.atan((1 - floor * wall) / (2 * floor)) * 180 / Math.PI;
    for (const [angle, slips] of [[limit + 0.2, false], [limit - 0.2, true]]) {
      const values = {angle, height: 50, floor, wall}, [found] = solved([ladder.frame(values)]);
      assert.equal(speeds(found) > 1e-7, slips, `${angle}, ${floor}, ${wall}: ${speeds(found)}`);
      assert.match(ladder.by_hand(values), slips ? /^It slips/ : /^It stands/);
    }
  }
  // The person climbs: c = mu tan(angle) of the length with a smooth wall.
  const c = 0.4 * Math.tan(65 * Math.PI / 180), height = 100 * (c * 80 - 5) / 70;
  for (const [at, slips] of [[height - 0.5, false], [height + 0.5, true]])
    assert.equal(speeds(solved([ladder.frame({angle: 65, height: at, floor: 0.4, wall: 0})])[0]) > 1e-7, slips);
});

test('trestles share the load by the lever rule until the plank tips', () => {
  const plank = template('plank');
  const values = {heavy: 50, heavy_at: 0.5, light: 5, light_at: -1.5}, [found] = solved([plank.frame(values)]);
  const right = G * (10 * 1 + 50 * 1.5 + 5 * -0.5) / 2;
  near(between(found, 2, 3)[2], right, 1e-4);
  near(between(found, 1, 3)[2], 65 * G - right, 1e-4);
  near(speeds(found), 0, 1e-9);
  // It tips where the centre of mass passes the trestle: 10 + 5 * 2.5 = 50 (x - 1).
  for (const [at, tips] of [[1.44, false], [1.46, true]]) {
    const [one] = solved([plank.frame({...values, heavy_at: at})]);
    assert.equal(speeds(one) > 1e-6, tips, `${at}`);
    assert.equal(/tips/.test(plank.by_hand({...values, heavy_at: at})), tips);
  }
});

test('three balls stay where mu is at least the tangent of half the angle, whatever the upper one weighs', () => {
  const balls = template('balls');
  const limit = (spread) => Math.tan(spread * Math.PI / 360);
  const settings = [31, 40, 60].flatMap((spread) => [1, 10, 1000].flatMap((mass) =>
      [1.01, 0.99].map((factor) => ({spread, mass, friction: factor * limit(spread)}))));
  solved(settings.map(balls.frame)).forEach((found, i) => {
    const {spread, mass, friction} = settings[i], stay = friction > limit(spread);
    assert.equal(speeds(found) < 1e-7, stay, `${spread}, ${mass}, ${friction}: ${speeds(found)}`);
    assert.equal(/all stay/.test(balls.by_hand(settings[i])), stay);
    if (stay) near(between(found, 0, 1)[2], (10 + mass / 2) * G, 1e-4 * (1 + mass));
  });
});
