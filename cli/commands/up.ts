/** `gjm up`: the same as `npm run up`, from what is built. It takes over signals and ends the process by itself. */
export async function runUp(): Promise<void> {
  await import('@gjm/stack/up.js');
}
