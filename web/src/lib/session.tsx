import {
  createContext,
  createSignal,
  onCleanup,
  onMount,
  untrack,
  useContext,
  type Accessor,
  type ParentProps,
} from 'solid-js';
import {
  createClient,
  isSuccess,
  UnreachableError,
  type Client,
  type FieldProblem,
} from '@gjm/client/index.js';
import type { RegisterInput, ViewerFieldsFragment } from '@gjm/client/generated/graphql.js';
import { createLiveness, type Liveness } from './liveness.js';
import { onReturn } from './return.js';
import { observingClock } from './server-clock.js';
import type { Brought } from './sign-in-fragment.js';

export type Viewer = ViewerFieldsFragment;

/** Who sits in front of the page, as far as is known. `note` is what the sign-in page should say. */
type Standing =
  | { is: 'starting' }
  | { is: 'out'; note: string | null }
  | { is: 'unreachable' }
  | { is: 'in'; viewer: Viewer };

/** Why one was not let in; `fields` says what of the form it is about. */
export interface Refused {
  message: string;
  fields: readonly FieldProblem[];
}

export interface SessionContext {
  client: Client;
  standing: Accessor<Standing>;
  liveness: Accessor<Liveness>;
  /** An invite that the page's address brought. */
  invite: string | null;
  /** Enters with e-mail and password; resolves to null when one is in. */
  signIn: (email: string, password: string) => Promise<Refused | null>;
  /** Makes an account and enters with it. */
  register: (input: RegisterInput) => Promise<Refused | null>;
  /** Sets a password; `current` is null when there was none. All other sessions of this person end. */
  changePassword: (current: string | null, wanted: string) => Promise<Refused | null>;
  signOut: () => Promise<void>;
  /** Tries once more to find out who one is. */
  start: () => Promise<void>;
}

const Context = createContext<SessionContext>();

export function useSession(): SessionContext {
  const context = useContext(Context);
  if (!context) throw new Error('There is no session around this component.');
  return context;
}

/** A sign-in's answer, or another way to learn who one is. */
type Answer = Awaited<ReturnType<Client['login']>>;

const noteOf = (answer: Answer): string | null => ('message' in answer ? answer.message : null);

/** Why an answer was no success, or could not be had; null when `take` took it. */
async function refusalOf(
  ask: () => Promise<Answer>,
  take: (answer: Answer) => boolean,
): Promise<Refused | null> {
  try {
    const answer = await ask();
    if (take(answer)) return null;
    return { message: noteOf(answer) ?? '', fields: 'fields' in answer ? answer.fields : [] };
  } catch (error) {
    return { message: (error as Error).message, fields: [] };
  }
}

/** The ways in, and what is known of who came. `link` is the token of a sign-in link. */
function createEntering(client: Client, link: string | null) {
  const [standing, setStanding] = createSignal<Standing>({ is: 'starting' });
  /** True when the answer let one in. */
  const enter = (answer: Answer): boolean => {
    if (!isSuccess(answer)) return false;
    setStanding({ is: 'in', viewer: answer.viewer });
    return true;
  };
  const start = async (): Promise<void> => {
    setStanding({ is: 'starting' });
    try {
      let note: string | null = null;
      if (link !== null) {
        const redeemed = await client.redeemSignInLink(link);
        link = null;
        if (enter(redeemed)) return;
        note = noteOf(redeemed);
      }
      if (!enter(await client.refresh())) setStanding({ is: 'out', note });
    } catch (error) {
      setStanding(
        error instanceof UnreachableError ? { is: 'unreachable' } : { is: 'out', note: String(error) },
      );
    }
  };
  const tryToEnter = (ask: () => Promise<Answer>) => refusalOf(ask, enter);
  return { standing, leave: (note: string | null) => setStanding({ is: 'out', note }), start, tryToEnter };
}

/**
 * The page's one client. The access token lives in memory only; the refresh token in a cookie that scripts can not read. On load a
 * sign-in link is redeemed when there is one, else the cookie is asked.
 */
export function SessionProvider(props: ParentProps<{ brought: Brought }>) {
  const { liveness, setLink } = createLiveness();
  const client = createClient({
    url: location.origin,
    fetch: observingClock((input, init) => fetch(input, init)),
    refreshByCookie: true,
    onTokens: (tokens) => tokens ?? leave('Your session has ended.'),
    onConnection: setLink,
  });
  onCleanup(() => client.close());
  onReturn(() => client.hurry());
  const { signIn: link, invite } = untrack(() => props.brought);
  const { standing, leave, start, tryToEnter } = createEntering(client, link);
  const context: SessionContext = {
    client,
    standing,
    liveness,
    invite,
    signIn: (email, password) => tryToEnter(() => client.login({ email, password })),
    register: (input) => tryToEnter(() => client.register(input)),
    // Whoever is in stays in: only the tokens are others now, and the client keeps them.
    changePassword: (current, wanted) =>
      refusalOf(() => client.changePassword({ current, new: wanted }), isSuccess),
    signOut: async () => {
      await client.logout().catch(() => undefined);
      leave(null);
    },
    start,
  };
  onMount(() => void start());
  return <Context.Provider value={context}>{props.children}</Context.Provider>;
}
