// What perpend simulate --animate FILE.glb writes, opened by three.js: bodies by their names, standing
// on the floor with y up, and moving as the run did.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import * as three from 'three';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';

const folder = mkdtempSync(join(tmpdir(), 'perpend-gltf-'));
after(() => rmSync(folder, {recursive: true}));

async function opened(...arguments_) {
  const file = join(folder, 'run.glb');
  execFileSync(process.env.PERPEND_PROGRAM, ['simulate', ...arguments_, '--animate', file, '--quiet'], {stdio: 'pipe'});
  const bytes = readFileSync(file);
  return new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
}

let why = '';
try {
  await opened('stack:1', '--steps', '1');
} catch (error) {
  why = String(error.stderr ?? error).trim();
  if (!why.includes('tinygltf')) throw error;
}

test('three.js plays a stack that falls', {skip: why}, async () => {
  const {scene, animations: [run]} = await opened('tower', '--steps', '60');
  assert.equal(run.duration.toFixed(3), '1.000');
  const box = scene.getObjectByName('box_1');
  assert.ok(box?.isMesh);
  const height = () => {
    scene.updateMatrixWorld(true);
    return box.getWorldPosition(new three.Vector3()).y;
  };
  const mixer = new three.AnimationMixer(scene);
  mixer.clipAction(run).setLoop(three.LoopOnce).play();
  const at = (time) => {
    mixer.setTime(time);
    return height();
  };
  // A second of free fall in steps of 1/60 s: g h^2 n (n + 1) / 2.
  const fallen = 9.81 / 3600 * 60 * 61 / 2;
  assert.ok(Math.abs(at(0) - at(0.99999) - fallen) < 0.02, `${at(0)} ${at(0.99999)} ${fallen}`);
});

test('three.js sees every shape and the size of a body', {skip: why}, async () => {
  const {scene} = await opened('crates:3', '--steps', '2');
  scene.updateMatrixWorld(true);
  const size = (name) => new three.Box3().setFromObject(scene.getObjectByName(name)).getSize(new three.Vector3());
  assert.ok(Math.abs(size('ball').y - 1.4) < 0.01);
  const crates = [];
  scene.traverse((object) => object.isMesh && crates.push(object.name));
  assert.equal(crates.length, 8);  // six crates, the ball, the floor
});
