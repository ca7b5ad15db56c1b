// The connection: comes back by itself when it is lost.
import type {FromProgram, ToProgram} from './messages';
import {decode, encode} from './wire';

const LONGEST_WAIT = 4000;  // ms

export class Connection {
  private socket?: WebSocket;
  private wait = 250;

  constructor(private readonly heard: (message: FromProgram) => void,
              private readonly changed: (open: boolean) => void) {
    this.open();
  }

  private open() {
    const socket = new WebSocket(`ws://${location.host}/socket${location.search}`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.wait = 250;
      this.changed(true);
    };
    socket.onmessage = ({data}) => this.heard(decode(data));
    socket.onclose = () => {
      this.changed(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
    this.socket = socket;
  }

  send(message: ToProgram) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(encode(message));
  }
}
