import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, PrimaryIdColumn, StampColumn, TimeColumn } from './column.js';

/** A person. The e-mail is stored in lower case and is unique so. */
@Entity('users')
export class UserEntity {
  @PrimaryIdColumn()
  id!: string;
  @Column('text')
  email!: string;
  @Column('text')
  name!: string;
  @Column('text')
  role!: 'ADMIN' | 'USER';
  /** PHC string; null for an account that signs in by link only. */
  @Column('text', { name: 'password_hash', nullable: true, select: false })
  passwordHash!: string | null;
  @TimeColumn({ name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
}

/** A sign-in that goes on. Only hashes of its refresh tokens are kept: the current one and the one before. */
@Entity('sessions')
export class SessionEntity {
  @PrimaryIdColumn()
  id!: string;
  @IdColumn({ name: 'user_id' })
  userId!: string;
  @Column('text', { name: 'current_hash' })
  currentHash!: string;
  @Column('text', { name: 'previous_hash', nullable: true })
  previousHash!: string | null;
  @StampColumn({ name: 'rotated_at' })
  rotatedAt!: Date;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
  @TimeColumn({ name: 'expires_at' })
  expiresAt!: Date;
  @TimeColumn({ name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}

/** An invite or a sign-in link, by the hash of its token; used up once. */
@Entity('one_time_tokens')
export class OneTimeTokenEntity {
  @PrimaryColumn('text')
  hash!: string;
  @Column('text')
  purpose!: 'INVITE' | 'SIGN_IN';
  @Column('text')
  role!: 'ADMIN' | 'USER';
  /** Whom a sign-in link is for; null for one that opens the account of links, and for an invite. */
  @IdColumn({ name: 'user_id', nullable: true })
  userId!: string | null;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
  @TimeColumn({ name: 'expires_at' })
  expiresAt!: Date;
  @TimeColumn({ name: 'used_at', nullable: true })
  usedAt!: Date | null;
}

/** What lets a machine join as a worker, by the hash of its token. */
@Entity('worker_tokens')
export class WorkerTokenEntity {
  @PrimaryColumn('text')
  hash!: string;
  @Column('text')
  name!: string;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
  @TimeColumn({ name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}

export const accountEntities = [UserEntity, SessionEntity, OneTimeTokenEntity, WorkerTokenEntity];
