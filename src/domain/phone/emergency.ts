/** Emergency numbers of all countries. None of them belongs to a person. */
const emergencyNumbers = new Set(
  '000,100,101,102,103,104,106,108,110,111,112,113,114,115,117,118,119,120,122,123,128,131,132,133,144,150,155,158,190,191,192,193,194,195,197,198,199,911,919,991,992,993,994,995,996,997,998,999,1122'.split(
    ',',
  ),
);

/** Whether these digits, without a country code, are an emergency number of any country. */
export function isEmergency(digits: string): boolean {
  return emergencyNumbers.has(digits);
}
