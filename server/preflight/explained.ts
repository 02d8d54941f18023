/** A check that failed, in a sentence that may be shown to everybody: it names settings, never addresses or secrets. */
export class Explained extends Error {}
