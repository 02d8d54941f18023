/** One thing that was looked at. */
export interface HealthCheck {
  name: string;
  ok: boolean;
  message: string | null;
}

/** `ok` is false only when work can not be taken: Postgres away, migrations missing, or draining. A degraded server is still ok. */
export interface HealthReport {
  ok: boolean;
  version: string;
  checks: HealthCheck[];
}
