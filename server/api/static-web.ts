import { join } from 'node:path';
import { Router, type Response } from 'express';
import helmet from 'helmet';
import { createFileServer } from './precompressed.js';

/** Attributes may carry styles (virtual lists place rows so); nothing else that is not in a file of this server runs or loads. */
const contentPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", 'blob:', 'data:'],
    styleSrc: ["'self'"],
    styleSrcAttr: ["'unsafe-inline'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

/** The dashboard's files, and its index page for every path that names no file: routing goes on in the page. */
export function createStaticWeb(folder: string): Router {
  const router = Router();
  router.use(
    helmet({
      contentSecurityPolicy: contentPolicy,
      strictTransportSecurity: false, // for whoever ends TLS in front of this
      referrerPolicy: { policy: 'same-origin' }, // a sign-in link's page tells no other site where it is
    }),
  );
  const assets = createFileServer(join(folder, 'assets'), 'public, max-age=31536000, immutable');
  const files = createFileServer(folder, 'no-cache');
  router.use('/assets', (request, response, next) =>
    assets(request, response, request.path, (error) => next(error ?? { status: 404 })),
  );
  router.use((request, response, next) =>
    isPage(request.path) ? next() : files(request, response, request.path, next),
  );
  router.get('/{*path}', (request, response, next) => {
    if (!isPage(request.path)) return next();
    files(request, response, '/index.html', (error) =>
      error || !request.accepts('html') ? next(error) : sayNotBuilt(response),
    );
  });
  return router;
}

/** A path that names no file: routing goes on in the page. */
const isPage = (path: string): boolean => !/\.[^/]*$/.test(path);

const sayNotBuilt = (response: Response): void =>
  void response
    .status(404)
    .type('html')
    .set('cache-control', 'no-store')
    .send('<p>The dashboard is not built here: npm run build makes it. The API is at /graphql.</p>\n');
