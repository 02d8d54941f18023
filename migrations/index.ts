import type { MigrationInterface } from 'typeorm';
import { CreateSchema1700000000000 } from './1700000000000-create-schema.js';
import { AddTraceId1700000001000 } from './1700000001000-add-trace-id.js';
import { AddUserLinks1700000002000 } from './1700000002000-add-user-links.js';
import { DeepenDevices1700000003000 } from './1700000003000-deepen-devices.js';

/** All migrations in order. Never edit one after its release: add the next. */
export const migrations: (new () => MigrationInterface & { name: string })[] = [
  CreateSchema1700000000000,
  AddTraceId1700000001000,
  AddUserLinks1700000002000,
  DeepenDevices1700000003000,
];
