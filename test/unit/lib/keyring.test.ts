import { describe, expect, it } from 'vitest';
import { createKeyring, fingerprintOf, type KeyUse, keyringOf } from '#lib/crypto/keyring.ts';
import { unnamed } from '../../support/sealed-before.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));
const other = createKeyring(Buffer.alloc(32, 2));
const BVN = '22212345678';

describe('what is sealed', () => {
  it('opens with the key and for the purpose it was sealed for', () => {
    expect(keyring.open('customer.bvn', keyring.seal('customer.bvn', BVN))).toBe(BVN);
    expect(keyring.open('note', keyring.seal('note', ''))).toBe('');
  });

  it('shows nothing of itself, and never looks the same twice', () => {
    const [one, two] = [keyring.seal('customer.bvn', BVN), keyring.seal('customer.bvn', BVN)];
    expect(one.equals(two)).toBe(false);
    expect(one.toString('latin1')).not.toContain(BVN);
  });

  it('opens with no other key and for no other purpose', () => {
    const sealed = keyring.seal('customer.bvn', BVN);
    expect(() => other.open('customer.bvn', sealed)).toThrow(/not sealed|authenticate data/);
    expect(() => keyring.open('customer.phone', sealed)).toThrow(/not sealed|authenticate data/);
  });

  it('does not open when one bit of it was changed, or some of it is missing', () => {
    const sealed = keyring.seal('customer.bvn', BVN);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => keyring.open('customer.bvn', changed)).toThrow(/not sealed|authenticate data/);
      expect(() => keyring.open('customer.bvn', sealed.subarray(0, at))).toThrow(/not sealed|authenticate data/);
    }
  });
});

describe('several keys', () => {
  const of = (id: number, use: KeyUse, isCurrent = true) => ({ id, use, key: Buffer.alloc(32, id), isCurrent });
  const before = [of(1, 'SEAL'), of(2, 'INDEX'), of(3, 'SIGN'), of(4, 'POSTING')];
  const after = [
    of(1, 'SEAL', false),
    of(2, 'INDEX'),
    of(3, 'SIGN', false),
    of(4, 'POSTING'),
    of(5, 'SEAL'),
    of(6, 'SIGN'),
  ];

  it('a value names the key that sealed it, opens by it, and is sealed by the current one', () => {
    const changing = keyringOf(before);
    const old = changing.seal('note', 'one');
    const signature = changing.sign('link', 'one');
    const vouched = changing.vouchFor('posting', 'one');
    changing.use(after);
    const fresh = changing.seal('note', 'two');
    expect([old.readUInt32BE(1), fresh.readUInt32BE(1)]).toEqual([1, 5]);
    expect(fresh.subarray(0, 5)).toEqual(changing.sealedPrefix);
    expect([changing.open('note', old), changing.open('note', fresh)]).toEqual(['one', 'two']);
    expect(changing.sign('link', 'one')).not.toEqual(signature);
    expect(changing.verifies('link', 'one', signature)).toBe(true);
    expect(changing.verifies('link', 'two', signature)).toBe(false);
    expect(changing.blindIndex('bvn', BVN)).toEqual(keyringOf(before).blindIndex('bvn', BVN));
    expect(changing.vouchFor('posting', 'one')).toEqual(vouched);
    changing.use(after.filter(({ id }) => id !== 1 && id !== 3));
    expect(() => changing.open('note', old)).toThrow('not sealed with a key that this process has');
    expect(changing.verifies('link', 'one', signature)).toBe(false);
  });

  it('a value from before values named their keys opens by the first key', () => {
    expect(keyring.open('note', unnamed(Buffer.alloc(32, 1), 'note', 'of old'))).toBe('of old');
  });
});

describe('a blind index', () => {
  it('finds an equal value again, under the same key and purpose only, and shows nothing of it', () => {
    const index = keyring.blindIndex('bvn', BVN);
    expect(keyring.blindIndex('bvn', BVN)).toEqual(index);
    for (const elsewhere of [
      keyring.blindIndex('phone', BVN),
      other.blindIndex('bvn', BVN),
      keyring.blindIndex('bvn', '22212345679'),
    ]) {
      expect(elsewhere).not.toEqual(index);
    }
    expect(index.toString('latin1')).not.toContain(BVN);
  });
});

it('a signature is made again by the same key, for the same purpose and value alone, and is no blind index', () => {
  const signature = keyring.sign('link', 'value');
  expect(keyring.sign('link', 'value')).toEqual(signature);
  const elsewhere = [
    other.sign('link', 'value'),
    keyring.sign('note', 'value'),
    keyring.sign('link', 'value2'),
    keyring.blindIndex('link', 'value'),
  ];
  for (const different of elsewhere) expect(different).not.toEqual(signature);
});

it('a fingerprint names the key and is not the key', () => {
  const [one, two] = [1, 2].map((byte) => fingerprintOf(Buffer.alloc(32, byte)));
  expect(one).not.toBe(two);
  expect(one).not.toContain('01'.repeat(32));
});
