import { describe, expect, it } from 'vitest';
import { expireDisputes } from '#modules/disputes';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { disputeNow, inDays, newDispute } from '../../support/disputes.ts';

const server = useApp();
const add = (id: string, body: object = { text: 'a call' }) => server.operate('POST', `/disputes/${id}/evidence`, body);

describe('200', () => {
  it('adds to what was said, also when the partner can say no more, and is audited without the words', async () => {
    const { id } = await newDispute(server, { evidence: [{ text: 'a letter' }] });
    const answer = await add(id, { text: 'a second letter', link: 'https://files.example/8.pdf' });
    expect(answer.json().evidence).toMatchObject([
      { by: 'OPERATOR', text: 'a letter' },
      { by: 'OPERATOR', text: 'a second letter', link: 'https://files.example/8.pdf' },
    ]);
    expect((await auditOf(server, id)).at(-1)).toMatchObject({ action: 'dispute.evidence', after: { evidence: 2 } });

    await expireDisputes(server.resources, 10, new Date(inDays(server, 8)));
    expect((await add(id)).json()).toMatchObject({ state: 'EXPIRED', evidence: [{}, {}, { text: 'a call' }] });
  });
});

describe('400', () => {
  it('a fifty-first piece, also of those that come at once', async () => {
    const { id } = await newDispute(server, { evidence: Array.from({ length: 20 }, () => ({ text: 'more' })) });
    const answers = await Promise.all(Array.from({ length: 33 }, () => add(id)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(3);
    expect((await disputeNow(server, id)).evidence).toHaveLength(50);
  });
});
