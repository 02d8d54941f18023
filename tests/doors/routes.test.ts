import { beforeAll, describe, expect, test } from '@jest/globals';
import { createSite } from '@gjm/server/api/create-listener.js';
import { sharedStack } from '../support/environment.js';
import { signUp } from '../support/sign-in.js';

const { url } = sharedStack();
let token: string;

beforeAll(async () => {
  ({ token } = await signUp(url));
});

/** Who may come in without a token, at each route of the site. A new route fails the first test until it stands here. */
const routes: Record<string, 'anyone' | 'local or ADMIN'> = {
  'get /livez': 'anyone',
  'get /readyz': 'anyone',
  'get /health': 'anyone',
  'get /metrics': 'local or ADMIN',
  'get /{*path}': 'anyone',
};

interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean> };
  handle: { stack?: Layer[] };
}

/** Every route of Express and of the routers in it. */
const routesOf = (layers: Layer[]): string[] =>
  layers.flatMap(({ route, handle }) =>
    route
      ? [route.path].flat().flatMap((path) => Object.keys(route.methods).map((method) => `${method} ${path}`))
      : routesOf(handle.stack ?? []),
  );

const pass = (_request: unknown, _response: unknown, next: () => void): void => next();
const nothing = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

describe('a route of the site', () => {
  test('has a check', () => {
    const site = createSite({
      graphql: { handlers: [pass], stop: async () => {} },
      health: async () => ({ ok: true, version: '', checks: [] }),
      metrics: (_request, response) => void response.end(),
      webDir: '/nowhere',
      logger: nothing,
    });
    const { stack } = (site as unknown as { router: { stack: Layer[] } }).router;
    expect(routesOf(stack).sort()).toEqual(Object.keys(routes).sort());
  });

  test.each(Object.entries(routes))('%s is open to %s', async (route, who) => {
    const path = route.split(' ')[1]?.replace('{*path}', 'jobs') ?? '';
    const proxied = { 'x-forwarded-for': '203.0.113.9' };
    const statusOf = async (headers: Record<string, string>) => (await fetch(url + path, { headers })).status;
    expect(await statusOf({})).toBe(200);
    expect(await statusOf(proxied)).toBe(who === 'anyone' ? 200 : 401);
    expect(await statusOf({ ...proxied, authorization: `Bearer ${token}` })).toBe(
      who === 'anyone' ? 200 : 403,
    );
  });

  test.each([
    '/%',
    '/%c0%ae',
    '/assets/%00',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/.env',
    '/livez/',
    '/metrics/../x.y',
    '//evil.example',
    '/a'.repeat(3_000),
  ])('that is odd is no fault: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const response = await fetch(url + path, { method });
      expect([method, response.status < 500]).toEqual([method, true]);
      expect(await response.text()).not.toMatch(/workspaces|\bat .+:\d+:\d+/);
    }
  });
});
