import { type FromRunner, fromRunnerSchema, type ToRunner, toRunnerSchema } from '@gjm/core/wire/ipc.js';

/** The typed form of this process's IPC channel. Both directions are parsed: what does not fit the contract is a bug and ends the process. */
export interface Channel {
  send(message: FromRunner): void;
  /** Resolves when the message has been handed to the operating system, also when the channel is closed by then. */
  sendAndFlush(message: FromRunner): Promise<void>;
  onMessage(handle: (message: ToRunner) => void): void;
}

/** @throws Error when this process was not started with a channel */
export function openChannel(): Channel {
  const send = process.send?.bind(process);
  if (!send) throw new Error('A runner is started by the worker, with a channel to talk through.');
  return {
    send(message) {
      send(fromRunnerSchema.parse(message));
    },
    sendAndFlush: (message) =>
      new Promise((resolve) => {
        send(fromRunnerSchema.parse(message), undefined, undefined, () => {
          resolve();
        });
      }),
    onMessage(handle) {
      process.on('message', (raw) => {
        handle(toRunnerSchema.parse(raw));
      });
    },
  };
}
