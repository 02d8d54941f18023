import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';

let bench: ServerBench;

beforeAll(() => {
  bench = new ServerBench(sharedStack());
});

afterAll(() => bench.close());

/** Asked by nobody in particular. */
const registrationOf = async (url: string): Promise<unknown> =>
  (await post(url, '{ registration { mode isFirst } }')).data?.['registration'];

test('strangers learn whether they can make an account, and whether it would be the first', async () => {
  const env = await bench.install();
  const [open = '', invite, closed] = await Promise.all(
    ['open', 'invite', 'closed'].map(async (mode) => {
      const [url] = await bench.startMany(1, { ...env, GJM_REGISTRATION: mode });
      return url ?? '';
    }),
  );
  expect(await registrationOf(open)).toEqual({ mode: 'OPEN', isFirst: true });
  await signUp(open);
  expect(await Promise.all([open, invite, closed].map((url) => registrationOf(url ?? '')))).toEqual([
    { mode: 'OPEN', isFirst: false },
    { mode: 'INVITE', isFirst: false },
    { mode: 'CLOSED', isFirst: false },
  ]);
});

test('a user’s own id leads to them; another’s leads an ADMIN there and nobody else', async () => {
  const [url = ''] = await bench.startMany(1, await bench.install());
  const [admin, user] = [await signUp(url), await signUp(url)];
  const nodeOf = async (id: string, { token }: { token: string }) => {
    const { data } = await post(
      url,
      'query ($id: ID!) { node(id: $id) { id ... on Viewer { email role } } }',
      {
        variables: { id },
        token,
      },
    );
    return data?.['node'];
  };
  const asSeen = { id: user.id, email: user.email, role: 'USER' };
  expect(await nodeOf(user.id, user)).toEqual(asSeen);
  expect(await nodeOf(user.id, admin)).toEqual(asSeen);
  expect(await nodeOf(admin.id, user)).toBeNull();
  expect(await nodeOf(`usr_0${'7'.repeat(25)}`, admin)).toBeNull();
});
