const numberSign = 0x23;
const errors = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/;

/** True for what spreadsheet programs write where a formula failed. */
export function isErrorCell(cell: string): boolean {
  return cell.charCodeAt(0) === numberSign && errors.test(cell);
}
