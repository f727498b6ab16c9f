import type { Client } from './client.ts';
import { OTP_OF_THE_SIMULATOR, PASSWORD, type RemoteCaller, ssoOf } from './remote-login.ts';

export interface RemoteCustomer {
  paytag: string;
  /** Her wallet's reference at the partner. */
  wallet: string;
  /** Credentials of the partner and her token. */
  headers: Record<string, string>;
}

/** Somebody who onboards at a partner and logs in there, all over HTTP. */
export async function remoteCustomer(
  call: Client,
  partner: RemoteCaller,
  given: { paytag: string; bvn: string; firstName: string; phone: string },
): Promise<RemoteCustomer> {
  const { paytag, ...names } = given;
  const sso = ssoOf(call, partner);
  const { session } = (await sso.start({ ...names, lastName: 'Obi', dateOfBirth: '1994-05-17' })).body;
  await sso.sendOtp(session);
  await sso.giveOtp(session, OTP_OF_THE_SIMULATOR);
  await sso.complete(session, { paytag, password: PASSWORD });

  const headers = await sso.customer(paytag);
  const path = `/v2/partner/paytag/bvn/${given.bvn}`;
  const linked = await call<{ Reference: string }>('POST', path, { headers: partner.headers });
  return { paytag, wallet: linked.body.Reference, headers };
}
