import { ProblemError, unwrap, type Client, type FieldProblem } from '@gjm/client/index.js';
import { keepChosen } from './chosen-pictures.js';

/** What came of a try: where the job is, or why there is none. */
export type Outcome = { jobId: string } | { message: string; fields: FieldProblem[] };

/** Uploads a picture and submits its enlargement. Refusals and faults come back as sentences for the form. */
export async function submitPicture(
  client: Client,
  picture: File,
  scale: number,
  name: string,
): Promise<Outcome> {
  try {
    const upload = await client.upload({ name: picture.name, source: picture, mediaType: picture.type });
    const params = { image: upload.id, scale };
    const { job } = unwrap(await client.submit({ kind: 'image.upscale', params, name: name || null }));
    keepChosen(upload.id, picture);
    return { jobId: job.id };
  } catch (error) {
    if (error instanceof ProblemError) {
      // Each field says its own trouble; the rest is for the form.
      const message =
        error.fields.length > 0 ? 'The job was not taken: see the marked field.' : error.message;
      return { message, fields: error.fields };
    }
    return { message: (error as Error).message, fields: [] };
  }
}
