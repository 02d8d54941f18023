import { CreateSchema1700000000000 } from './1700000000000-create-schema.js';

/** All migrations in order. Never edit one after its release: add the next. */
export const migrations = [CreateSchema1700000000000];
