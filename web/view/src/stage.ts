// Renderer, camera, light. Draws only when something has changed.
import * as three from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';

export const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Stage {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(40, 1, 0.01, 4000);
  readonly renderer: three.WebGLRenderer;
  readonly orbit: OrbitControls;
  before: (() => void)[] = [];  // before each drawing
  frames = 0;                   // drawn so far
  private readonly sun = new three.DirectionalLight(0xffffff, 1.9);
  private asked = false;
  private size = 1;             // m, of what is looked at
  private slow = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new three.WebGLRenderer({canvas, antialias: true});
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = three.PCFSoftShadowMap;
    this.camera.up.set(0, 0, 1);
    this.scene.add(this.camera);
    const sky = new three.HemisphereLight(0xffffff, 0x9c958a, 1.7);
    sky.position.set(0, 0, 1);
    this.scene.add(sky);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -5e-4;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = !still.matches;
    this.orbit.dampingFactor = 0.15;
    this.orbit.addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement!);
    this.dye();
    this.fit();
  }

  dye() {
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--stage').trim();
    this.scene.background = new three.Color(colour || '#fff');
    this.draw();
  }

  private fit() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement!;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
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
      this.renderer.render(this.scene, this.camera);
      ++this.frames;
      this.spare(performance.now() - start);
    });
  }

  // Shadows go where drawing takes long.
  private spare(ms: number) {
    this.slow = ms > 40 ? this.slow + 1 : 0;
    if (this.slow < 20 || !this.sun.castShadow) return;
    this.sun.castShadow = false;
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
    const reach = 2.5 * this.size, shadow = this.sun.shadow.camera;
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).addScaledVector(new three.Vector3(-0.55, -0.8, 1.2).normalize(), 3 * reach);
    Object.assign(shadow, {left: -reach, right: reach, top: reach, bottom: -reach, near: reach, far: 6 * reach});
    shadow.updateProjectionMatrix();
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
    const {left, top, width, height} = this.canvas.getBoundingClientRect();
    const out = new three.Raycaster();
    out.setFromCamera(new three.Vector2((x - left) / width * 2 - 1, 1 - (y - top) / height * 2), this.camera);
    return out;
  }
}
