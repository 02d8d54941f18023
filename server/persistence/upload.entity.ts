import { Column, Entity } from 'typeorm';
import { BytesColumn, IdColumn, PrimaryIdColumn, StampColumn, TimeColumn } from './column.js';

/** A file a user sent or is about to send. It is complete when its bytes are stored, checked and committed (`completed_at`). */
@Entity('uploads')
export class UploadEntity {
  @PrimaryIdColumn()
  id!: string;
  @IdColumn({ name: 'owner_id' })
  ownerId!: string;
  @Column('text')
  name!: string;
  @Column('text', { name: 'declared_media_type', nullable: true })
  declaredMediaType!: string | null;
  @BytesColumn({ name: 'declared_bytes', nullable: true })
  declaredBytes!: number | null;
  @Column('text', { name: 'declared_sha256', nullable: true })
  declaredSha256!: string | null;
  @Column('text', { name: 'sniffed_type', nullable: true })
  sniffedType!: string | null;
  @BytesColumn({ nullable: true })
  bytes!: number | null;
  @Column('text', { nullable: true })
  sha256!: string | null;
  @Column('text', { name: 'storage_key', nullable: true })
  storageKey!: string | null;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
  @TimeColumn({ name: 'completed_at', nullable: true })
  completedAt!: Date | null;
  @StampColumn({ name: 'last_used_at' })
  lastUsedAt!: Date;
}

export const uploadEntities = [UploadEntity];
