// Renderer, camera, light. Draws only when something has changed.
import * as three from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';

export const still = matchMedia('(prefers-reduced-motion: reduce)');

export interface Cell { x: number; y: number; width: number; height: number }  // CSS pixels in the canvas

export class Stage {
  // One for each pane, all seen by one camera; `scene` is the first.
  readonly scenes: three.Scene[] = [];
  readonly camera = new three.PerspectiveCamera(40, 1, 0.01, 4000);
  readonly renderer: three.WebGLRenderer;
  readonly orbit: OrbitControls;
  before: (() => void)[] = [];  // before each drawing
  frames = 0;                   // drawn so far
  private readonly suns: three.DirectionalLight[] = [];
  private asked = false;
  private size = 1;             // m, of what is looked at
  private slow = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new three.WebGLRenderer({canvas, antialias: true});
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = three.PCFSoftShadowMap;
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = !still.matches;
    this.orbit.dampingFactor = 0.15;
    this.orbit.addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement!);
    this.divide(1);
  }
  get scene() { return this.scenes[0]; }

  // Into so many panes.
  divide(count: number) {
    while (this.scenes.length < count) this.scenes.push(this.make_scene());
    while (this.scenes.length > count) {
      this.scenes.pop();
      this.suns.pop()!.dispose();
    }
    this.dye();
    this.fit();
  }

  private make_scene(): three.Scene {
    const scene = new three.Scene(), sky = new three.HemisphereLight(0xffffff, 0x9c958a, 1.7);
    const sun = new three.DirectionalLight(0xffffff, 1.9);
    sky.position.set(0, 0, 1);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.bias = -5e-4;
    sun.shadow.normalBias = 0.02;
    scene.add(sky, sun, sun.target);
    this.suns.push(sun);
    return scene;
  }

  // Where the panes are: beside each other where there is room, else below.
  cells(): Cell[] {
    const {clientWidth: wide, clientHeight: high} = this.canvas.parentElement!, count = this.scenes.length;
    const columns = count === 4 ? 2 : wide >= high ? count : 1, rows = Math.ceil(count / columns);
    return this.scenes.map((_, k) => ({x: (k % columns) * wide / columns, y: Math.floor(k / columns) * high / rows,
                                       width: wide / columns, height: high / rows}));
  }

  // The pane at a place of the page.
  pane_at(x: number, y: number): number {
    const {left, top} = this.canvas.getBoundingClientRect();
    return Math.max(0, this.cells().findIndex((cell) => x - left < cell.x + cell.width && y - top < cell.y + cell.height));
  }

  // Where a point of the world is in a pane: pixels from the left and top of the canvas.
  place(point: three.Vector3, pane = 0): [number, number] {
    const seen = point.clone().project(this.camera), cell = this.cells()[pane];
    return [cell.x + (seen.x + 1) / 2 * cell.width, cell.y + (1 - seen.y) / 2 * cell.height];
  }

  dye() {
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--stage').trim();
    for (const scene of this.scenes) scene.background = new three.Color(colour || '#fff');
    this.draw();
  }

  private fit() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement!;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    const [cell] = this.cells();
    this.camera.aspect = cell.width / cell.height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const start = performance.now();
      this.orbit.update();  // asks again while it moves on
      for (const act of this.before) act();
      this.render();
      ++this.frames;
      this.spare(performance.now() - start);
    });
  }

  private render() {
    const high = this.canvas.parentElement!.clientHeight;
    this.renderer.setScissorTest(this.scenes.length > 1);
    this.cells().forEach(({x, y, width, height}, k) => {
      this.renderer.setViewport(x, high - y - height, width, height);
      this.renderer.setScissor(x, high - y - height, width, height);
      this.renderer.render(this.scenes[k], this.camera);
    });
  }

  // Shadows go where drawing takes long.
  private spare(ms: number) {
    this.slow = ms > 40 ? this.slow + 1 : 0;
    if (this.slow < 20 || !this.suns[0].castShadow) return;
    for (const sun of this.suns) sun.castShadow = false;
    this.draw();
  }

  // Looks at a box from the front, a little from the side and above.
  look(box: three.Box3) {
    const middle = box.getCenter(new three.Vector3()), half = box.getSize(new three.Vector3()).length() / 2;
    this.size = Math.max(half, 0.05);
    const narrow = Math.min(1, this.camera.aspect);
    const away = 1.15 * this.size / Math.sin(this.camera.fov * Math.PI / 360) / narrow;
    this.camera.position.copy(middle).addScaledVector(new three.Vector3(0.45, -1, 0.42).normalize(), away);
    this.camera.near = away / 500;
    this.camera.far = Math.max(away * 20, 600);
    this.camera.updateProjectionMatrix();
    this.orbit.target.copy(middle);
    this.orbit.maxDistance = away * 8;
    this.orbit.update();
    const reach = 2.5 * this.size;
    for (const sun of this.suns) {
      const shadow = sun.shadow.camera;
      sun.target.position.copy(middle);
      sun.position.copy(middle).addScaledVector(new three.Vector3(-0.55, -0.8, 1.2).normalize(), 3 * reach);
      Object.assign(shadow, {left: -reach, right: reach, top: reach, bottom: -reach, near: reach, far: 6 * reach});
      shadow.updateProjectionMatrix();
    }
    this.draw();
  }

  // By the keyboard: turns about the target, rad; comes closer by a factor.
  turn(sideways: number, upwards: number, closer = 1) {
    const arm = this.camera.position.clone().sub(this.orbit.target);
    const ball = new three.Spherical().setFromVector3(new three.Vector3(arm.x, arm.z, -arm.y));
    ball.theta += sideways;
    ball.phi = Math.min(Math.max(ball.phi - upwards, 0.05), Math.PI - 0.05);
    ball.radius *= closer;
    const turned = new three.Vector3().setFromSpherical(ball);
    this.camera.position.copy(this.orbit.target).add(new three.Vector3(turned.x, -turned.z, turned.y));
    this.camera.lookAt(this.orbit.target);
    this.draw();
  }

  ray(x: number, y: number): three.Raycaster {
    const {left, top} = this.canvas.getBoundingClientRect(), cell = this.cells()[this.pane_at(x, y)];
    const out = new three.Raycaster();
    out.setFromCamera(new three.Vector2((x - left - cell.x) / cell.width * 2 - 1,
                                        1 - (y - top - cell.y) / cell.height * 2), this.camera);
    return out;
  }
}
