import { Column, Entity, Unique } from 'typeorm';
import { BytesColumn, IdColumn, PrimaryIdColumn, StampColumn } from './column.js';

/** A file an attempt made. RESULT rows become the job's when the attempt is accepted. */
@Entity('artifacts')
@Unique(['attemptId', 'role', 'name'])
export class ArtifactEntity {
  @PrimaryIdColumn()
  id!: string;
  @IdColumn({ name: 'job_id' })
  jobId!: string;
  @IdColumn({ name: 'attempt_id' })
  attemptId!: string;
  @Column('integer', { name: 'attempt_number' })
  attemptNumber!: number;
  @Column('text')
  role!: 'RESULT' | 'CHECKPOINT' | 'LOG';
  @Column('text')
  name!: string;
  @Column('text', { name: 'media_type' })
  mediaType!: string;
  @BytesColumn()
  bytes!: number;
  @Column('text')
  sha256!: string;
  @Column('text', { name: 'storage_key' })
  storageKey!: string;
  @Column('boolean', { default: false })
  accepted!: boolean;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
}

export const artifactEntities = [ArtifactEntity];
