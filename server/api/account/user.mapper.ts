import type { Result } from '@gjm/core/problem.js';
import type { PasswordReset } from '../../application/accounts/reset-password.js';
import type { UserAccount } from '../../application/accounts/user-ports.js';
import { PageInfoType } from '../job/job-connection.type.js';
import { toProblem } from '../problem/problem.mapper.js';
import { writeUserCursor } from './user-page.js';
import {
  ResetPasswordSuccess,
  UpdateUserSuccess,
  UserAccountConnectionType,
  UserAccountEdgeType,
  UserAccountType,
} from './user.type.js';

const toUserAccount = ({ isDisabled, ...account }: UserAccount): UserAccountType =>
  Object.assign(new UserAccountType(), account, { disabled: isDisabled });

/** A page of accounts; `rows` may hold one more than `limit`, which tells that there is a next page. */
export function toUserConnection(
  rows: UserAccount[],
  page: { limit: number; after: string | null; text: string | null },
): UserAccountConnectionType {
  const edges = rows.slice(0, page.limit).map((row) =>
    Object.assign(new UserAccountEdgeType(), {
      cursor: writeUserCursor(row.id, page.text),
      node: toUserAccount(row),
    }),
  );
  return Object.assign(new UserAccountConnectionType(), {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: Object.assign(new PageInfoType(), {
      hasNextPage: rows.length > page.limit,
      hasPreviousPage: page.after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    }),
  });
}

export const toUserUpdate = (result: Result<UserAccount>): object =>
  result.ok
    ? Object.assign(new UpdateUserSuccess(), { user: toUserAccount(result.value) })
    : toProblem(result.problem);

export const toPasswordReset = (result: Result<PasswordReset>): object =>
  result.ok ? Object.assign(new ResetPasswordSuccess(), result.value) : toProblem(result.problem);
