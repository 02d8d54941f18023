/** Whether a file of an archive is only what file managers leave there. */
export const isLitter = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX') ||
  /(^|\/)(Thumbs\.db|desktop\.ini)$/i.test(name);
