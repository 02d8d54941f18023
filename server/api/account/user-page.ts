import { badInput } from '@gjm/core/errors.js';
import { parseId } from '@gjm/core/ids.js';
import { cleanText } from '@gjm/core/text/clean.js';
import type { UserPage } from '../../application/accounts/user-ports.js';

const defaultPage = 25;
const maxPage = 100;

/** Arguments of `users` as they arrive. */
interface UserPageArguments {
  first: number | null;
  after: string | null;
  text: string | null;
}

/** A page request, or BAD_USER_INPUT. A cursor belongs to one text: with another one it is refused. */
export function toUserPage({ first, after, text: given }: UserPageArguments): Omit<UserPage, 'ownerScope'> {
  if (first !== null && (first < 1 || first > maxPage)) throw badInput(`first must be 1 to ${maxPage}.`);
  const text = given ? cleanText(given, 200) : null;
  return { text, limit: first ?? defaultPage, after: after === null ? null : readUserCursor(after, text) };
}

/** Opaque to clients: the text of the list and the id of one row. */
export const writeUserCursor = (id: string, text: string | null): string =>
  Buffer.from(JSON.stringify([1, 'users', text, id])).toString('base64url');

function readUserCursor(cursor: string, text: string | null): string {
  const [version, list, cursorText, userId] = decode(cursor);
  const id = parseId('user', userId);
  if (version !== 1 || list !== 'users' || !id) throw badInput('after: this is not a cursor of this list.');
  if (cursorText !== text) throw badInput('after: this cursor belongs to a list with another text.');
  return id;
}

function decode(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
