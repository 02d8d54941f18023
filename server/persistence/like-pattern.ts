/** The pattern of LIKE that any text with `text` in it matches. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
