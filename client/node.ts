/** The SDK for Node: {@link createClient} with a WebSocket of its own, and transfers from and to files. */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import WebSocket from 'ws';
import { createParts, type Client, type ClientOptions } from './client.js';
import type { DownloadOptions } from './download.js';
import type { StoredFile } from './stored-file.js';
import type { Digest } from './sha256.js';
import { newRequestId } from './submit.js';
import type { Upload } from './upload.js';

export * from './index.js';

export interface NodeClient extends Client {
  /** Streams a file; `name` defaults to the file's own. */
  uploadFile(
    path: string,
    options?: { name?: string; mediaType?: string; signal?: AbortSignal },
  ): Promise<Upload>;
  /** Writes beside the destination under another name and renames once size and SHA-256 are right: it is whole or not there. */
  downloadArtifact(artifact: StoredFile, destinationPath: string, options?: DownloadOptions): Promise<void>;
}

/** How long a handshake and a good-bye may take, in ms; a peer that is gone answers neither. */
const limits = { handshakeTimeout: 10_000, closeTimeout: 2_000 };

/**
 * graphql-ws takes its listeners off a socket it terminates. `ws` then reports a handshake that was cut short as an error event, and an
 * error event without a listener ends the process.
 */
class LiveSocket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols, limits);
    this.on('error', () => undefined);
  }
}

function nodeDigest(): Digest {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
}

/** Returns only when the bytes are on the disk under their own name. */
async function saveAs(destinationPath: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(destinationPath), { recursive: true });
  const part = `${destinationPath}.${newRequestId().slice(0, 8)}.part`;
  try {
    const file = await open(part, 'wx');
    try {
      for await (const piece of bytes) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, destinationPath);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** As in `index.ts`, with a WebSocket for Node 20 and file transfers. */
export function createClient(options: ClientOptions): NodeClient {
  const { client, download, transfers } = createParts({
    webSocketImpl: LiveSocket,
    ...options,
    // A program should be able to end as soon as its last watch did.
    live: { lingerMs: 0, ...options.live },
  });
  // Each request, transfer and watch listens for the close; Node takes more than ten listeners for a leak.
  setMaxListeners(0, transfers.closed);
  return {
    ...client,
    uploadFile: async (path, { name, mediaType, signal } = {}) =>
      client.upload({
        name: name ?? basename(path),
        source: () => createReadStream(path) as AsyncIterable<Uint8Array>,
        bytes: (await stat(path)).size,
        mediaType,
        signal,
      }),
    downloadArtifact: (artifact, destinationPath, downloadOptions) =>
      saveAs(destinationPath, download(artifact, nodeDigest(), downloadOptions)),
  };
}
