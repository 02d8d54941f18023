import { expect, test } from '@jest/globals';
import { OfferedEngines, type EngineSlot } from './offered-engines.js';

const device = { uid: 'GPU-a', engines: 'cuda,webgpu' } as Parameters<OfferedEngines['hear']>[0];

/** A slot whose child is ready with this engine; null: no engine works there. */
class FakeSlot implements EngineSlot {
  retired = false;
  constructor(public engine: string | null) {}
  get isUnusable(): boolean {
    return this.engine === null;
  }
  retire(): void {
    this.retired = true;
  }
}

test('the newest word counts: another engine, or none', () => {
  const engines = new OfferedEngines();
  const slot = new FakeSlot('cuda');
  expect(engines.of(device.uid)).toBeNull();
  for (const engine of ['cuda', 'webgpu', null, 'cuda']) {
    slot.engine = engine;
    engines.hear(device, slot, []);
    expect(engines.of(device.uid)).toBe(engine);
  }
});

test('while a child is being replaced, the last word stands', () => {
  const engines = new OfferedEngines();
  engines.hear(device, new FakeSlot('cuda'), []);
  engines.hear(device, { engine: null, isUnusable: false, retire: () => undefined }, []);
  expect(engines.of(device.uid)).toBe('cuda');
});

test('the slots of a device agree on the best: a lesser one is not taken beside it, and goes when a better one comes', () => {
  const engines = new OfferedEngines();
  const [lesser, better] = [new FakeSlot('webgpu'), new FakeSlot('cuda')];
  engines.hear(device, lesser, []);
  expect(engines.refusalOf(device, 'cuda', [lesser])).toBeNull();
  engines.hear(device, better, [lesser]);
  expect([engines.of(device.uid), lesser.retired, better.retired]).toEqual(['cuda', true, false]);
  expect(engines.refusalOf(device, 'webgpu', [better])).toMatch(/webgpu where another slot .* cuda/);
});

test('one slot without an engine does not take it from the others', () => {
  const engines = new OfferedEngines();
  const good = new FakeSlot('cuda');
  engines.hear(device, good, []);
  engines.hear(device, new FakeSlot(null), [good]);
  expect(engines.of(device.uid)).toBe('cuda');
});
