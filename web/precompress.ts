import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Files smaller than this fit into one packet anyway. */
const leastBytes = 1_024;
/** What is text; pictures and fonts are compressed already. */
const isText = (name: string): boolean => /\.(js|css|html|svg|json)$/.test(name);

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `<file>.br` and `<file>.gz` beside each text file of the build: what is sent often is compressed once, as well as can be. */
export const precompress = (): Plugin => ({
  name: 'gjm-precompress',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    await Promise.all(
      Object.values(bundle).map(async (output) => {
        const bytes = Buffer.from(output.type === 'chunk' ? output.code : output.source);
        if (!isText(output.fileName) || bytes.length < leastBytes) return;
        const path = join(dir, output.fileName);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        const [brotli, gzipped] = await Promise.all([
          toBrotli(bytes, { params }),
          toGzip(bytes, { level: 9 }),
        ]);
        await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
      }),
    );
  },
});
