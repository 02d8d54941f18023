import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP relay before a real service, which a test may take away without touching the service. */
export interface Relay {
  /** The service's URL by way of the relay. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  /** Swallows every byte, both ways: connections look open and nothing comes. */
  silence(): void;
  /** Lets everything through again; what was silenced is cut. */
  restore(): void;
  close(): void;
}

/** Opens a relay to where `url` points. `tap` is made for each connection and sees what its client sends. */
export async function openRelay(url: string, tap?: () => (bytes: Buffer) => void): Promise<Relay> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let mode: 'through' | 'cut' | 'silent' = 'through';
  const server = createServer((near) => {
    if (mode === 'cut') return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    if (tap) near.on('data', tap());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => (mode === 'silent' ? undefined : void to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relayed = new URL(url);
  relayed.port = String((server.address() as AddressInfo).port);
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: relayed.href,
    cut() {
      mode = 'cut';
      cutAll();
    },
    silence: () => void (mode = 'silent'),
    restore() {
      if (mode === 'silent') cutAll();
      mode = 'through';
    },
    close() {
      cutAll();
      server.close();
    },
  };
}
