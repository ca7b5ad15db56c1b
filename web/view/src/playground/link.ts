// The program as WebAssembly in a worker of the browser, given JSON lines.
import type {Carried} from '../carried';
import {decode, encode} from '../wire';
import type {Start} from './lane';

export const start_in = ({url, module}: Carried): Start => (heard) => {
  const worker = new Worker(url), wrong = (words: string) => heard({kind: 'notice', wrong: true, words});
  let begun = false;
  worker.onmessage = ({data}) => data.failed ? wrong(data.failed) : heard(decode(data.message));
  worker.onerror = ({message}) => wrong(message);
  return {
    open: (text) => {
      const lines = new TextEncoder().encode(text).buffer;
      worker.postMessage({...(begun ? {} : {module}), recordings: [{name: 'the problem', lines}], looks_ahead: false});
      begun = true;
    },
    send: (message) => worker.postMessage({message: encode(message)}),
    close: () => worker.terminate(),
  };
};
