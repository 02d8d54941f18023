import { StackProblem } from './problem.js';
import { Service, type ServiceOptions, type ServicePlan } from './service.js';

/** Workers hand back their jobs to a living server, servers write to living stores. */
const CLOSE_ORDER = ['worker', 'server', 'redis', 'postgres'];

/** The services of one stack by name. */
export class ServiceSet {
  readonly #services = new Map<string, Service>();
  #closing: Promise<void> | undefined;

  constructor(readonly options: ServiceOptions) {}

  /** Adds a service and starts it; fails when it does not become ready. */
  async start(plan: ServicePlan): Promise<void> {
    const service = new Service(plan, this.options);
    this.#services.set(plan.name, service);
    if (this.#closing !== undefined) throw new StackProblem('Stopped before it was ready.');
    await service.start();
  }

  /** The service of this name. Fails with one sentence that lists the names there are. */
  get(name: string): Service {
    const service = this.#services.get(name);
    if (service !== undefined) return service;
    throw new StackProblem(
      `This stack runs no "${name}" of its own; it has: ${[...this.#services.keys()].join(', ')}.`,
    );
  }

  /** Pid of each running service by name. */
  pids(): Record<string, number> {
    const pids: Record<string, number> = {};
    for (const [name, { pid }] of this.#services) if (pid !== undefined) pids[name] = pid;
    return pids;
  }

  /** Stops all: workers, servers, Redis, Postgres; those of one kind at the same time. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Kills all at once. */
  destroy(): void {
    for (const service of this.#services.values()) service.destroy();
  }

  async #close(): Promise<void> {
    for (const kind of CLOSE_ORDER) {
      const ofKind = [...this.#services.values()].filter(
        ({ plan }) => plan.name.replace(/-\d+$/, '') === kind,
      );
      await Promise.all(ofKind.map((service) => service.close()));
    }
  }
}
