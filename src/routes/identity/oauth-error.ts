import { errorTable } from '#errors';
import type { FailureMembers } from '#http/failures.ts';
import type { ErrorCode } from '#lib/domain-error.ts';

const codes: Partial<Record<ErrorCode, string>> = {
  INVALID_CLIENT: 'invalid_client',
  APPLICATION_NOT_ACTIVE: 'unauthorized_client',
  INVALID_SCOPE: 'invalid_scope',
  UNSUPPORTED_GRANT_TYPE: 'unsupported_grant_type',
};

/** The members an OAuth client looks for (RFC 6749 5.2), beside those of our own shape. */
export const oauthMembers: FailureMembers = (error) => ({
  error: codes[error.code] ?? (errorTable[error.code].status < 500 ? 'invalid_request' : 'server_error'),
  error_description: error.message,
});
