import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { inDays } from '../../support/disputes.ts';
import { newOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { sealedColumn } from '../../support/sealed.ts';
import { newSplit, newTerminal, payAt } from '../../support/terminals.ts';

const server = useApp();

describe('GET /terminals', () => {
  const list = async (query: string) => (await server.operate('GET', `/terminals?${query}`)).json();

  it('terminals of all partners or one, newest first, page by page', async () => {
    const [one, other] = [await server.newPartner(), await server.newPartner()];
    const [first, second] = [await newTerminal(server, one, { merchant: 'Mama Put' }), await newTerminal(server, one)];
    const third = await newTerminal(server, other);
    const page = await list('limit=2');
    expect(page).toMatchObject({ items: [{ serialNumber: third }, { serialNumber: second }], count: 3 });
    const rest = await list(`limit=2&cursor=${page.nextCursor}`);
    expect(rest.items).toMatchObject([{ serialNumber: first, merchant: 'Mama Put', partnerId: one.id, balance: 0 }]);
    expect(rest).not.toHaveProperty('nextCursor');
    expect((await list(`partnerId=${other.id}`)).items).toMatchObject([{ serialNumber: third }]);
  });
});

describe('GET /terminals/{serialNumber}', () => {
  it('whose it is, what it brought in, and its splits, newest first; who is behind it is masked for a viewer', async () => {
    const partner = await server.newPartner();
    const serial = await newTerminal(server, partner, { email: 'shop@umeh.example', phoneNumber: '+2348035550199' });
    const [fridge, tv] = [await newSplit(server, serial, 100), await newSplit(server, serial, 50)];
    await payAt(server, serial, { amount: 40, split: fridge, reference: 'paid-1' });
    const answer = await server.operate('GET', `/terminals/${serial}`);
    expect(answer.json()).toMatchObject({
      serialNumber: serial,
      partnerId: partner.id,
      balance: 40,
      email: 'shop@umeh.example',
      splits: [
        { reference: tv, status: 'Pending', amount: 50, totalPaid: 0, terminal: serial },
        { reference: fridge, status: 'Pending', amount: 100, totalPaid: 40, remaining: 60, partnerId: partner.id },
      ],
    });
    const { operate } = await newOperator(server, 'viewer');
    const seen = (await operate('GET', `/terminals/${serial}`)).json();
    expect(seen).toMatchObject({
      email: 's***@umeh.example',
      phoneNumber: '**********0199',
      splits: [{ title: '***' }, {}],
    });
  });
});

describe('POST /terminals', () => {
  const create = (body: object) => server.operate('POST', '/terminals', body);
  const full = {
    serialNumber: 'PAX-A920-1',
    terminalId: '2ABC0001',
    merchant: 'Mama Nkechi Stores',
    email: 'till@nkechi.example',
    phoneNumber: '+2348031234567',
    paytag: '@Nkechi',
    metadata: { shelf: 4 },
  };

  it('gives a partner a terminal, with everything that was said of it', async () => {
    const { id: partnerId } = await server.newPartner();
    const answer = await create({ partnerId, ...full });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      partnerId,
      ...full,
      paytag: 'nkechi',
      status: 'Active',
      balance: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('needs only a serial number, and leaves out what has no value', async () => {
    const { id: partnerId } = await server.newPartner();
    const answer = await create({ partnerId, serialNumber: 'bare-1', merchant: '', email: null });
    expect(Object.keys(answer.json())).toEqual(['partnerId', 'serialNumber', 'status', 'balance', 'createdAt']);
  });

  it('keeps e-mail address and phone number sealed', async () => {
    const { id: partnerId } = await server.newPartner();
    await create({ partnerId, ...full, serialNumber: 'sealed-1' });
    const { rows } = await server.owner.query(
      `select t::text as plain, email_sealed, phone_sealed from terminals.terminal t where serial_number = 'sealed-1'`,
    );
    expect(rows[0].plain).not.toMatch(/nkechi\.example|8031234567/);
    expect(rows[0].email_sealed.toString('latin1')).not.toContain(full.email);
    const phone = sealedColumn('terminals.terminal.phone_sealed');
    expect(server.resources.keyring.open(phone, ['sealed-1', partnerId], rows[0].phone_sealed)).toBe(full.phoneNumber);
  });

  it('is written to the audit log, without personal data', async () => {
    const { id: partnerId } = await server.newPartner();
    await create({ partnerId, ...full, serialNumber: 'audited-1' });
    const { rows } = await server.owner.query(
      `select actor, action, after from audit.entry where target = 'audited-1'`,
    );
    expect(rows).toEqual([
      {
        actor: 'operator:root',
        action: 'terminal.create',
        after: { partnerId, terminalId: full.terminalId, merchant: full.merchant, paytag: 'nkechi' },
      },
    ]);
  });

  it('409: a serial number is one terminal’s across all partners, even when twenty ask for it at once', async () => {
    const partners = [await server.newPartner(), await server.newPartner()];
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ partnerId: partners[index % 2]?.id, serialNumber: 'twin-1' })),
    );
    expect(all.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const others = all.filter(({ statusCode }) => statusCode !== 201).map((answer) => answer.json().errorCode);
    expect(new Set(others)).toEqual(new Set(['TERMINAL_EXISTS']));
  });
});

describe('GET /splits', () => {
  const alone = useApp();
  let partner: TestPartner;
  let serial: string;
  let other: string;
  beforeAll(async () => {
    partner = await alone.newPartner();
    serial = await newTerminal(alone, partner);
    other = await newTerminal(alone, await alone.newPartner());
    await newSplit(alone, serial, 10, { reference: 'ten' });
    await newSplit(alone, serial, 20, { reference: 'twenty' });
    await newSplit(alone, serial, 30, { reference: 'over', expiresAt: inDays(alone, 1) });
    await newSplit(alone, other, 40, { reference: 'ten' });
    await payAt(alone, serial, { amount: 20, split: 'twenty', reference: 'paid-20' });
    alone.clock.advance(2 * 24 * 60 * 60 * 1000);
  });
  const found = async (query: Record<string, string>) => {
    const answer = await alone.operate('GET', `/splits?${new URLSearchParams(query).toString()}`);
    const { items, count } = answer.json<{ items: { reference: string; terminal: string }[]; count: number }>();
    expect(count).toBe(items.length);
    return items.map(({ reference, terminal }) => `${reference}@${terminal === serial ? 'one' : 'other'}`);
  };

  it.each([
    [{}, ['ten@other', 'over@one', 'twenty@one', 'ten@one']],
    [{ reference: 'ten' }, ['ten@other', 'ten@one']],
    [{ status: 'Paid' }, ['twenty@one']],
    [{ status: 'Expired' }, ['over@one']],
    [{ status: 'Pending' }, ['ten@other', 'ten@one']],
    [{ amountFrom: '20', amountTo: '30' }, ['over@one', 'twenty@one']],
    [{ to: '2026-01-01T00:00:00Z' }, []],
  ])('those that are %j, newest first', async (query: Record<string, string>, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('those of a terminal or of a partner, also as a file', async () => {
    const ofOne = ['over@one', 'twenty@one', 'ten@one'];
    expect([await found({ terminal: serial }), await found({ partnerId: partner.id })]).toEqual([ofOne, ofOne]);
    const file = await alone.operate('GET', `/splits?terminal=${serial}&format=csv`);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body.split('\r\n')).toHaveLength(5);
  });
});

describe('POST /terminals/{serialNumber}/splits', () => {
  const create = (terminal: string, body: object) => server.operate('POST', `/terminals/${terminal}/splits`, body);

  it('makes a split, with a reference of ours where none is given', async () => {
    const terminal = await newTerminal(server, await server.newPartner());
    const answer = await create(terminal, { amount: 900.5, title: 'Phone', description: 'In instalments' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      Amount: 900.5,
      Reference: expect.stringMatching(/^SPL-[0-9a-f]{32}$/),
      TotalPaid: 0,
      Remaining: 900.5,
      Status: 'Pending',
      Title: 'Phone',
      Description: 'In instalments',
    });
  });

  it('a repeated reference makes one split and one audit entry', async () => {
    const terminal = await newTerminal(server, await server.newPartner());
    const asked = { amount: 10, title: 'Phone', reference: 'audited-split' };
    const [first, second] = [await create(terminal, asked), await create(terminal, asked)];
    expect(second.json()).toEqual(first.json());
    const { rows } = await server.owner.query(
      `select actor, action, after from audit.entry where target = 'audited-split'`,
    );
    const after = { terminal, amount: '1000', title: 'Phone' };
    expect(rows).toEqual([{ actor: 'operator:root', action: 'split.create', after }]);
  });

  it('409: a reference that is another split of this terminal, though not of another one', async () => {
    const partner = await server.newPartner();
    const [one, two] = [await newTerminal(server, partner), await newTerminal(server, partner)];
    const asked = { amount: 10, title: 'Phone', reference: 'shared' };
    await create(one, asked);
    expect(refusalOf(await create(one, { ...asked, amount: 11 }))).toEqual([409, 'REFERENCE_REUSED']);
    expect((await create(two, { ...asked, amount: 11 })).statusCode).toBe(201);
  });
});
