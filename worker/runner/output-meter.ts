/**
 * Counts what this process writes to its two pipes and knows when the pipes have taken all of it. The supervisor compares the counts with
 * what it has read, so that no output is lost behind the message that ends an attempt.
 */
export interface OutputMeter {
  written(): { stdoutBytes: number; stderrBytes: number };
  /** Writes to stdout and waits until the pipe has taken it, so that it is out even if the process ends the next moment. */
  print(output: string | Uint8Array): Promise<void>;
  /** Resolves when both pipes have taken everything written so far. It waits as long as the supervisor does not read. */
  drained(): Promise<void>;
}

/** Wraps `write` of both streams; call it once per process, before anything prints. */
export function meterOutput(
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): OutputMeter {
  const counts = [countWrites(stdout), countWrites(stderr)] as const;
  return {
    written: () => ({ stdoutBytes: counts[0](), stderrBytes: counts[1]() }),
    print: (output) =>
      new Promise((resolve) => {
        // A failed write is heard as the stream's error, which ends the process.
        stdout.write(output, () => {
          resolve();
        });
      }),
    async drained() {
      await Promise.all([flush(stdout), flush(stderr)]);
    },
  };
}

function countWrites(stream: NodeJS.WriteStream): () => number {
  let bytes = 0;
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  const counted = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8';
    bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
    return write(chunk, ...rest);
  };
  stream.write = counted;
  return () => bytes;
}

/** Writes end in the order in which they were made, so an empty one ends after all others. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}
