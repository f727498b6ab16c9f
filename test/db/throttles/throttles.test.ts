import { describe, expect, test } from 'vitest';
import { countsByLimits, useProcesses } from './throttle-stories.ts';

const processes = useProcesses();
const { openProcess } = processes;

countsByLimits('PostgreSQL', processes, () => undefined);

describe('what the stores hold', () => {
  test('identifies no one', async () => {
    const { throttles, pool } = openProcess(undefined);
    await throttles.take({ name: 'bvns', points: 9, windowS: 60 }, '22212345678');
    const { rows } = await pool.query<{ text: string }>(
      "select encode(key, 'escape') || c::text as text from throttles.counter c",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('22212345678');
  });
});
