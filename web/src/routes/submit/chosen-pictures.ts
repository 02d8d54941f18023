/** Pictures submitted from this page, by the id of their upload: shown beside the result without fetching them back. */
const chosen = new Map<string, Blob>();

/** So many are kept; the others are read back from the server when wanted. */
const limit = 8;

export function keepChosen(uploadId: string, picture: Blob): void {
  chosen.set(uploadId, picture);
  for (const oldest of chosen.keys()) {
    if (chosen.size <= limit) break;
    chosen.delete(oldest);
  }
}

export const chosenPicture = (uploadId: string): Blob | undefined => chosen.get(uploadId);
