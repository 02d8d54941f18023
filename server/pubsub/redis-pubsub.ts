import { RedisPubSub } from 'graphql-redis-subscriptions';
import type { Redis } from 'ioredis';
import type { PubSub, Topics } from '../application/ports.js';
import { PatientSubscriber } from './patient-subscriber.js';

/** Wake-ups over Redis pub/sub. `missed` counts those Redis did not take. */
export class RedisWakeUps implements PubSub {
  missed = 0;
  /** Live subscriptions of this process. */
  listeners = 0;
  readonly #engine: RedisPubSub;

  /** `subscriber` must be a connection of its own, which subscribes again by itself when it comes back. */
  constructor(
    private readonly publisher: Redis,
    private readonly subscriber: Redis,
    private readonly prefix: string,
  ) {
    // The library's types want a whole ioredis client; it uses only what is here.
    const patient = new PatientSubscriber(subscriber) as unknown as Redis;
    this.#engine = new RedisPubSub({ publisher, subscriber: patient });
  }

  get isUp(): boolean {
    return this.publisher.status === 'ready' && this.subscriber.status === 'ready';
  }

  onUp(listener: () => void): void {
    this.publisher.on('ready', listener);
    this.subscriber.on('ready', listener);
  }

  publish<Topic extends keyof Topics>(topic: Topic, key: string, payload: Topics[Topic]): void {
    this.#engine.publish(this.#channel(topic, key), payload).catch(() => this.missed++);
  }

  async subscribe<Topic extends keyof Topics>(
    topic: Topic,
    key: string,
    listener: (payload: Topics[Topic]) => void,
  ): Promise<() => void> {
    const id = await this.#engine.subscribe(this.#channel(topic, key), listener);
    this.listeners++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.listeners--;
      this.#engine.unsubscribe(id);
    };
  }

  #channel(topic: string, key: string): string {
    return `${this.prefix}${topic}:${key}`;
  }
}
