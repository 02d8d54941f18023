import { beforeAll, describe, expect, test } from '@jest/globals';
import { post, type Answer } from '../support/api.js';
import { firstAnswer } from './live.js';
import { documentOf, idDoors, schema, selectionOf, withId, type IdDoor } from './schema-walk.js';
import { idsOf, lookAtAll, makeWorld, shapeOf, unknownLike, type Belongings, type World } from './world.js';

interface Door {
  /** The other arguments. */
  base?: Record<string, unknown>;
  /** One of A's own ids with which A gets another answer than with an unknown one, and does no harm; null where no id does that yet. */
  control: keyof Belongings | null;
}

/** Every place where an id may be given. A new one fails the first test until it stands here. */
const doors: Record<string, Door> = {
  'Query.node(id)': { control: 'upload' },
  'Query.job(id)': { control: 'doneJob' },
  'Query.jobs(filter.owner)': { control: 'user' },
  'Mutation.cancelJob(input.id)': { control: 'doneJob' },
  'Mutation.deleteJob(input.id)': { control: 'liveJob' },
  // A USER gets one refusal for every id, their own included.
  'Mutation.updateUser(input.id)': { control: null },
  'Mutation.resetPassword(userId)': { control: null },
  'Mutation.drain(input.id)': { control: null },
  'Mutation.undrain(id)': { control: null },
  // Jobs can not depend on others yet: all ids get one refusal.
  'Mutation.submitJob(input.dependsOn.*)': {
    base: { input: { kind: 'diagnostic', params: {} } },
    control: null,
  },
  'Subscription.jobEvents(jobId)': { control: 'liveJob' },
  'Subscription.jobsChanged(filter.owner)': { control: null },
};

let world: World;

beforeAll(async () => {
  world = await makeWorld();
}, 60_000);

function knock(
  door: IdDoor,
  id: string,
  token: string | undefined,
): Promise<Pick<Answer<unknown>, 'status' | 'data' | 'errors'>> {
  const variables = withId(doors[door.name]?.base ?? {}, door.path, id);
  const query = documentOf(door.operation, door.field);
  if (door.operation === 'subscription') return firstAnswer(world.url, token, query, variables);
  return post(world.url, query, { variables, ...(token ? { token } : {}) });
}
const answerOf = async (door: IdDoor, id: string, token?: string) =>
  shapeOf((await knock(door, id, token)) as Answer<unknown>, id);

describe('an id of somebody else', () => {
  test('has a check at every door of the schema', () => {
    expect(idDoors.map(({ name }) => name).sort()).toEqual(Object.keys(doors).sort());
  });

  test.each(idDoors)(
    'answers at $name exactly like an unknown one, for another user and for nobody',
    async (door) => {
      const before = await lookAtAll(world);
      for (const id of idsOf(world.of)) {
        const unknown = unknownLike(id);
        for (const token of [world.b.token, undefined]) {
          const [theirs, nobodys] = await Promise.all([
            answerOf(door, id, token),
            answerOf(door, unknown, token),
          ]);
          expect(theirs).toEqual(nobodys);
          expect(JSON.stringify(theirs)).not.toMatch(/INTERNAL|BUDGET|Canary of A|of A"/);
        }
      }
      expect(await lookAtAll(world)).toEqual(before);
    },
  );

  test.each(idDoors.filter(({ name }) => doors[name]?.control))(
    'is told from an unknown one at $name by its owner alone',
    async (door) => {
      const id = world.of[doors[door.name]?.control as keyof Belongings];
      const own = await answerOf(door, id, world.a.token);
      expect(own).not.toEqual(await answerOf(door, unknownLike(id), world.a.token));
      expect(JSON.stringify(own)).not.toMatch(/INTERNAL|BUDGET/);
    },
  );

  test('is a file of nobody in every param that takes one', async () => {
    const { data } = await post<{
      jobKinds: {
        name: string;
        enabled: boolean;
        paramsSchema: { properties: Record<string, { format?: string; items?: { format: string } }> };
      }[];
    }>(world.url, '{ jobKinds { name enabled paramsSchema } }', { token: world.b.token });
    const kinds = (data?.jobKinds ?? []).filter(({ enabled }) => enabled);
    const fields = kinds.flatMap(({ name, paramsSchema }) =>
      Object.entries(paramsSchema.properties)
        .filter(([, property]) => (property.items ?? property).format === 'gjm-file')
        .map(([field, property]) => ({ kind: name, field, isList: property.items !== undefined })),
    );
    expect(fields.length).toBeGreaterThan(0);
    const submit = documentOf('mutation', schema.getMutationType()!.getFields()['submitJob']!);
    for (const { kind, field, isList } of fields)
      for (const id of [world.of.upload, world.of.openUpload, world.of.artifact]) {
        const send = async (file: string) =>
          shapeOf(
            await post(world.url, submit, {
              variables: { input: { kind, params: { [field]: isList ? [file] : file } } },
              token: world.b.token,
            }),
            file,
          );
        const theirs = await send(id);
        expect(theirs).toEqual(await send(unknownLike(id)));
        expect(JSON.stringify(theirs)).toContain('"code":"VALIDATION"');
      }
  });
});

describe('what another user may read', () => {
  /** Each root query that needs no id, as deep as the budget lets it. */
  const open = Object.values(schema.getQueryType()!.getFields()).filter(
    ({ name }) => name !== 'node' && name !== 'job',
  );

  test.each(open)('holds nothing of A: $name', async (field) => {
    const query = documentOf('query', field, 3);
    const { text, errors } = await post(world.url, query, { token: world.b.token });
    expect(errors).toBeUndefined();
    for (const secret of [...idsOf(world.of), world.a.email]) expect(text).not.toContain(secret);
  });

  test('of their own job leads nowhere else', async () => {
    const { data } = await post<{ submitJob: { job: { id: string } } }>(
      world.url,
      'mutation { submitJob(input: { kind: "diagnostic", params: {}, deviceSelector: { worker: "none such" } }) { ... on SubmitJobSuccess { job { id } } } }',
      { token: world.b.token },
    );
    const id = data?.submitJob.job.id;
    const all = selectionOf(schema.getType('Job')!, 4);
    const { text, errors } = await post(world.url, `query ($id: ID!) { job(id: $id) ${all} }`, {
      variables: { id },
      token: world.b.token,
    });
    expect(errors).toBeUndefined();
    expect(text).toContain(id);
    for (const secret of [...idsOf(world.of), world.a.email]) expect(text).not.toContain(secret);
  });

  test('live never shows a job of A, whatever happens to it', async () => {
    const live = 'subscription { jobsChanged { deletedId job { id name owner { id } } } }';
    const heard = firstAnswer(world.url, world.b.token, live, {}, 1_500);
    const own = firstAnswer(world.url, world.a.token, live, {}, 5_000);
    const { data } = await post<{ submitJob: { job: { id: string } } }>(
      world.url,
      'mutation { submitJob(input: { kind: "diagnostic", params: { steps: 5, stepMs: 60 } }) { ... on SubmitJobSuccess { job { id } } } }',
      { token: world.a.token },
    );
    expect(data?.submitJob.job.id).toMatch(/^job_/);
    expect((await heard).data).toBe('quiet');
    expect((await own).data).not.toBe('quiet');
  });
});
