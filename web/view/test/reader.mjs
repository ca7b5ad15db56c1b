// A client that reads and does not draw: a WebSocket over a plain socket, messages by the table of
// src/messages.ts.
import {readFileSync} from 'node:fs';
import {connect} from 'node:net';

const source = readFileSync(new URL('../src/messages.ts', import.meta.url), 'utf8');
const MESSAGES = new Function(`return ${source.slice(source.indexOf('= {', source.indexOf('MESSAGES')) + 2).replace(/;\s*$/, '')}`)();
const BY_NUMBER = new Map(Object.entries(MESSAGES).map(([kind, {number, fields}]) => [number, {kind, fields}]));
const ELEMENT = {text: 1, bytes: 1, counts: 4, floats: 4};

export function decode(bytes) {
  const {kind, fields} = BY_NUMBER.get(bytes[0]), out = {kind};
  let at = 1;
  const place = (size, count = 1) => {
    const from = Math.ceil(at / size) * size;
    at = from + size * count;
    return from;
  };
  for (const [name, type] of fields) {
    if (type === 'flag') out[name] = bytes[place(1)] === 1;
    else if (type === 'count') out[name] = bytes.readUInt32LE(place(4));
    else if (type === 'number') out[name] = bytes.readDoubleLE(place(8));
    else {
      const length = bytes.readUInt32LE(place(4)), from = place(ELEMENT[type], length);
      const part = bytes.subarray(from, from + ELEMENT[type] * length);
      out[name] = type === 'text' ? part.toString() : type === 'floats' ?
          Array.from({length}, (_, i) => part.readFloatLE(4 * i)) : part;
    }
  }
  return out;
}

export function encode({kind, ...values}) {
  const {number, fields} = MESSAGES[kind], out = Buffer.alloc(1024);
  let at = 1;
  const place = (size) => {
    const from = Math.ceil(at / size) * size;
    at = from + size;
    return from;
  };
  out[0] = number;
  for (const [name, type] of fields) {
    if (type === 'flag') out[place(1)] = values[name] ? 1 : 0;
    else if (type === 'count') out.writeUInt32LE(values[name], place(4));
    else if (type === 'number') out.writeDoubleLE(values[name], place(8));
    else if (type === 'text') {
      out.writeUInt32LE(Buffer.byteLength(values[name]), place(4));
      at += out.write(values[name], at);
    } else throw new Error(`${kind}: ${type}`);
  }
  return out.subarray(0, at);
}

export class Reader {
  bytes = 0;   // read so far
  messages = 0;
  heard = () => {};  // gets the bytes of each message

  static async open(address) {
    const {hostname, port, host, searchParams} = new URL(address), out = new Reader();
    out.socket = connect(Number(port), hostname);
    out.socket.setNoDelay(true);
    let waiting = Buffer.alloc(0), upgraded;
    const opened = new Promise((done) => { upgraded = done; });
    out.socket.on('data', (data) => {
      out.bytes += data.length;
      waiting = waiting.length ? Buffer.concat([waiting, data]) : data;
      if (upgraded) {
        const end = waiting.indexOf('\r\n\r\n');
        if (end < 0) return;
        waiting = waiting.subarray(end + 4);
        upgraded();
        upgraded = undefined;
      }
      for (;;) {  // frames
        if (waiting.length < 2) return;
        const short = waiting[1] & 127, head = short === 126 ? 4 : short === 127 ? 10 : 2;
        if (waiting.length < head) return;
        const size = short === 126 ? waiting.readUInt16BE(2) : short === 127 ? Number(waiting.readBigUInt64BE(2)) : short;
        if (waiting.length < head + size) return;
        if ((waiting[0] & 15) === 2) {
          ++out.messages;
          out.heard(Buffer.from(waiting.subarray(head, head + size)));
        }
        waiting = waiting.subarray(head + size);
      }
    });
    out.socket.write(`GET /socket?token=${searchParams.get('token')} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\n` +
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
    await opened;
    return out;
  }
  send(payload) {  // less than 126 bytes, masked by zeros
    this.socket.write(Buffer.concat([Buffer.from([0x82, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  }
  reset() { this.send(Buffer.from([MESSAGES.reset.number])); }
  play() { this.send(Buffer.from([MESSAGES.play.number])); }
  drag(body, point, target) {
    const out = Buffer.alloc(56);
    out[0] = MESSAGES.drag.number;
    out.writeUInt32LE(body, 4);
    [...point, ...target].forEach((value, i) => out.writeDoubleLE(value, 8 + 8 * i));
    this.send(out);
  }
  close() { this.socket.destroy(); }
}
