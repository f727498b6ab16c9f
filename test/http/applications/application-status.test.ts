import { describe, expect, it } from 'vitest';
import {
  type ApplicationStatus,
  applicationStatuses,
  type StatusChange,
  statusChanges,
} from '../../../src/modules/applications/application-status.ts';
import { useApp } from '../../support/app.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });

const changes = Object.keys(statusChanges) as StatusChange[];
const ways: Record<ApplicationStatus, StatusChange[]> = {
  PENDING: [],
  ACTIVE: ['approve'],
  SUSPENDED: ['approve', 'suspend'],
};
const operate = (id: string, what: StatusChange) =>
  server.operate('POST', `/applications/${id}/${what}`, { reason: 'a test' });

describe('an application moves where the table says, and nowhere else', () => {
  it.each(applicationStatuses.flatMap((from) => changes.map((change) => [from, change] as const)))(
    'from %s by %s',
    async (from, change) => {
      const payload = { applicationName: 'Acme' };
      const { data } = (await server.call('POST', '/api/v1/applications', { payload })).json();
      for (const before of ways[from]) await operate(data.applicationId, before);
      const isAllowed = statusChanges[change].from.some((allowed) => allowed === from);
      expect((await operate(data.applicationId, change)).statusCode).toBe(isAllowed ? 200 : 409);
      const seen = (await server.operate('GET', `/applications/${data.applicationId}`)).json();
      expect(seen.status).toBe(isAllowed ? statusChanges[change].to : from);
    },
  );
});
