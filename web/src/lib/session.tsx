import {
  createContext,
  createSignal,
  onCleanup,
  onMount,
  useContext,
  type Accessor,
  type ParentProps,
} from 'solid-js';
import {
  createClient,
  isSuccess,
  UnreachableError,
  type Client,
  type ConnectionState,
} from '@gjm/client/index.js';
import type { ViewerFieldsFragment } from '@gjm/client/generated/graphql.js';
import { observingClock } from './server-clock.js';

export type Viewer = ViewerFieldsFragment;

/** Who sits in front of the page, as far as is known. `note` is what the sign-in page should say. */
export type Standing =
  | { is: 'starting' }
  | { is: 'out'; note: string | null }
  | { is: 'unreachable' }
  | { is: 'in'; viewer: Viewer };

/** Whether the page shows the present, and since when (ms, the reader's clock). */
export interface Liveness {
  state: ConnectionState | null;
  since: number;
}

export interface SessionContext {
  client: Client;
  standing: Accessor<Standing>;
  liveness: Accessor<Liveness>;
  /** Enters with e-mail and password; resolves to a sentence when it was refused. */
  signIn: (email: string, password: string) => Promise<string | null>;
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

/**
 * The page's one client. The access token lives in memory only; the refresh token in a cookie that scripts can not read. On load a
 * sign-in link is redeemed when there is one, else the cookie is asked.
 */
export function SessionProvider(props: ParentProps<{ signInToken: string | null }>) {
  const [standing, setStanding] = createSignal<Standing>({ is: 'starting' });
  const [liveness, setLiveness] = createSignal<Liveness>({ state: null, since: Date.now() });
  const client = createClient({
    url: location.origin,
    fetch: observingClock((input, init) => fetch(input, init)),
    refreshByCookie: true,
    onTokens: (tokens) => tokens ?? setStanding({ is: 'out', note: 'Your session has ended.' }),
    onConnection: (state) => setLiveness({ state, since: Date.now() }),
  });
  onCleanup(() => client.close());

  /** True when the answer let one in. */
  const enter = (answer: Answer): boolean => {
    if (!isSuccess(answer)) return false;
    setStanding({ is: 'in', viewer: answer.viewer });
    return true;
  };
  let link = props.signInToken;

  const start = async (): Promise<void> => {
    setStanding({ is: 'starting' });
    try {
      let note: string | null = null;
      if (link !== null) {
        const redeemed = await client.redeemSignInLink(link);
        link = null;
        if (enter(redeemed)) return;
        note = 'message' in redeemed ? redeemed.message : null;
      }
      if (!enter(await client.refresh())) setStanding({ is: 'out', note });
    } catch (error) {
      setStanding(
        error instanceof UnreachableError ? { is: 'unreachable' } : { is: 'out', note: String(error) },
      );
    }
  };

  const signIn = async (email: string, password: string): Promise<string | null> => {
    try {
      const answer = await client.login({ email, password });
      return enter(answer) || !('message' in answer) ? null : answer.message;
    } catch (error) {
      return (error as Error).message;
    }
  };

  const signOut = async (): Promise<void> => {
    await client.logout().catch(() => undefined);
    setStanding({ is: 'out', note: null });
  };

  onMount(() => void start());
  return (
    <Context.Provider value={{ client, standing, liveness, signIn, signOut, start }}>
      {props.children}
    </Context.Provider>
  );
}
