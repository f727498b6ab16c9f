import { describe, expect, it } from 'vitest';
import { createKeyring, fingerprintOf, type KeyUse, keyringOf } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));
const other = createKeyring(Buffer.alloc(32, 2));
const BVN = '22212345678';

const column = (name: string) => ({ table: 'customers.customer', column: name, row: ['id'] });
const [bvn, phone, note] = [column('bvn_sealed'), column('phone_sealed'), column('note_sealed')];

describe('what is sealed', () => {
  it('opens with the key, for the column and the row that it was sealed for', () => {
    expect(keyring.open(bvn, ['ada'], keyring.seal(bvn, ['ada'], BVN))).toBe(BVN);
    expect(keyring.open(note, [null], keyring.seal(note, [null], ''))).toBe('');
  });

  it('opens for a row as the database gives it back, whatever the types', () => {
    const many = { ...note, row: ['id', 'digest', 'at', 'amount'] };
    const at = new Date('2026-11-28T09:00:00.123Z');
    const sealed = keyring.seal(many, [7, Buffer.from('0a', 'hex'), at, 10n], BVN);
    expect(keyring.open(many, ['7', new Uint8Array([10]), new Date(at), '10'], sealed)).toBe(BVN);
  });

  it('shows nothing of itself, and never looks the same twice', () => {
    const [one, two] = [keyring.seal(bvn, ['ada'], BVN), keyring.seal(bvn, ['ada'], BVN)];
    expect(one.equals(two)).toBe(false);
    expect(one.toString('latin1')).not.toContain(BVN);
  });

  it('opens with no other key, for no other column, and for no other row', () => {
    const sealed = keyring.seal(bvn, ['ada'], BVN);
    const elsewhere = { ...bvn, table: 'customers.other' };
    expect(() => other.open(bvn, ['ada'], sealed)).toThrow(AlteredRecord);
    expect(() => keyring.open(phone, ['ada'], sealed)).toThrow('customers.customer.phone_sealed of ada is not as we');
    expect(() => keyring.open(elsewhere, ['ada'], sealed)).toThrow(AlteredRecord);
    for (const row of ['bayo', null, '', 'ADA']) expect(() => keyring.open(bvn, [row], sealed)).toThrow(AlteredRecord);
    const pair = { ...bvn, row: ['a', 'b'] };
    const ofPair = keyring.seal(pair, ['1', '23'], BVN);
    expect(() => keyring.open(pair, ['12', '3'], ofPair)).toThrow(AlteredRecord);
    expect(() => keyring.open(pair, ['1'], ofPair)).toThrow('is sealed for a, b');
  });

  it('does not open when one bit of it was changed, or some of it is missing', () => {
    const sealed = keyring.seal(bvn, ['ada'], BVN);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => keyring.open(bvn, ['ada'], changed)).toThrow(/is not as we stored it|not sealed with a key/);
      expect(() => keyring.open(bvn, ['ada'], sealed.subarray(0, at))).toThrow(AlteredRecord);
    }
  });

  it('is counted by its key, and told once', () => {
    const counting = createKeyring(Buffer.alloc(32, 3));
    for (const one of ['a', 'b', 'c']) counting.seal(note, [one], one);
    expect([...counting.takeSealed()]).toEqual([[1, 3]]);
    expect([...counting.takeSealed()]).toEqual([]);
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
    const old = changing.seal(note, [1], 'one');
    const signature = changing.sign('link', 'one');
    const vouched = changing.vouchFor('posting', 'one');
    changing.use(after);
    const fresh = changing.seal(note, [1], 'two');
    expect([old.readUInt32BE(1), fresh.readUInt32BE(1)]).toEqual([1, 5]);
    expect(fresh.subarray(0, 5)).toEqual(changing.sealedPrefix);
    expect([changing.open(note, [1], old), changing.open(note, [1], fresh)]).toEqual(['one', 'two']);
    expect(changing.sign('link', 'one')).not.toEqual(signature);
    expect(changing.verifies('link', 'one', signature)).toBe(true);
    expect(changing.verifies('link', 'two', signature)).toBe(false);
    expect(changing.blindIndex('bvn', BVN)).toEqual(keyringOf(before).blindIndex('bvn', BVN));
    expect(changing.vouchFor('posting', 'one')).toEqual(vouched);
    changing.use(after.filter(({ id }) => id !== 1 && id !== 3));
    expect(() => changing.open(note, [1], old)).toThrow('not sealed with a key that this process has');
    expect(changing.verifies('link', 'one', signature)).toBe(false);
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
