import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';

const TYPE_A = 1;
const NAME_ERROR = 3;
const ANSWER_HEADER = 12;

export interface TestDns {
  /** Where to ask, as dns.Resolver takes it. */
  readonly server: string;
  /** How often it was asked for an IPv4 address. */
  readonly asked: number;
  /** What to answer from now on: the IPv4 addresses of a name, none for a name that does not exist. */
  answer(addresses: (name: string) => readonly string[]): void;
  /** Answers nothing at all from now on. */
  silence(): void;
}

/** A real name server for this test file. */
export function useDns(): TestDns {
  const socket = createSocket('udp4');
  let addresses: ((name: string) => readonly string[]) | undefined;
  let asked = 0;
  socket.on('message', (query, from) => {
    if (addresses === undefined) return;
    const { name, type, question } = readQuestion(query);
    if (type === TYPE_A) asked += 1;
    const found = addresses(name);
    socket.send(reply(query, question, type === TYPE_A ? found : [], found.length > 0), from.port, from.address);
  });
  beforeAll(async () => {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  });
  afterAll(() => void socket.close());
  return {
    get server() {
      return `127.0.0.1:${socket.address().port}`;
    },
    get asked() {
      return asked;
    },
    answer(next) {
      addresses = next;
    },
    silence() {
      addresses = undefined;
    },
  };
}

/** The one question of a query (RFC 1035, 4.1.2). */
function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = ANSWER_HEADER;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), question: query.subarray(ANSWER_HEADER, at + 5) };
}

function reply(query: Buffer, question: Buffer, addresses: readonly string[], exists: boolean): Buffer {
  const header = Buffer.alloc(ANSWER_HEADER);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (exists ? 0 : NAME_ERROR), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, ANSWER_HEADER, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question, ...answers]);
}
