import type { CreationRow } from './store.ts';

/** Where a reset stands. It says nothing of whose it is: anybody can begin one. */
export interface PasswordReset {
  session: string;
  status: CreationRow['status'];
  validated: boolean;
  expiresAt: Date;
}

export const resetState = (session: string, { status, expiresAt }: CreationRow): PasswordReset => ({
  session,
  status,
  validated: status !== 'STARTED',
  expiresAt,
});
