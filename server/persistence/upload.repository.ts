import { IsNull, type DataSource } from 'typeorm';
import type { SniffedType } from '@gjm/core/workload/define.js';
import type { UploadRecord, UploadRows } from '../application/files/ports.js';
import type { Database, Statement } from './database.js';
import { UploadEntity } from './upload.entity.js';

const touch: Statement = {
  name: 'touch-upload',
  text: `
WITH touched AS (
  UPDATE uploads SET last_used_at = clock_timestamp()
  WHERE id = $1 AND last_used_at < clock_timestamp() - interval '1 hour'
  RETURNING id
)
SELECT id FROM touched UNION ALL SELECT id FROM uploads WHERE id = $1 AND last_used_at >= clock_timestamp() - interval '1 hour'`,
};

/** Uploads in Postgres. */
export function createUploadRows(dataSource: DataSource, database: Database): UploadRows {
  const uploads = dataSource.getRepository(UploadEntity);
  return {
    async insert(upload) {
      await uploads.insert(upload);
      const row = await uploads.findOneBy({ id: upload.id });
      if (!row) throw new Error('The upload was not stored.');
      return recordOf(row);
    },
    async find(id) {
      const row = await uploads.findOneBy({ id });
      return row && recordOf(row);
    },
    async complete(id, facts) {
      const completedAt = () => 'clock_timestamp()';
      const result = await uploads.update(
        { id, completedAt: IsNull() },
        { ...facts, completedAt, lastUsedAt: completedAt },
      );
      return result.affected === 1;
    },
    touch: async (id) => (await database.run(touch, [id])).length > 0,
  };
}

const recordOf = ({ completedAt, sniffedType, ...row }: UploadEntity): UploadRecord => ({
  ...row,
  sniffedType: sniffedType as SniffedType | null,
  isComplete: completedAt !== null,
});
