import { EventEmitter } from 'node:events';
import { RedisPubSub } from 'graphql-redis-subscriptions';
import type { Redis } from 'ioredis';
import type { PubSub, Topics } from '../application/ports.js';
import { PatientSubscriber } from './patient-subscriber.js';

/**
 * Wake-ups over Redis pub/sub. One that Redis does not take is counted in `missed` and reaches this process only, so that the live lists of a
 * lone server go on while Redis is away.
 */
export class RedisWakeUps implements PubSub {
  missed = 0;
  /** Live subscriptions of this process. */
  listeners = 0;
  readonly #engine: RedisPubSub;
  readonly #here = new EventEmitter().setMaxListeners(0);

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
    const channel = this.#channel(topic, key);
    this.#engine.publish(channel, payload).catch(() => {
      this.missed++;
      this.#here.emit(channel, payload);
    });
  }

  async subscribe<Topic extends keyof Topics>(
    topic: Topic,
    key: string,
    listener: (payload: Topics[Topic]) => void,
  ): Promise<() => void> {
    const channel = this.#channel(topic, key);
    this.#here.on(channel, listener);
    const id = await this.#engine.subscribe(channel, listener).catch((error: unknown) => {
      this.#here.off(channel, listener);
      throw error;
    });
    this.listeners++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.listeners--;
      this.#here.off(channel, listener);
      this.#engine.unsubscribe(id);
    };
  }

  #channel(topic: string, key: string): string {
    return `${this.prefix}${topic}:${key}`;
  }
}
