import type { ReportItem } from '@gjm/core/wire/worker-api.js';

/** A report item before it is numbered. */
export type NewReportItem = ReportItem extends infer Item
  ? Item extends ReportItem
    ? Omit<Item, 'number'>
    : never
  : never;

export type NewLogItem = Extract<NewReportItem, { type: 'log' }>;
export type NewProgressItem = Extract<NewReportItem, { type: 'progress' }>;

/** About how many bytes an item takes on the wire or in a file. */
export const itemBytes = (item: NewReportItem): number =>
  item.type === 'log' ? Buffer.byteLength(item.text) + 96 : 256;
