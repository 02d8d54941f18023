import type { Page, WebSocketRoute } from 'playwright-core';

/** The page's live connection, with hands on it. */
export interface Wire {
  /** Subscriptions that the page holds now, on all its sockets together. */
  open: () => number;
  /** Sockets opened so far. */
  sockets: () => number;
  /** Ends every socket with this code. */
  cut: (code: number) => void;
}

interface Message {
  id?: string;
  type: string;
}

/** Stands between the page and the server's WebSocket. To be called before the page is opened. */
export async function holdWire(page: Page): Promise<Wire> {
  const held = new Map<WebSocketRoute, Set<string>>();
  let opened = 0;
  await page.routeWebSocket('**/graphql', (socket) => {
    const ids = new Set<string>();
    held.set(socket, ids);
    opened += 1;
    const server = socket.connectToServer();
    const note = (text: string | Buffer): void => {
      const { id, type } = JSON.parse(text.toString()) as Message;
      if (id === undefined) return;
      if (type === 'subscribe') ids.add(id);
      if (type === 'complete' || type === 'error') ids.delete(id);
    };
    socket.onMessage((text) => {
      note(text);
      server.send(text);
    });
    server.onMessage((text) => {
      note(text);
      socket.send(text);
    });
    socket.onClose((code, reason) => {
      held.delete(socket);
      void server.close({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
    });
    server.onClose((code, reason) => {
      held.delete(socket);
      void socket.close({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
    });
  });
  return {
    open: () => [...held.values()].reduce((sum, ids) => sum + ids.size, 0),
    sockets: () => opened,
    cut: (code) => {
      for (const socket of [...held.keys()]) {
        held.delete(socket);
        void socket.close({ code, reason: 'cut by the test' });
      }
    },
  };
}
