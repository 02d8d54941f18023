import type { ChildProcess } from 'node:child_process';

/** The part of Node's IPC channel handle that reads. It is not public, so all of it is optional here. */
interface ChannelHandle {
  onread?: (...args: unknown[]) => unknown;
}

/**
 * Node parses what arrives on an IPC channel inside a native callback: bytes that are no JSON throw there, as an uncaught exception of the
 * parent. One broken child must not end the supervisor with all its other children, so the throw is caught here, for this child alone. On
 * a Node whose handle lies elsewhere this guards nothing (the test beside it would fail).
 */
export function guardChannel(child: ChildProcess, onGarbage: (error: unknown) => void): void {
  const key = Object.getOwnPropertySymbols(child).find((symbol) => symbol.description === 'kChannelHandle');
  const handle = key && (child as unknown as Record<symbol, ChannelHandle | null>)[key];
  const read = handle?.onread;
  if (!handle || !read) return;
  handle.onread = function guarded(this: unknown, ...args: unknown[]) {
    try {
      return read.apply(this, args);
    } catch (error) {
      onGarbage(error);
      return undefined;
    }
  };
}
