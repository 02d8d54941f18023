import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';
import { precompress } from './precompress.js';

const root = new URL('..', import.meta.url).pathname;

/**
 * The page is served from `dist/` by the server, under a policy that allows nothing inline: assets stay files, and scripts and styles
 * come from /assets under hashed names that may be cached for ever.
 */
export default defineConfig({
  plugins: [solid(), precompress()],
  resolve: {
    // The rooms' sources rather than their compiled output, so that the page can be built before or beside them.
    alias: [{ find: /^@gjm\/(client|core)\/(.*)\.js$/, replacement: `${root}$1/$2.ts` }],
  },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, cssMinify: true },
  server: {
    proxy: { '/graphql': { target: 'http://127.0.0.1:4000', ws: true }, '/files': 'http://127.0.0.1:4000' },
  },
});
