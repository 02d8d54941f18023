/** Where files should be kept is not to be used, in a sentence for a person. */
export class StoreProblem extends Error {}

/** The file, or object, that holds the id of the installation whose files lie beside it. */
export const markerName = '.gjm-installation';

/** What a database knows of its store: its own id, and whether it ever had one. */
export interface MarkedInstallation {
  id: string;
  hasArtifacts: boolean;
}
