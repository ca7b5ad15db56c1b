// The machine card, the settings, the measures, and whose work is in this page.
import {facts} from '../detail';
import {h} from '../dom';
import {plural, short, tolerance, whole} from '../look';
import {type Page, Section} from './section';

declare const UPLOT_LICENCE: string;
declare const UPLOT_VERSION: string;

export class SetupSection extends Section {
  constructor(page: Page) {
    super(page, 'setup', 'Machine and settings', ['Every solve had the same stopping test, computed by Perpend, and the same limits, and ran in its own process. Time to measure errors does not count.']);
  }

  protected draw() {
    const {meta} = this.report, {settings} = meta;
    const gib = (bytes: number) => `${short(bytes / 2 ** 30)} GiB`;
    const set = Object.entries(settings.set).map(([name, value]) => `${name}=${value}`).join(' ');
    this.body.replaceChildren(
        h('div', {class: 'pair'},
          ...meta.machines.map((machine, m) => facts(meta.machines.length > 1 ? `Machine ${m + 1}` : 'Machine', [
            ['processor', `${machine.cpu}, ${plural(machine.cores, 'core')}`], ['memory', gib(machine.memory_bytes)], ['system', machine.os],
            ['compiler', machine.compiler], ['flags', machine.flags], ['perpend', `${machine.version}, commit ${machine.commit}`],
            ['date', machine.date], ['load', machine.load.map((load) => short(load)).join(', ')],
          ])),
          facts('Settings', [
            ['stops at', `${settings.error} ≤ ${tolerance(settings.tolerance)} m/s`], ['iterations', `at most ${whole(settings.max_iterations)}`],
            ['time', settings.time_limit > 0 ? `at most ${short(settings.time_limit)} s` : 'no limit'],
            ['memory', settings.memory_limit > 0 ? `at most ${gib(settings.memory_limit)}` : 'at most half of the machine’s'],
            ['start', settings.warm_start ? 'warm, from the recorded answers' : 'cold'], ['timed runs', settings.repeat > 0 ? `${settings.repeat}, their median is told` : 'none: the time of the watched run is told'],
            ['facets', `${settings.facets} (friction pyramids)`], ['at the same time', plural(settings.jobs, 'solve')],
            ...set ? [['own options', set]] as [string, string][] : [],
          ])),
        settings.command ? h('div', {class: 'command'}, h('code', {}, settings.command)) : '',
        h('h3', {}, 'Error measures'),
        h('div', {class: 'table', tabindex: 0}, h('table', {class: 'errors'}, h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'name'), h('th', {scope: 'col', class: 'text'}, 'unit'), h('th', {scope: 'col', class: 'text'}, 'asks'))),
          h('tbody', {}, meta.measures.map(({name, unit, question}) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {class: 'text'}, unit || '–'), h('td', {class: 'text'}, question)))))),
        h('details', {class: 'licence'}, h('summary', {}, `Plots by uPlot ${UPLOT_VERSION} (MIT)`), h('pre', {}, UPLOT_LICENCE)));
  }
}
