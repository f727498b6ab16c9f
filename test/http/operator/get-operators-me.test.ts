import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';

const server = useApp();

describe('200', () => {
  it('tells who one is, and what one may do', async () => {
    const { id, name, operate } = await newOperator(server, 'finance');
    expect((await operate('GET', '/operators/me')).json()).toEqual({
      id,
      name,
      role: 'finance',
      tokenExpiresAt: expect.stringMatching(/Z$/),
    });
    expect((await server.operate('GET', '/operators/me')).json()).toEqual({ id: 'root', name: 'root', role: 'admin' });
  });
});
