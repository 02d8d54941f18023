import { Column, PrimaryColumn, type ColumnOptions } from 'typeorm';

/** bigint columns hold sizes below 2^53: numbers in our code, exact. The driver gives text. */
const asNumber = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** A TypeID column: text under collation C, so that byte order is creation order. */
export const IdColumn = (options: ColumnOptions = {}) => Column({ type: 'text', collation: 'C', ...options });
export const PrimaryIdColumn = (name?: string) => PrimaryColumn({ type: 'text', collation: 'C', name });
export const BytesColumn = (options: ColumnOptions = {}) =>
  Column({ type: 'bigint', transformer: asNumber, ...options });
/** A time to the millisecond, UTC: what JavaScript dates can hold exactly, so that cursors neither skip nor repeat. */
export const TimeColumn = (options: ColumnOptions = {}) =>
  Column({ type: 'timestamp with time zone', precision: 3, ...options });
/** A time the database clock sets. */
export const StampColumn = (options: ColumnOptions = {}) =>
  TimeColumn({ default: () => 'clock_timestamp()', ...options });
