import type { Dawn } from './dawn.js';

/** Dawn's backend: Vulkan is what GPUs of all makers have on Linux. */
export const vulkan = 'backend=vulkan';

/** An adapter as Dawn lists it. */
export interface ListedAdapter {
  name: string;
  /** How many adapters have this name: they can not be told apart. */
  count: number;
  /** It computes on the CPU. */
  isSoftware: boolean;
  /** The driver's own words, such as its version. */
  description: string;
}

/**
 * All Vulkan adapters that Dawn accepts, in its order. There is no call for that: the error about a name that nobody has lists those that are
 * there.
 */
export async function listAdapters(dawn: Dawn): Promise<ListedAdapter[]> {
  const names = await listNames(dawn);
  const listed: ListedAdapter[] = [];
  for (const name of new Set(names)) {
    const adapter = await dawn.create([vulkan, `adapter=${name}`]).requestAdapter();
    if (!adapter) continue;
    const { isFallbackAdapter: isSoftware, description } = adapter.info;
    listed.push({ name, count: names.filter((other) => other === name).length, isSoftware, description });
  }
  return listed;
}

async function listNames(dawn: Dawn): Promise<string[]> {
  try {
    // Without any driver there is no list, and no error either.
    await dawn.create([vulkan, 'adapter=no adapter has this name']).requestAdapter();
    return [];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [...text.matchAll(/^ \* backend: 'vulkan', name: '(.+)'$/gm)].map(([, name = '']) => name);
  }
}
