import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { readName } from '#modules/customers';
import type { Currency } from '#modules/ledger';
import { openWallet } from './open-wallet.ts';
import { insertKycProfile, type KycProfile, selectKycProfile } from './store.ts';
import { getPartnerWallet, type PartnerWalletView } from './wallet-view.ts';

export interface KycNames {
  firstName: string;
  lastName: string;
  otherName?: string | undefined;
}

export interface KycWalletRequest {
  partnerId: string;
  kyc?: KycNames | undefined;
  profileId?: number | undefined;
  currency: Currency;
}

/**
 * Opens another wallet for a KYC profile: the partner's profile `profileId` if it exists, otherwise a new one made of `kyc`.
 *
 * @throws DomainError PROFILE_NOT_FOUND when only a profile was named and it is not this partner's,
 *   INVALID_PARAMETER when neither was given
 */
export async function createKycWallet(
  deps: { transact: Transact; keyring: Keyring; nubanInstitutionCode: string },
  request: KycWalletRequest,
): Promise<PartnerWalletView> {
  return deps.transact(async (tx) => {
    const profile = await profileFor(tx, request);
    const reference = await openWallet(tx, deps, {
      partnerId: request.partnerId,
      currency: request.currency,
      holder: { kycProfileId: profile.id },
    });
    return getPartnerWallet(tx, deps.keyring, { partnerId: request.partnerId, reference });
  });
}

async function profileFor(tx: Tx, { partnerId, kyc, profileId }: KycWalletRequest): Promise<KycProfile> {
  const existing = profileId === undefined ? undefined : await selectKycProfile(tx, partnerId, profileId);
  if (existing !== undefined) return existing;
  if (kyc !== undefined) return insertKycProfile(tx, { partnerId, ...readNames(kyc) });
  if (profileId !== undefined) throw new DomainError('PROFILE_NOT_FOUND', 'there is no such KYC profile');
  throw new DomainError('INVALID_PARAMETER', 'kyc: give kyc {firstName, lastName} or a profileId');
}

const readNames = ({ firstName, lastName, otherName }: KycNames): KycNames => ({
  firstName: readName('kyc.firstName', firstName),
  lastName: readName('kyc.lastName', lastName),
  otherName: otherName === undefined ? undefined : readName('kyc.otherName', otherName),
});
