/** A step that failed; the message is the sentence to end with. */
export class PrepareFailure extends Error {}
