/** Keys, and what `ArtifactStore.list` shows of writes that are under way or broke off. */
const keyForm = /^[\w-]+(\/[\w-]+)*(\.[0-9a-f]{8}\.part)?$/;

/** Keys are checked where they are used, whoever made them: nothing outside the store's own place can be named. */
export function requireKey(key: string): string {
  if (!keyForm.test(key)) throw new Error(`This is no storage key: ${JSON.stringify(key)}`);
  return key;
}
