import { createResource, onCleanup, type Resource } from 'solid-js';
import { numberOf, type Client, type StoredFile } from '@gjm/client/index.js';
import { chosenPicture } from '../submit/chosen-pictures.js';

/** Larger files are not drawn unasked; the download link stays. In bytes. */
const drawnBytes = 64_000_000;
/** Formats that are pixels and nothing else. SVG is a document and is never drawn. */
const drawnTypes = new Set(['image/png', 'image/jpeg', 'image/webp']);

export const isDrawable = (mediaType: string, bytes: number | string): boolean =>
  drawnTypes.has(mediaType) && numberOf(bytes) <= drawnBytes;

const readBlob = (client: Client, file: StoredFile, type: string): Promise<Blob> =>
  new Response(client.fetchArtifact(file), { headers: { 'content-type': type } }).blob();

/** The picture behind a file id that `params` name: what was chosen on this page, or what the server has. */
async function readInput(client: Client, id: string): Promise<Blob | null> {
  const chosen = chosenPicture(id);
  if (chosen) return chosen;
  const file = await client.file(id);
  if (!file || numberOf(file.bytes) > drawnBytes) return null;
  // The browser finds the format by itself; any image type keeps it from treating the bytes as something else.
  return readBlob(client, file, 'image/png');
}

/** An address for `<img>`, good while the component lives. A picture that can not be had is no picture, not an error. */
function createAddress<Source>(
  source: () => Source | false | null | undefined,
  read: (source: Source) => Promise<Blob | null>,
): Resource<string | null> {
  const made: string[] = [];
  const [address] = createResource(source, async (wanted) => {
    const blob = await read(wanted).catch(() => null);
    if (!blob) return null;
    const url = URL.createObjectURL(blob);
    made.push(url);
    return url;
  });
  onCleanup(() => made.forEach((url) => URL.revokeObjectURL(url)));
  return address;
}

export const createResultAddress = (
  client: Client,
  file: () => (StoredFile & { mediaType: string }) | null,
) => createAddress(file, (wanted) => readBlob(client, wanted, wanted.mediaType));

export const createInputAddress = (client: Client, id: () => string | null) =>
  createAddress(id, (wanted) => readInput(client, wanted));
