// What a hand does, drawn in a pane: the line to where it pulls, and the newtons that the program
// tells, not those that were asked for.
import * as three from 'three';
import {h} from '../../report/src/dom';
import {Arrows} from './contacts';
import type {State} from './messages';
import type {Stage} from './stage';

const RED = '#d1361f';

export class Pull {
  readonly group = new three.Group();
  readonly label = h('output', {class: 'pull', hidden: true});
  private readonly line = new three.Line(new three.BufferGeometry().setFromPoints([new three.Vector3(), new three.Vector3()]),
      new three.LineBasicMaterial({color: RED, depthTest: false, transparent: true}));
  private readonly arrow = new Arrows(this.group, RED, 20);
  private readonly end = new three.Vector3();  // of the line

  constructor(private readonly stage: Stage, private readonly pane: number) {
    this.line.renderOrder = 20;
    this.line.frustumCulled = false;
    this.line.visible = false;
    this.group.add(this.line);
  }

  show(state: State, size: number) {
    const pulled = state.held.length > 0;
    this.line.visible = pulled;
    this.label.hidden = !pulled;
    const from: three.Vector3[] = [], along: three.Vector3[] = [];
    state.held.forEach((_, i) => {
      from.push(new three.Vector3().fromArray(state.grips, 6 * i));
      along.push(new three.Vector3().fromArray(state.grips, 6 * i + 3).sub(from[i]));
    });
    this.arrow.show(from, along, 0.03 * size);
    if (!pulled) return;
    this.end.copy(from[0]).add(along[0]);
    this.line.geometry.setFromPoints([from[0], this.end]);
    const newtons = new three.Vector3().fromArray(state.pulls).length();
    this.label.textContent = `${newtons < 100 ? newtons.toPrecision(3) : Math.round(newtons)} N`;
  }

  // The label is where the hand is, also when the view turns.
  place_label() {
    if (this.label.hidden) return;
    const [x, y] = this.stage.place(this.end, this.pane), cell = this.stage.cells()[this.pane];
    const right = Math.min(x - cell.x + 12, cell.width - this.label.offsetWidth - 4);
    this.label.style.transform = `translate(${Math.max(right, 4)}px, ${y - cell.y - 12}px)`;
  }
}
