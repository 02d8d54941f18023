import type { RegistrationQuery } from '@gjm/client/generated/graphql.js';

/** Whether one can make an account, as the server says it. */
export type Registration = RegistrationQuery['registration'];

/** Whether the form to make an account is of any use. A mode of a newer server is: the server says what it wants. */
export const isOpen = ({ mode, isFirst }: Registration): boolean => mode !== 'CLOSED' || isFirst;

/** Anywhere but behind an open door. */
export const needsInvite = ({ mode }: Registration): boolean => mode !== 'OPEN';
