import type { Viewer } from '@gjm/core/access/policy.js';
import type { Kind } from '@gjm/core/workload/define.js';

/** Who may submit kinds that run programs: nobody, every user, or those with these addresses (in lower case). */
export type ProgramUsers = 'off' | 'all' | ReadonlySet<string>;

/** Whether the operator gives rights to whoever has this address (in lower case): it must not be had by asking. */
export const isNamedAddress = (email: string, users: ProgramUsers): boolean =>
  typeof users !== 'string' && users.has(email);

/** What the operator allows. */
export interface KindRules {
  diagnosticJobs: boolean;
  programUsers: ProgramUsers;
}

/** Whether this viewer may submit jobs of the kind. */
export function isKindEnabled(kind: Kind, viewer: Viewer | null, rules: KindRules): boolean {
  if (kind.diagnostic && !rules.diagnosticJobs) return false;
  return !kind.runsPrograms || mayRunPrograms(viewer, rules.programUsers);
}

function mayRunPrograms(viewer: Viewer | null, users: ProgramUsers): boolean {
  if (viewer === null || users === 'off') return false;
  return users === 'all' || users.has(viewer.email.toLowerCase());
}
