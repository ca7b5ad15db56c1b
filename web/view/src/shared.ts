// The connection of a page that carries its recordings (docs/share.md): two workers take the place
// of the program. One shows frames, the other one solves, so that frames are shown meanwhile. A new
// solve ends the one before.
import {type Carried, carried, content} from './carried';
import type {FromProgram, ToProgram} from './messages';
import {decode, encode} from './wire';

export const CARRIED = 'script.perpend-recording';
const OF_SOLVING = ['solve_frame', 'show_iterate'];

interface Parts extends Carried { recordings: {name: string; packed: ArrayBuffer}[] }

async function parts(): Promise<Parts> {
  const [program, ...packed] = await Promise.all([carried(), ...[...document.querySelectorAll(CARRIED)].map(content)]);
  return {...program, recordings: packed.map((one) => ({name: '', packed: one}))};
}

export class Shared {
  private parts?: Parts;
  private showing?: Worker;
  private solving?: Worker;
  private busy = false;
  private open = false;  // the recordings were told

  constructor(private readonly heard: (message: FromProgram) => void,
              private readonly failed: (why: string) => void) {
    parts().then((told) => {
      this.parts = told;
      this.showing = this.start(true, (message) => {
        if (message.kind === 'notice' && !this.open) return this.failed(message.words);
        this.open = true;
        this.heard(message);
        if (message.kind === 'frame') this.solving ??= this.start_solving();  // before anybody asks
      });
    }).catch((error) => this.failed(`${error}`));
  }

  private start(looks_ahead: boolean, heard: (message: FromProgram) => void): Worker {
    const {url, module, recordings} = this.parts!, worker = new Worker(url);
    worker.onmessage = ({data}) => data.failed ? this.failed(data.failed) : heard(decode(data.message));
    worker.onerror = (event) => this.failed(event.message);
    worker.postMessage({module, recordings, looks_ahead});
    return worker;
  }
  private start_solving(): Worker {
    return this.start(false, (message) => {
      if (!['solved', 'iterate', 'notice'].includes(message.kind)) return;  // the other one told it
      this.busy = false;
      this.heard(message);
    });
  }

  send(message: ToProgram) {
    if (!this.parts) return;
    const data = {message: encode(message)};
    if (!OF_SOLVING.includes(message.kind)) return this.showing!.postMessage(data);
    if (this.busy) {
      this.solving!.terminate();
      this.solving = undefined;
    }
    this.busy = message.kind === 'solve_frame';
    this.solving ??= this.start_solving();
    this.solving.postMessage(data);
  }
}
