// eslint-disable-next-line no-control-regex -- finding control characters is the point
const colours = /\u001b\[[\d;]*m/g;
// eslint-disable-next-line no-control-regex -- as above
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text of jobs as it may stand on a page: colour codes are left out, every other control character is shown and never obeyed, and marks
 * that would turn the direction of writing (and so hide what a line says) are shown too. `^[` is how terminals write an escape; any font has it.
 */
export function visibleText(text: string): string {
  return text.replace(colours, '').replace(controls, (mark) => {
    const code = mark.charCodeAt(0);
    if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
    return code === 0x7f ? '^?' : `<${code.toString(16).padStart(4, '0')}>`;
  });
}
