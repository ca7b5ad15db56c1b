// Messages as bytes and back: the table in messages.ts says what stands where, src/view/messages.inc
// how it is written.
import {MESSAGES, type FieldType, type FromProgram, type ToProgram} from './messages';

const BY_NUMBER = new Map(Object.entries(MESSAGES).map(([kind, {number}]) => [number, kind]));
const text = {decoder: new TextDecoder(), encoder: new TextEncoder()};

class Reader {
  private at = 1;
  constructor(private readonly buffer: ArrayBuffer, private readonly view = new DataView(buffer)) {}

  private place(bytes: number, count = 1): number {
    const from = Math.ceil(this.at / bytes) * bytes;
    this.at = from + bytes * count;
    if (this.at > this.buffer.byteLength) throw new Error('a message is too short');
    return from;
  }
  private count = () => this.view.getUint32(this.place(4), true);
  private number = () => this.view.getFloat64(this.place(8), true);

  read(type: FieldType): unknown {
    switch (type) {
      case 'flag': return this.view.getUint8(this.place(1)) === 1;
      case 'count': return this.count();
      case 'number': return this.number();
      case 'vector': return [this.number(), this.number(), this.number()];
      case 'text': {
        const length = this.count();
        return text.decoder.decode(new Uint8Array(this.buffer, this.place(1, length), length));
      }
      case 'bytes': {
        const length = this.count();
        return new Uint8Array(this.buffer, this.place(1, length), length);
      }
      case 'counts': {
        const length = this.count();
        return new Uint32Array(this.buffer, this.place(4, length), length);
      }
      case 'floats': {
        const length = this.count();
        return new Float32Array(this.buffer, this.place(4, length), length);
      }
    }
  }
}

export function decode(buffer: ArrayBuffer): FromProgram {
  const kind = BY_NUMBER.get(new Uint8Array(buffer)[0]);
  if (!kind) throw new Error('an unknown kind of message');
  const reader = new Reader(buffer);
  const out: Record<string, unknown> = {kind};
  for (const [name, type] of MESSAGES[kind].fields) out[name] = reader.read(type);
  return out as unknown as FromProgram;
}

export function encode(message: ToProgram): ArrayBuffer {
  const {number, fields} = MESSAGES[message.kind];
  const values = message as unknown as Record<string, any>;
  const texts = new Map(fields.filter(([, type]) => type === 'text')
      .map(([name]) => [name, text.encoder.encode(values[name])]));
  const room = 64 + 32 * fields.length + [...texts.values()].reduce((sum, one) => sum + one.length, 0);
  const buffer = new ArrayBuffer(room), view = new DataView(buffer);
  let at = 1;
  const place = (bytes: number) => {
    const from = Math.ceil(at / bytes) * bytes;
    at = from + bytes;
    return from;
  };
  view.setUint8(0, number);
  for (const [name, type] of fields) {
    const value = values[name];
    if (type === 'flag') view.setUint8(place(1), value ? 1 : 0);
    else if (type === 'count') view.setUint32(place(4), value, true);
    else if (type === 'number') view.setFloat64(place(8), value, true);
    else if (type === 'vector') for (const one of value) view.setFloat64(place(8), one, true);
    else if (type === 'text') {
      const bytes = texts.get(name)!;
      view.setUint32(place(4), bytes.length, true);
      new Uint8Array(buffer, at, bytes.length).set(bytes);
      at += bytes.length;
    } else throw new Error(`${message.kind}: the page sends no lists`);
  }
  return buffer.slice(0, at);
}
