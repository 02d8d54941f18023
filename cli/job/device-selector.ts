import { bytesOf, pairOf } from './pairs.js';

const labelPrefix = 'label.';

function put(selector: Record<string, unknown>, key: string, value: string): void {
  if (key.startsWith(labelPrefix)) {
    const labels = (selector['labels'] ??= {}) as Record<string, string>;
    labels[key.slice(labelPrefix.length)] = value;
  } else selector[key] = key === 'minMemoryBytes' ? bytesOf(value) : value;
}

/**
 * The device selector of `--device` options: `gpu`, `cpu`, `name=…`, `worker=…`, `kind=…`, `minMemoryBytes=8GB`, `label.rack=b2`. Null
 * for none. An unknown key goes to the server, whose refusal names it.
 */
export function deviceSelectorOf(wishes: readonly string[]): Record<string, unknown> | null {
  if (wishes.length === 0) return null;
  const selector: Record<string, unknown> = {};
  for (const wish of wishes) {
    if (wish === 'gpu' || wish === 'cpu') put(selector, 'kind', wish);
    else put(selector, ...pairOf(wish, '--device'));
  }
  return selector;
}
