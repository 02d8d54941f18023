/** The text of a form's field as it was typed; empty when it is not there or is a file. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
