/**
 * `Content-Disposition: attachment` with the name twice: ASCII for old clients and UTF-8 for the others (RFC 6266, RFC 8187). Nothing in a
 * name can end the header or name a folder.
 */
export function attachmentNamed(name: string): string {
  const label = name.toWellFormed().replaceAll(/[/\\]/g, '_');
  const ascii = label.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(label)}`;
}

/** encodeURIComponent leaves five characters that RFC 8187 does not allow as they are. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
