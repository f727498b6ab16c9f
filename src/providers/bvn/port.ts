/** What a person says of herself, to be held against the register. */
export interface BvnClaim {
  /** Eleven digits. */
  bvn: string;
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD; absent where the caller did not ask for it. */
  dateOfBirth?: string | undefined;
}

export type BvnVerdict = 'verified' | 'not-found' | 'mismatch';

/** The bank verification register. */
export interface BvnProvider {
  /** @throws BvnProviderDown when no verdict could be had in time */
  verify(claim: BvnClaim): Promise<BvnVerdict>;
}

/** The register did not answer: nothing is known, the request is safe to send again. */
export class BvnProviderDown extends Error {
  override readonly name = 'BvnProviderDown';
}
