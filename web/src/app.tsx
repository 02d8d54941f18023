import { Navigate, Route, Router } from '@solidjs/router';
import { Provider } from '@urql/solid';
import { lazy, Match, Switch, type ParentProps } from 'solid-js';
import { ErrorCard } from './components/error-card.js';
import { Shell } from './components/shell.js';
import { FleetProvider } from './lib/fleet.js';
import { SessionProvider, useSession, type Viewer } from './lib/session.js';
import type { Brought } from './lib/sign-in-fragment.js';
import { makeUrql } from './lib/urql.js';
import { Jobs } from './routes/jobs/jobs.js';
import { SignIn } from './routes/sign-in/sign-in.js';

const Job = lazy(async () => ({ default: (await import('./routes/job/job.js')).Job }));
const Devices = lazy(async () => ({ default: (await import('./routes/devices/devices.js')).Devices }));
const Submit = lazy(async () => ({ default: (await import('./routes/submit/submit.js')).Submit }));

const Nowhere = () => (
  <div class="page none">
    <h1>There is nothing here</h1>
    <p class="dim">The address may be mistyped, or what it named was deleted.</p>
  </div>
);

/** Everything behind the door. The urql client lives as long as one sign-in: nothing of one person is left for the next. */
const Inside = (props: ParentProps<{ viewer: Viewer }>) => {
  const { client } = useSession();
  return (
    <Provider value={makeUrql(client)}>
      <FleetProvider>
        <Shell viewer={props.viewer}>{props.children}</Shell>
      </FleetProvider>
    </Provider>
  );
};

/** Lets in who is known; the address stays, so that a link to a job opens it after the sign-in. */
const Gate = (props: ParentProps) => {
  const { standing, start } = useSession();
  const out = () => {
    const now = standing();
    return now.is === 'out' ? now : null;
  };
  const inside = () => {
    const now = standing();
    return now.is === 'in' ? now : null;
  };
  return (
    <Switch fallback={<p class="sr">Loading</p>}>
      <Match when={inside()}>{(now) => <Inside viewer={now().viewer}>{props.children}</Inside>}</Match>
      <Match when={out()}>{(now) => <SignIn note={now().note} />}</Match>
      <Match when={standing().is === 'unreachable'}>
        <main class="door">
          <ErrorCard
            error={Object.assign(new Error('Nothing answers at this address.'), { name: 'UnreachableError' })}
            retry={() => void start()}
          />
        </main>
      </Match>
    </Switch>
  );
};

export const App = (props: { brought: Brought }) => (
  <SessionProvider brought={props.brought}>
    <Router root={Gate}>
      <Route path="/" component={() => <Navigate href="/jobs" />} />
      <Route path="/jobs" component={Jobs} />
      <Route path="/jobs/:id" component={Job} />
      <Route path="/devices" component={Devices} />
      <Route path="/submit" component={Submit} />
      <Route path="*" component={Nowhere} />
    </Router>
  </SessionProvider>
);
