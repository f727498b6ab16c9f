import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { hmacSha256, sha256 } from './digest.ts';

/** PostgreSQL's own default, and the least that RFC 7677 allows. */
const ITERATIONS = 4096;
const SALT_BYTES = 16;

/**
 * What PostgreSQL stores of a password (SCRAM-SHA-256, RFC 5802 and 7677), made here: given in place of the password, it
 * lets nobody log in who reads it, so that a statement that the database logs betrays nothing.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = sha256(hmacSha256(salted, 'Client Key'));
  const serverKey = hmacSha256(salted, 'Server Key');
  const [saltText, stored, server] = [salt, storedKey, serverKey].map((bytes) => bytes.toString('base64'));
  return `SCRAM-SHA-256$${ITERATIONS}:${saltText}$${stored}:${server}`;
}
