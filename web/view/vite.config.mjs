import {readFileSync} from 'node:fs';
import {build, oneFile} from '../one_file.mjs';

const read = (name) => readFileSync(new URL(`node_modules/three/${name}`, import.meta.url), 'utf8');

export default {
  plugins: [oneFile],
  define: {THREE_LICENCE: JSON.stringify(read('LICENSE')),
           THREE_VERSION: JSON.stringify(JSON.parse(read('package.json')).version)},
  build: {...build, chunkSizeWarningLimit: 2000},
  logLevel: 'warn',
};
