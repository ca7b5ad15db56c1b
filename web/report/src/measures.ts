// The measures of the histories in words.
import type {Meta} from './data';
import {select} from './dom';

// 'PGS merit at λᵏ' of 'pgs_merit@iterate'.
export function measureWords(name: string): string {
  const [measure, place] = name.split('@');
  const words = measure === 'velocity_error' ? 'Coulomb error' : measure.replaceAll('_', ' ').replace(/^(pgs|lcp|rms)\b/, (letters) => letters.toUpperCase());
  return place ? `${words} at λᵏ` : words;
}
export const capital = (words: string) => words[0].toUpperCase() + words.slice(1);

// 'own_error [m/s]'.
export function measureLabel({measures}: Meta, name: string): string {
  const unit = measures.find((measure) => measure.name === name.split('@')[0])?.unit;
  return unit ? `${name} [${unit}]` : name;
}
// Only energy_change has a sign.
export const onLogAxis = ({points}: Meta, name: string) => points.find((point) => point.name === name)?.type === 'log';

export const selectMeasure = ({settings}: Meta, chosen: string, choose: (name: string) => void, id: string) =>
    select('Measure', settings.history_measures.map((value) => ({value, text: measureWords(value)})), chosen, choose, {id});
