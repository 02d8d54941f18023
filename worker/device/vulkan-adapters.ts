import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { optionalPackages } from '../packages-folder.js';

const answerSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    adapters: z.array(
      z.object({
        name: z.string().min(1),
        count: z.int().min(1),
        isSoftware: z.boolean(),
        description: z.string(),
      }),
    ),
  }),
  /** `code` is one of the audit's. */
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
export type AdaptersAnswer = z.infer<typeof answerSchema>;

export interface AdapterQuestion {
  /** All variables of the process that asks Vulkan; the driver's own among them. */
  env: NodeJS.ProcessEnv;
  /** The main module of that process; by default the one compiled beside this file. */
  module?: string;
  /** Loading a driver on a busy machine takes a second or two; one that needs longer than this is taken for hung, in ms. */
  limitMs?: number;
}

/** Vulkan's loader, without which there is no adapter. */
const loader = 'libvulkan.so.1';

/**
 * Why there is no need to ask, or null: most machines have nothing to ask, and a worker starts faster without a process for that.
 * @param env as the process would have it
 */
export function reasonNotToAsk(env: NodeJS.ProcessEnv): Extract<AdaptersAnswer, { ok: false }> | null {
  if (optionalPackages('webgpu') === null) {
    const message = 'Dawn is not set up here: "npm run setup:webgpu" does that.';
    return { ok: false, code: 'WEBGPU_PKG_ABSENT', message };
  }
  const folders = env['LD_LIBRARY_PATH']?.split(':') ?? [];
  if (folders.some((folder) => existsSync(join(folder, loader))) || isInSystem(loader)) return null;
  return { ok: false, code: 'WEBGPU_NO_ADAPTER', message: `Vulkan is not installed: there is no ${loader}.` };
}

/** Whether the system's index of its libraries has this one; true where there is no such index. */
function isInSystem(library: string): boolean {
  try {
    return readFileSync('/etc/ld.so.cache').includes(`${library}\0`);
  } catch {
    return true;
  }
}

/** Asks Vulkan for its adapters in a process of its own, which costs about 0.2 s of CPU. Never rejects. */
export function askForAdapters({ env, module, limitMs = 20_000 }: AdapterQuestion): Promise<AdaptersAnswer> {
  const main = module ?? fileURLToPath(new URL('./vulkan-list.js', import.meta.url));
  const failed = (message: string): AdaptersAnswer => ({ ok: false, code: 'WEBGPU_PROBE_FAILED', message });
  return new Promise((resolve) => {
    const options = { env, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 2 ** 20 } as const;
    execFile(process.execPath, [main], options, (error, stdout, stderr) => {
      if (error) {
        const how = error.killed ? `it took longer than ${limitMs} ms` : (error.signal ?? error.code);
        const said = stderr.trim().split('\n').at(-1) ?? '';
        return resolve(failed(`Vulkan could not be asked for its adapters: ${how}. ${said}`.trim()));
      }
      try {
        resolve(answerSchema.parse(JSON.parse(stdout)));
      } catch {
        resolve(failed('Vulkan could not be asked for its adapters: the answer makes no sense.'));
      }
    });
  });
}
