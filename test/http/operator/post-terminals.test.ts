import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { sealedColumn } from '../../support/sealed.ts';

const server = useSharedApp();
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

describe('201', () => {
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
});

describe('409', () => {
  it('a serial number is one terminal’s across all partners, even when twenty ask for it at once', async () => {
    const partners = [await server.newPartner(), await server.newPartner()];
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ partnerId: partners[index % 2]?.id, serialNumber: 'twin-1' })),
    );
    expect(all.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const others = all.filter(({ statusCode }) => statusCode !== 201).map((answer) => answer.json().errorCode);
    expect(new Set(others)).toEqual(new Set(['TERMINAL_EXISTS']));
  });
});
