import { openRelay, type Relay } from './relay.js';

/** A relay before Postgres that notes each statement its clients run: the name of a prepared one, else its text. */
export interface StatementLog extends Relay {
  statements: string[];
}

/** Opens it to where `databaseUrl` points. */
export async function openStatementLog(databaseUrl: string): Promise<StatementLog> {
  const statements: string[] = [];
  const relay = await openRelay(databaseUrl, () => readStatements((statement) => statements.push(statement)));
  return Object.assign(relay, { statements });
}

/** Reads the messages of a PostgreSQL frontend (protocol 3.0, "Message Formats"): Parse, Bind and simple Query. */
function readStatements(note: (statement: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let hasBegun = false;
  let unnamed = '';
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = hasBegun ? 1 : 0; // the first message has no type byte
      if (rest.length < head + 4 || rest.length < head + rest.readUInt32BE(head)) return;
      const end = head + rest.readUInt32BE(head);
      const type = hasBegun ? String.fromCharCode(rest[0] as number) : '';
      const texts = rest
        .subarray(head + 4, end)
        .toString()
        .split('\0');
      if (type === 'Q') note(texts[0] ?? '');
      if (type === 'P' && texts[0] === '') unnamed = texts[1] ?? '';
      if (type === 'B') note(texts[1] || unnamed); // portal, then statement
      hasBegun = true;
      rest = rest.subarray(end);
    }
  };
}
