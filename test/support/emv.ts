import jsqr from 'jsqr';
import { PNG } from 'pngjs';

/** Reads an EMVCo merchant-presented payload as its specification says, written apart from what makes it: ids to values. */
export function readEmv(payload: string): Record<string, string> {
  const crc = payload.slice(-4);
  if (payload.slice(-8, -4) !== '6304') throw new Error('the checksum is not the last data object');
  if (crcOf(payload.slice(0, -4)) !== Number.parseInt(crc, 16) || !/^[\dA-F]{4}$/.test(crc))
    throw new Error('wrong checksum');
  return readObjects(payload);
}

/** Data objects: two digits of id, two of length, the value. */
export function readObjects(text: string): Record<string, string> {
  const objects: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const [, id = '', length = '0'] = /^(\d\d)(\d\d)/.exec(rest) ?? [];
    const value = rest.slice(4, 4 + Number(length));
    if (id === '' || value === '' || value.length !== Number(length)) throw new Error(`cut short at ${rest}`);
    if (id in objects) throw new Error(`twice: ${id}`);
    objects[id] = value;
    rest = rest.slice(4 + value.length);
  }
  return objects;
}

/** CRC-16/CCITT-FALSE by polynomial division of the bits, the slow way. */
export function crcOf(text: string): number {
  const bits = [...Buffer.from(text, 'latin1'), 0, 0].flatMap((byte) =>
    Array.from(byte.toString(2).padStart(8, '0'), Number),
  );
  // A start of 0xffff is the same as sixteen inverted leading bits.
  for (let at = 0; at < 16; at++) bits[at] = 1 - (bits[at] ?? 0);
  const divisor = Array.from('10001000000100001', Number);
  for (let at = 0; at + 16 < bits.length; at++) {
    if (bits[at] === 1)
      for (const [offset, bit] of divisor.entries()) bits[at + offset] = (bits[at + offset] ?? 0) ^ bit;
  }
  return Number.parseInt(bits.slice(-16).join(''), 2);
}

/** What a camera would read from a PNG in base64. */
export function readQr(base64: string): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(base64, 'base64'));
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
}
