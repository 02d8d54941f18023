/** Who asks. */
export interface Viewer {
  id: string;
  email: string;
  name: string;
  role: 'ADMIN' | 'USER';
}

export type Action = 'read' | 'cancel' | 'delete' | 'use';

/** Something that belongs to a user. */
export interface Owned {
  ownerId: string;
}

/**
 * The one answer to "may they?", asked by every door: queries, nested fields, subscriptions (each event), files. A no must look exactly
 * like an unknown id.
 */
export function isAllowed(viewer: Viewer | null, _action: Action, resource: Owned): boolean {
  return viewer !== null && (viewer.role === 'ADMIN' || viewer.id === resource.ownerId);
}

/** The owner a viewer's lists are limited to, or null for everyone's. */
export const ownerScopeOf = (viewer: Viewer): string | null => (viewer.role === 'ADMIN' ? null : viewer.id);
