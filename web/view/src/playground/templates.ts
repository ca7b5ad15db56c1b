// All templates, in the order in which they are offered.
import {balls} from './balls';
import {ladder} from './ladder';
import {plank} from './plank';
import {row} from './row';
import {slope} from './slope';
import {stack} from './stack';
import type {Template} from './template';

export const TEMPLATES: Template[] = [slope, stack, row, ladder, plank, balls];
