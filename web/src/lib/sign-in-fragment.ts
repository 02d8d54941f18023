/** What a link brought in its fragment: a one-time sign-in, or an invite to register with. */
export interface Brought {
  signIn: string | null;
  invite: string | null;
}

const pattern = /^#(sign-in|invite)=([\w.~-]+)$/;

/** Takes the token out of the address at once, so that it stays neither in the history nor on the screen. */
export function takeBrought(location: Location, history: History): Brought {
  const [, what, token] = pattern.exec(location.hash) ?? [];
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return {
    signIn: what === 'sign-in' ? (token ?? null) : null,
    invite: what === 'invite' ? (token ?? null) : null,
  };
}
