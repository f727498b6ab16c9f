import { describe, expect, it } from 'vitest';
import {
  type ApplicationAction,
  type ApplicationStatus,
  applicationActions,
  applicationStatuses,
} from '../../../src/modules/applications/application-status.ts';
import { useApp } from '../../support/app.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });

const actions = Object.keys(applicationActions) as ApplicationAction[];
const ways: Record<ApplicationStatus, ApplicationAction[]> = {
  PENDING: [],
  ACTIVE: ['approve'],
  SUSPENDED: ['approve', 'suspend'],
};
const operate = (id: string, what: ApplicationAction) =>
  server.operate('POST', `/applications/${id}/${what}`, { reason: 'a test' });

describe('an application changes as the table says, and not otherwise', () => {
  it.each(applicationStatuses.flatMap((from) => actions.map((action) => [from, action] as const)))(
    'from %s by %s',
    async (from, action) => {
      const payload = { applicationName: 'Acme' };
      const { data } = (await server.call('POST', '/api/v1/applications', { payload })).json();
      for (const before of ways[from]) await operate(data.applicationId, before);
      const isAllowed = applicationActions[action].from.some((allowed) => allowed === from);
      expect((await operate(data.applicationId, action)).statusCode).toBe(isAllowed ? 200 : 409);
      const seen = (await server.operate('GET', `/applications/${data.applicationId}`)).json();
      expect(seen.status).toBe(isAllowed ? applicationActions[action].to : from);
    },
  );
});
