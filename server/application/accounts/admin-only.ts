import { refusal } from '@gjm/core/problem.js';

/** What a USER is told at the doors of an ADMIN. */
export const adminOnly = refusal({
  type: 'ForbiddenProblem',
  code: 'FORBIDDEN',
  message: 'Only an ADMIN may do this.',
});
