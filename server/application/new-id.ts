import { typeidUnboxed } from 'typeid-js';
import { idPrefix, type Id, type IdNoun } from '@gjm/core/ids.js';

/** A fresh id of a noun: later ids sort after earlier ones, to the millisecond. */
export const newId = <Noun extends IdNoun>(noun: Noun): Id<Noun> =>
  typeidUnboxed(idPrefix[noun]) as unknown as Id<Noun>;
