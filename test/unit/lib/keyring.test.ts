import { describe, expect, it } from 'vitest';
import { createKeyring } from '#lib/crypto/keyring.ts';

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
  expect(keyring.fingerprint).not.toBe(other.fingerprint);
  expect(keyring.fingerprint).not.toContain('01'.repeat(32));
});
