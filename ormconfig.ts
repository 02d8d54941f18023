/** For the migration command: `npx typeorm migration:show -d dist/ormconfig.js`, with DATABASE_URL set. */
import { createDataSource } from '@gjm/server/persistence/data-source.js';

// eslint-disable-next-line no-restricted-properties -- the migration command has no other way in
export default createDataSource(process.env['DATABASE_URL'] ?? 'postgres://localhost/gjm');
