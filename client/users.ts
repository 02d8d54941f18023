import {
  HasPasswordDocument,
  ResetPasswordDocument,
  UpdateUserDocument,
  UsersDocument,
  type ResetPasswordMutation,
  type UpdateUserInput,
  type UpdateUserMutation,
  type UserAccountFieldsFragment,
} from './generated/graphql.js';
import type { Request, RequestOptions } from './request.js';

/** Accounts: one's own, and for an ADMIN everybody's. */
export interface Users {
  /** Whether who is signed in has a password; null when nobody is. */
  hasPassword(options?: RequestOptions): Promise<boolean | null>;
  /** Every account that one may see, newest first, page by page as the loop asks for them. */
  eachUser(
    text?: string | null,
    options?: RequestOptions,
  ): AsyncGenerator<UserAccountFieldsFragment, void, void>;
  /** For an ADMIN: the role, or whether the account is disabled. */
  updateUser(input: UpdateUserInput): Promise<UpdateUserMutation['updateUser']>;
  /** For an ADMIN: takes the password away and gives a one-time sign-in link's token. */
  resetPassword(userId: string): Promise<ResetPasswordMutation['resetPassword']>;
}

export function makeUsers(request: Request): Users {
  return {
    hasPassword: async (options) =>
      (await request(HasPasswordDocument, {}, options)).viewer?.hasPassword ?? null,
    async *eachUser(text = null, options) {
      for (let after: string | null = null; ;) {
        const page: { nodes: UserAccountFieldsFragment[]; pageInfo: { endCursor: string | null } } = (
          await request(UsersDocument, { first: 100, after, text }, options)
        ).users;
        yield* page.nodes;
        const { endCursor } = page.pageInfo;
        // The end of the last page, or a cursor that does not move, would read the same page for ever.
        if (page.nodes.length < 100 || endCursor === null || endCursor === after) return;
        after = endCursor;
      }
    },
    updateUser: async (input) => (await request(UpdateUserDocument, { input })).updateUser,
    resetPassword: async (userId) => (await request(ResetPasswordDocument, { userId })).resetPassword,
  };
}
