import { expect, test } from '@jest/globals';
import { isOpen, needsInvite, type Registration } from './registration.js';

test.each<[Registration['mode'], isFirst: boolean, isOpen: boolean, needsInvite: boolean]>([
  ['OPEN', false, true, false],
  ['OPEN', true, true, false],
  ['INVITE', false, true, true],
  ['CLOSED', true, true, true],
  ['CLOSED', false, false, true],
])('%s, first %s: the form is of use %s, with an invite %s', (mode, isFirst, open, invite) => {
  expect([isOpen({ mode, isFirst }), needsInvite({ mode, isFirst })]).toEqual([open, invite]);
});
