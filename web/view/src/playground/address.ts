// What is chosen, in the address of the page, so that a teacher can give a link to it:
// #slope&angle=30&solvers=box/pgs,ncp/auto
import type {Values} from './template';

export interface Wanted { example: string; solvers: string[]; values: Values }

export function read_address(): Wanted {
  const [example = '', ...parts] = decodeURIComponent(location.hash.slice(1)).split('&');
  const out: Wanted = {example, solvers: [], values: {}};
  for (const part of parts) {
    const [name, value = ''] = part.split('=');
    if (name === 'solvers') out.solvers = value.split(',').filter(Boolean);
    else if (value !== '' && Number.isFinite(Number(value))) out.values[name] = Number(value);
  }
  return out;
}
export function write_address({example, solvers, values}: Wanted) {
  const numbers = Object.entries(values).map(([name, value]) => `&${name}=${value}`).join('');
  history.replaceState(null, '', `#${example}${numbers}&solvers=${solvers.join(',')}`);
}
