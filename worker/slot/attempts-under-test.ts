import { join } from 'node:path';
import { pino } from 'pino';
import type { ClaimAnswer } from '@gjm/core/wire/worker-api.js';
import { RunningClock } from '../running-clock.js';
import { ServerLink } from '../server-link.js';
import { FixtureRunners } from '../testing/fixture-runners.js';
import { until } from '../testing/until.js';
import { startWireServer, type WireServer } from '../testing/wire-server.js';
import { LivingAttempts } from './living-attempts.js';
import { Slot, type SlotOptions } from './slot.js';
import { type MessageContext, takeMessage } from './take-message.js';

/** A slot whose attempts are claimed from, and finished at, a server over real HTTP. For tests only. */
export class AttemptsUnderTest {
  readonly runners = new FixtureRunners();
  readonly slot: Slot;
  readonly server: WireServer;
  /** What a test may change before an attempt. */
  readonly context: MessageContext;

  private constructor(server: WireServer, options: Partial<SlotOptions>) {
    this.server = server;
    const log = pino({ level: 'silent' });
    const makeChild = () => this.runners.start('polite');
    this.slot = new Slot({
      ...{ uid: 'cpu-test', index: 0, makeChild, log, onChange: () => undefined },
      ...options,
    });
    this.slot.start();
    this.context = {
      ...{ workerId: () => 'wrk', link: new ServerLink(server.url, 'token'), clock: new RunningClock(), log },
      ...{
        attempts: new LivingAttempts(),
        waiting: new Set<string>(),
        scratch: join(this.runners.folder, 'scratch'),
      },
      ...{ useDevices: () => null, placeFor: () => null },
      ...{ hear: async () => undefined, pokedAtMs: () => 0, addProbe: () => undefined },
      ...{ stopping: new AbortController().signal, onForbidden: () => undefined },
      afterPop: async () => undefined,
    };
  }

  static async open(options: Partial<SlotOptions> = {}): Promise<AttemptsUnderTest> {
    return new AttemptsUnderTest(await startWireServer(), options);
  }

  /** Runs an attempt to its recorded end, as a popped message would. */
  async run(attemptId: string, kind: string, change: Partial<Record<string, unknown>> = {}) {
    const { server, context, slot } = this;
    const claim = {
      ...{
        granted: true,
        jobId: 'job',
        attemptNumber: 1,
        ownerId: 'usr_1',
        kind,
        params: {},
        engine: 'wasm',
      },
      ...{
        tier: null,
        devices: [],
        inputs: [],
        checkpoints: [],
        runMs: 60_000,
        leaseMs: 2_000,
        graceMs: 300,
      },
      ...change,
    };
    server.claims.set(attemptId, claim as unknown as ClaimAnswer);
    await takeMessage(context, slot, { type: 'attempt', attemptId, jobId: 'job', traceId: 'trace' });
    if ('forever' in claim.params) context.attempts.stop([attemptId], 'cancel');
    const end = () => server.finishes.find((finish) => finish.attemptId === attemptId);
    await until(() => end() !== undefined, `the end of ${attemptId}`);
    await context.attempts.whenEmpty();
    return end()!;
  }

  async close(): Promise<void> {
    await this.slot.close();
    this.context.clock.close();
    this.context.link.close();
    await this.server.close();
    await this.runners.close();
  }
}
