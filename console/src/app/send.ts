/**
 * Sends the form that has the focus, also from a field of several lines, else presses the main button of the dialog or
 * panel around it.
 */
export function sendOrRun(): void {
  const focused = document.activeElement;
  const form = focused?.closest('form');
  const submit = [...(form?.elements ?? [])].find((each) => each.matches('[type=submit]'));
  const main = submit ?? focused?.closest('[role=dialog], aside')?.querySelector('.btn.primary');
  if (main instanceof HTMLElement) main.click();
}
