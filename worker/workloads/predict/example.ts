/** One example, as the model takes it. */
export interface Example {
  /** Path within an archive, or the row's number from 1. */
  name: string | number;
  values: Float32Array;
}

/** Examples of an input, read one after the other. */
export interface ExampleSource {
  count: number;
  /** For the log. */
  what: string;
  read(): AsyncIterable<Example>;
  close?(): Promise<void>;
}
