import { Router, type Response } from 'express';
import type { HealthReport } from '../../application/health.js';

/** `/livez`: the process answers. `/readyz` and `/health`: the Health type as JSON, 503 when this server takes no work. */
export function createHealthRoutes(health: () => Promise<HealthReport>): Router {
  const router = Router();
  const answer = async (response: Response) => {
    const report = await health();
    response
      .status(report.ok ? 200 : 503)
      .set('cache-control', 'no-store')
      .json(report);
  };
  router.get(
    '/livez',
    (_request, response) => void response.set('cache-control', 'no-store').json({ ok: true }),
  );
  router.get(['/readyz', '/health'], (_request, response) => answer(response));
  return router;
}
