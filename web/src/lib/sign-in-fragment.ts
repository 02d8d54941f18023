const pattern = /^#sign-in=([\w.~-]+)$/;

/** Takes the one-time token out of the address at once, so that it stays neither in the history nor on the screen. */
export function takeSignInToken(location: Location, history: History): string | null {
  const token = pattern.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
