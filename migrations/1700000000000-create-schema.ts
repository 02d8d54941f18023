import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ids are TypeIDs as text under collation C (byte order = creation order). Times that a cursor looks at are timestamptz(3): JavaScript
 * dates have milliseconds. `jobs` has fillfactor 80 and no index on what changes with each report, so that progress is a HOT update.
 */
const up = `
CREATE TABLE installation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id text NOT NULL,
  artifact_marker text,
  expirer_passed_at timestamptz(3)
);

CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('ADMIN', 'USER')),
  password_hash text,
  disabled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  current_hash text NOT NULL,
  previous_hash text,
  rotated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CREATE TABLE one_time_tokens (
  hash text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('INVITE', 'SIGN_IN')),
  role text NOT NULL CHECK (role IN ('ADMIN', 'USER')),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);

CREATE TABLE worker_tokens (
  hash text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  revoked_at timestamptz(3)
);

CREATE TABLE uploads (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  declared_media_type text,
  declared_bytes bigint,
  declared_sha256 text,
  sniffed_type text,
  bytes bigint,
  sha256 text,
  storage_key text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz(3),
  last_used_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX uploads_last_used_at_idx ON uploads (last_used_at);
CREATE INDEX uploads_owner_id_idx ON uploads (owner_id);

CREATE TABLE jobs (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES users,
  kind text NOT NULL,
  name text NOT NULL,
  params jsonb NOT NULL,
  labels jsonb NOT NULL,
  priority smallint NOT NULL,
  requested_tier text,
  max_attempts smallint NOT NULL,
  timeout_seconds integer NOT NULL,
  device_selector jsonb NOT NULL,
  client_request_id text,
  request_hash text,
  plan jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  status_reason text,
  failure jsonb,
  progress jsonb,
  tier text,
  engine text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  cancel_requested_at timestamptz(3),
  not_before timestamptz(3),
  counted_failures smallint NOT NULL DEFAULT 0,
  attempt_count integer NOT NULL DEFAULT 0,
  current_attempt_id text COLLATE "C",
  last_sequence integer NOT NULL DEFAULT 0,
  log_bytes bigint NOT NULL DEFAULT 0,
  log_cut boolean NOT NULL DEFAULT false,
  events_pruned boolean NOT NULL DEFAULT false,
  CHECK ((status IN ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (finished_at IS NOT NULL)),
  CHECK (status <> 'RUNNING' OR current_attempt_id IS NOT NULL),
  CHECK (finished_at IS NULL OR current_attempt_id IS NULL)
) WITH (fillfactor = 80);
CREATE INDEX jobs_created_at_idx ON jobs (created_at, id);
CREATE INDEX jobs_owner_created_at_idx ON jobs (owner_id, created_at, id);
-- A job that has not finished sorts behind all that have.
CREATE INDEX jobs_finished_at_idx ON jobs (coalesce(finished_at, 'infinity'::timestamptz), id);
CREATE INDEX jobs_unpruned_idx ON jobs (finished_at) WHERE finished_at IS NOT NULL AND NOT events_pruned;
CREATE INDEX jobs_priority_idx ON jobs (priority, id);
CREATE INDEX jobs_queued_idx ON jobs (priority DESC, created_at, id) WHERE status = 'QUEUED' AND current_attempt_id IS NULL;
CREATE INDEX jobs_living_idx ON jobs (created_at, id) WHERE status IN ('QUEUED', 'RUNNING');
CREATE UNIQUE INDEX jobs_client_request_id_key ON jobs (owner_id, client_request_id) WHERE client_request_id IS NOT NULL;

CREATE TABLE job_inputs (
  job_id text COLLATE "C" NOT NULL REFERENCES jobs ON DELETE CASCADE,
  field text NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  storage_key text NOT NULL,
  PRIMARY KEY (job_id, field)
);
CREATE INDEX job_inputs_file_id_idx ON job_inputs (file_id);

CREATE TABLE workers (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text NOT NULL UNIQUE,
  boot_id text NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  engine_audit jsonb NOT NULL,
  draining boolean NOT NULL DEFAULT false,
  last_seen_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE devices (
  id text COLLATE "C" PRIMARY KEY,
  worker_id text COLLATE "C" NOT NULL REFERENCES workers ON DELETE CASCADE,
  uid text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('GPU', 'MIG', 'SOFTWARE', 'CPU')),
  engines jsonb NOT NULL,
  labels jsonb NOT NULL,
  memory_bytes bigint,
  memory_free_bytes bigint,
  health text NOT NULL,
  health_reason text,
  present boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (worker_id, uid)
);

-- A place on a device for one attempt. A slot is offered only when no attempt has it, none that was lost is still to be swept from it
-- (held_for), and it answers (silent_since).
CREATE TABLE slots (
  device_id text COLLATE "C" NOT NULL REFERENCES devices ON DELETE CASCADE,
  index smallint NOT NULL,
  attempt_id text COLLATE "C",
  held_for text COLLATE "C",
  held_since timestamptz(3),
  silent_since timestamptz(3),
  probe_id text,
  PRIMARY KEY (device_id, index)
) WITH (fillfactor = 50);
CREATE INDEX slots_attempt_id_idx ON slots (attempt_id) WHERE attempt_id IS NOT NULL;

CREATE TABLE attempts (
  id text COLLATE "C" PRIMARY KEY,
  job_id text COLLATE "C" NOT NULL REFERENCES jobs ON DELETE CASCADE,
  number integer NOT NULL,
  worker_id text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('DISPATCHED', 'RUNNING', 'ENDED')),
  engine text NOT NULL,
  tier text,
  token_hash text,
  placed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  enqueued_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  lease_until timestamptz(3),
  run_until timestamptz(3),
  cancel_until timestamptz(3),
  reported_number integer NOT NULL DEFAULT 0,
  extensions smallint NOT NULL DEFAULT 0,
  outcome text CHECK (outcome IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'LOST', 'RELEASED', 'VOID')),
  failure jsonb,
  UNIQUE (job_id, number),
  CHECK ((state = 'ENDED') = (outcome IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX attempts_living_idx ON attempts (worker_id) WHERE state <> 'ENDED';

CREATE TABLE attempt_devices (
  attempt_id text COLLATE "C" NOT NULL REFERENCES attempts ON DELETE CASCADE,
  device_id text COLLATE "C" NOT NULL REFERENCES devices ON DELETE CASCADE,
  slot_index smallint NOT NULL,
  PRIMARY KEY (attempt_id, device_id)
);

CREATE TABLE job_events (
  job_id text COLLATE "C" NOT NULL REFERENCES jobs ON DELETE CASCADE,
  sequence integer NOT NULL,
  attempt integer,
  type text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  data jsonb NOT NULL,
  PRIMARY KEY (job_id, sequence)
);

CREATE TABLE artifacts (
  id text COLLATE "C" PRIMARY KEY,
  job_id text COLLATE "C" NOT NULL REFERENCES jobs ON DELETE CASCADE,
  attempt_id text COLLATE "C" NOT NULL REFERENCES attempts ON DELETE CASCADE,
  attempt_number integer NOT NULL,
  role text NOT NULL CHECK (role IN ('RESULT', 'CHECKPOINT', 'LOG')),
  name text NOT NULL,
  media_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  storage_key text NOT NULL,
  accepted boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (attempt_id, role, name)
);
CREATE INDEX artifacts_job_id_idx ON artifacts (job_id);

CREATE TABLE decisions (
  id text COLLATE "C" PRIMARY KEY,
  job_id text COLLATE "C" NOT NULL REFERENCES jobs ON DELETE CASCADE,
  attempt integer,
  stage text NOT NULL CHECK (stage IN ('planner', 'scheduler', 'executor', 'evaluator')),
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  summary text NOT NULL,
  policy_version text,
  tick_id bigint,
  data jsonb NOT NULL
);
CREATE INDEX decisions_job_id_idx ON decisions (job_id);

CREATE TABLE ticks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  snapshot bytea NOT NULL
);

-- Bytes whose rows are gone: written in the transaction that removed the rows, emptied by a sweeper that tries again.
CREATE TABLE blob_removals (
  storage_key text PRIMARY KEY,
  queued_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0
);
`;

/** The first schema: everything up to running jobs on leased workers. */
export class CreateSchema1700000000000 implements MigrationInterface {
  readonly name = 'CreateSchema1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE blob_removals, ticks, decisions, artifacts, job_events, attempt_devices, attempts, slots, devices, workers, job_inputs,
        jobs, uploads, worker_tokens, one_time_tokens, sessions, users, installation;
    `);
  }
}
