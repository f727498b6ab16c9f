import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newTerminal } from '../../support/terminals.ts';

const server = useSharedApp();
const create = (terminal: string, body: object) => server.operate('POST', `/terminals/${terminal}/splits`, body);

describe('201', () => {
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
});

describe('409', () => {
  it('a reference that is another split of this terminal, though not of another one', async () => {
    const partner = await server.newPartner();
    const [one, two] = [await newTerminal(server, partner), await newTerminal(server, partner)];
    const asked = { amount: 10, title: 'Phone', reference: 'shared' };
    await create(one, asked);
    const answer = await create(one, { ...asked, amount: 11 });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'REFERENCE_REUSED']);
    expect((await create(two, { ...asked, amount: 11 })).statusCode).toBe(201);
  });
});
