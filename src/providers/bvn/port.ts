/** What a person says of themselves, to be compared with the register. */
export interface BvnClaim {
  /** Eleven digits. */
  bvn: string;
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD; not compared when absent. */
  dateOfBirth?: string | undefined;
}

export type BvnVerdict = 'verified' | 'not-found' | 'mismatch';

/** The bank verification register. */
export interface BvnProvider {
  /** Compares a person's details with the register. @throws BvnProviderDown when there was no usable answer in time */
  verify(claim: BvnClaim): Promise<BvnVerdict>;
}

/** The register did not answer. Nothing is known, and it is safe to ask again. */
export class BvnProviderDown extends Error {
  override readonly name = 'BvnProviderDown';
}
