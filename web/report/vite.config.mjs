import {readFileSync} from 'node:fs';
import {build, oneFile} from '../one_file.mjs';

const licence = readFileSync(new URL('node_modules/uplot/LICENSE', import.meta.url), 'utf8');
const {version} = JSON.parse(
    readFileSync(new URL('node_modules/uplot/package.json', import.meta.url), 'utf8'));

export default {
  plugins: [oneFile],
  define: {UPLOT_LICENCE: JSON.stringify(licence), UPLOT_VERSION: JSON.stringify(version)},
  build,
  logLevel: 'warn',
};
