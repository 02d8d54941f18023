import { artifactEntities } from './artifact.entity.js';
import { accountEntities } from './account.entity.js';
import { fleetEntities } from './fleet.entity.js';
import { jobEntities } from './job.entity.js';
import { uploadEntities } from './upload.entity.js';

/** Every entity. They never leave this room: mappers make plain rows of them. */
export const entities = [
  ...accountEntities,
  ...uploadEntities,
  ...jobEntities,
  ...fleetEntities,
  ...artifactEntities,
];
