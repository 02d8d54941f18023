import type { Answer } from '../support/api.js';
import { RawSocket } from '../support/raw-socket.js';

/**
 * Begins a subscription on a socket of its own and gives its first message as if it were an answer; `quiet` when none comes for `quietMs`.
 * A list is quiet until something happens; everything else answers.
 */
export async function firstAnswer(
  url: string,
  token: string | undefined,
  query: string,
  variables: object,
  quietMs = query.includes('jobsChanged') ? 300 : 5_000,
): Promise<Pick<Answer<unknown>, 'status' | 'data' | 'errors'>> {
  const socket = new RawSocket(url);
  try {
    await socket.connect(token);
    socket.subscribe('1', query, variables);
    const quiet = new Promise<null>((resolve) => setTimeout(resolve, quietMs, null));
    const message = await Promise.race([socket.next(({ id }) => id === '1'), quiet]);
    if (message?.type === 'error')
      return { status: 0, data: null, errors: message.payload as Answer<unknown>['errors'] };
    return { status: 0, data: message?.payload ?? message?.type ?? 'quiet', errors: undefined };
  } catch (error) {
    return {
      status: (await socket.closed).code,
      data: String((error as Error).message.slice(0, 20)),
      errors: undefined,
    };
  } finally {
    socket.close();
  }
}
