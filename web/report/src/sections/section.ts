// A part of the page with a heading; drawn when it comes into sight, and again when the view changes.
import type {Detail} from '../detail';
import {h} from '../dom';
import type {View} from '../view';

export interface Page { view: View; detail: Detail }

export abstract class Section {
  readonly element: HTMLElement;
  protected body = h('div', {class: 'body'});
  private stale = true;
  private seen = false;

  constructor(protected page: Page, readonly id: string, readonly name: string, intro: (Node | string)[]) {
    this.element = h('section', {id, 'aria-labelledby': `${id}-title`},
        h('h2', {id: `${id}-title`}, name), h('p', {class: 'intro'}, ...intro), this.body);
    new IntersectionObserver((entries) => {
      this.seen = entries[entries.length - 1].isIntersecting;
      this.refresh();
    }, {rootMargin: '200px'}).observe(this.element);
    page.view.onChange(() => this.invalidate());
  }
  protected get view() { return this.page.view; }
  protected get report() { return this.page.view.report; }
  protected get detail() { return this.page.detail; }

  invalidate() {
    this.stale = true;
    this.element.removeAttribute('data-ready');
    this.refresh();
  }
  private async refresh() {
    if (!this.stale || !this.seen) return;
    this.stale = false;
    await this.draw();
    if (!this.stale) this.element.setAttribute('data-ready', '');
  }
  protected abstract draw(): void | Promise<void>;
  // One solver stands out in what is in sight; -1: none.
  stress(solver: number) { if (this.seen || solver < 0) this.emphasize(solver); }
  protected emphasize(_solver: number) {}
}
