import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { optionalPackages } from '../../packages-folder.js';

/** What Dawn tells of an adapter. There is no id, no memory size and no place on the bus in it. */
interface AdapterInfo {
  vendor: string;
  architecture: string;
  /** The driver's own words for itself and the device. */
  description: string;
  /** True for one that computes on the CPU. */
  isFallbackAdapter: boolean;
}

export type Adapter = GPUAdapter & { readonly info: AdapterInfo };

export interface Gpu {
  /** Null when no adapter fits; throws, listing the names of all, when none has the name that `create` was given. */
  requestAdapter(options?: GPURequestAdapterOptions): Promise<Adapter | null>;
}

/** The package `webgpu`: Dawn, for Node. */
export interface Dawn {
  version: string;
  /** `flags` such as `backend=vulkan` and `adapter=<part of a name>`. What it gives must be held for as long as a device of it is used. */
  create(flags: string[]): Gpu;
  /** Constructors and constants which a browser has as globals. */
  globals: Record<string, unknown>;
}

/** `reason` ends the codes of the audit: WEBGPU_PKG_ABSENT. */
export type DawnAnswer =
  { ok: true; dawn: Dawn } | { ok: false; reason: 'PKG_ABSENT' | 'ADDON_BROKEN'; message: string };

/** Loads what `npm run setup:webgpu` made. */
export async function loadDawn(): Promise<DawnAnswer> {
  const folder = join(optionalPackages('webgpu') ?? '', 'node_modules', 'webgpu');
  if (!existsSync(join(folder, 'package.json'))) {
    const message = 'Dawn is not set up here: run "npm run setup:webgpu" (docs/engines.md).';
    return { ok: false, reason: 'PKG_ABSENT', message };
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  try {
    const parts = (await import(pathToFileURL(join(folder, 'index.js')).href)) as Omit<Dawn, 'version'>;
    return { ok: true, dawn: { version, create: parts.create, globals: parts.globals } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Dawn does not load on this system, which must have glibc 2.34 and libstdc++ 12 or newer. ${why}`;
    return { ok: false, reason: 'ADDON_BROKEN', message };
  }
}
