import { extname } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';

/** What the build compresses, and the media type that a compressed file still has. */
const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};
const typeOf = (path: string): string | undefined => types[extname(path)];

/** The best first: a client that takes several gets the smallest. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

/** Serves the file at `path` of a folder, or calls `next` when there is none. */
export type ServeFile = (request: Request, response: Response, path: string, next: NextFunction) => void;

/**
 * Files of a folder, with `<file>.br` or `<file>.gz` instead where the build made it and the client takes it. Each form has its own ETag.
 * Ranges are of the file as it is.
 */
export function createFileServer(folder: string, cacheControl: string): ServeFile {
  const serverOf = (encoding: string | null, suffix: string) =>
    express.static(folder, {
      index: false,
      redirect: false,
      cacheControl: false,
      setHeaders(response, file) {
        response.setHeader('cache-control', cacheControl);
        const type = typeOf(file.slice(0, file.length - suffix.length));
        if (type) response.setHeader('vary', 'accept-encoding');
        if (type && encoding) {
          response.setHeader('content-type', type);
          response.setHeader('content-encoding', encoding);
        }
      },
    });
  const forms = encodings.map(({ name, suffix }) => ({ name, suffix, serve: serverOf(name, suffix) }));
  const asItIs = { suffix: '', serve: serverOf(null, '') };
  return (request, response, path, next) => {
    const mayBeCompressed = typeOf(path) !== undefined && request.headers.range === undefined;
    const taken = mayBeCompressed ? forms.filter(({ name }) => request.acceptsEncodings(name)) : [];
    serveFirst(request, response, path, [...taken, asItIs], next);
  };
}

type Form = { suffix: string; serve: express.RequestHandler };

function serveFirst(
  request: Request,
  response: Response,
  path: string,
  [form, ...rest]: Form[],
  next: NextFunction,
): void {
  if (!form) return next();
  const { url } = request;
  request.url = path + form.suffix;
  void form.serve(request, response, (error?: unknown) => {
    request.url = url;
    response.removeHeader('content-encoding');
    if ((error as { status?: number } | undefined)?.status === 416) return refuseRange(response);
    if (error) return next(error);
    serveFirst(request, response, path, rest, next);
  });
}

/** A range beyond the file's end, as the door of stored files refuses it. `content-range` was set where the size was known. */
function refuseRange(response: Response): void {
  for (const name of ['etag', 'last-modified', 'content-type']) response.removeHeader(name);
  response.setHeader('cache-control', 'no-store');
  response.writeHead(416, { 'content-length': 0 }).end();
}
