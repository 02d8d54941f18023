import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { untilAnswered } from '../link/retry.js';
import { ServerLink } from '../server-link.js';
import { startWireServer, type WireServer } from '../testing/wire-server.js';
import { until } from '../testing/until.js';
import type { NewReportItem } from './report-item.js';
import { ReportSender, type ReportSenderOptions } from './report-sender.js';

const token = 'ab'.repeat(32);
const logItem = (text: string): NewReportItem => ({ type: 'log', stream: 'STDOUT', text, firstLine: 1 });

describe('report sender', () => {
  let server: WireServer;
  let link: ServerLink;
  let folder: string;
  const closing = new Set<() => void>();

  beforeEach(async () => {
    server = await startWireServer();
    link = new ServerLink(server.url, 'gjmw_test');
    folder = mkdtempSync(join(tmpdir(), 'gjm-sender-'));
  });

  afterEach(async () => {
    for (const close of closing) close();
    closing.clear();
    link.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function openSender(options: Partial<ReportSenderOptions> = {}): ReportSender {
    const aborted = new AbortController();
    const { signal } = aborted;
    const sender = new ReportSender({
      send: (items) =>
        untilAnswered(() => link.report({ workerId: 'wrk', attemptId: 'att', token, items }, signal), {
          signal,
        }),
      spillPath: join(folder, 'spill'),
      onStale: () => undefined,
      onPressure: () => undefined,
      ...options,
    });
    closing.add(() => {
      aborted.abort();
      sender.close();
    });
    return sender;
  }

  test('items are numbered from 1 and arrive in order, each once', async () => {
    const sender = openSender();
    for (let i = 1; i <= 3_000; i += 1) sender.add([logItem(`${i}\n`)]);
    await until(() => server.items('att').length === 3_000, 'all items to arrive');
    expect(server.items('att').map((item) => item.number)).toEqual(
      Array.from({ length: 3_000 }, (_, i) => i + 1),
    );
  });

  test('a report whose answer was lost is sent again and stored once', async () => {
    server.loseAnswers('report', 2);
    const sender = openSender();
    sender.add([logItem('a\n'), logItem('b\n')]);
    await until(() => server.calls('report') >= 3, 'the repeats');
    sender.add([logItem('c\n')]);
    await until(() => server.items('att').length === 3, 'the last item');
    expect(server.items('att').map((item) => item.type === 'log' && item.text)).toEqual([
      'a\n',
      'b\n',
      'c\n',
    ]);
  });

  test('the last items of a small attempt are left for its finish', async () => {
    const sender = openSender();
    const rest = await sender.rest([logItem('a\n'), logItem('b\n')]);
    expect(rest.map((item) => item.number)).toEqual([1, 2]);
    expect(server.calls('report')).toBe(0);
  });

  test('a refused token ends sending and is told once', async () => {
    server.refuse('att');
    let told = 0;
    const sender = openSender({ onStale: () => (told += 1) });
    sender.add([logItem('a\n')]);
    await until(() => told === 1, 'the refusal');
    sender.add([logItem('b\n')]);
    expect(await sender.rest([])).toEqual([]);
    expect(server.calls('report')).toBe(1);
  });

  test('what the server can not take waits in a file, presses on its producer when full, and arrives complete', async () => {
    server.isAway = true;
    const pressure: boolean[] = [];
    const sender = openSender({ maxSpillBytes: 2_000_000, onPressure: (isFull) => pressure.push(isFull) });
    const text = `${'x'.repeat(60_000)}\n`;
    let sent = 0;
    while (pressure.length === 0 && sent < 1_000) {
      sender.add([logItem(text)]);
      sent += 1;
    }
    expect(pressure).toEqual([true]);
    // Memory takes 4 MiB, the file 2 MB.
    expect(sent).toBeGreaterThan(95);
    expect(sent).toBeLessThan(120);
    server.isAway = false;
    await until(() => server.items('att').length === sent, 'the backlog');
    expect(pressure).toEqual([true, false]);
    expect(server.items('att').map((item) => item.number)).toEqual(
      Array.from({ length: sent }, (_, i) => i + 1),
    );
    sender.add([logItem('after\n')]);
    await until(() => server.items('att').length === sent + 1, 'an item after the outage');
  });

  test('metrics beyond every bound are dropped and counted, and numbers stay without a gap', async () => {
    server.isAway = true;
    const sender = openSender({ maxSpillBytes: 1_000 });
    for (let i = 0; i < 20_000; i += 1)
      sender.add([{ type: 'metric', name: 'loss', step: i, value: i, special: null }]);
    expect(sender.dropped).toBeGreaterThan(0);
    server.isAway = false;
    const kept = 20_000 - sender.dropped;
    await until(() => server.items('att').length === kept, 'what was kept');
    expect(server.items('att').at(-1)?.number).toBe(kept);
  });
});
