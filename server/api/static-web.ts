import { join } from 'node:path';
import express, { Router, type RequestHandler } from 'express';
import helmet from 'helmet';

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
  router.use(
    '/assets',
    express.static(join(folder, 'assets'), {
      immutable: true,
      maxAge: '365d',
      fallthrough: false,
      index: false,
    }),
  );
  router.use(express.static(folder, { index: false }));
  router.get('/{*path}', sendIndex(folder));
  return router;
}

const sendIndex =
  (folder: string): RequestHandler =>
  (request, response, next) => {
    if (/\.[^/]*$/.test(request.path)) return next();
    response.sendFile(
      'index.html',
      { root: folder, cacheControl: false, headers: { 'cache-control': 'no-cache' } },
      (error) => {
        if (error && !response.headersSent) next();
      },
    );
  };
