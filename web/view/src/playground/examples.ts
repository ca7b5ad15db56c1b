// What can be chosen: the templates, and examples that the program has put into the page.
import {TEMPLATES} from './templates';
import type {Template} from './template';

export interface Example {
  name: string;       // in the address of the page
  group: string;
  title: string;
  words: string;
  text?: string;      // JSON lines
  template?: Template;
}

export const offered = (given: Example[]): Example[] =>
    [...TEMPLATES.map((template) => ({name: template.name, group: 'Build it yourself', title: template.title,
                                      words: template.words, template})), ...given];

// The lines of a text that hold a frame.
export const lines_of = (text: string) => text.split('\n').filter((line) => line.trim() && !line.trimStart().startsWith('#'));
