/**
 * What spreadsheet programs write where a formula found nothing, in their languages: by far most often a
 * lookup in a list in which a row's value is not.
 */
const nothingFound = new Set(
  '#N/A,#N/A!,#NV,#N/D,#N/D!,#Н/Д,#N/B,#I/T,#SAKNAS!,#PUUTTUU!,#YOK,#HIÁNYZIK,#NENÍ_K_DISPOZICI'.split(','),
);

/** What they write where a formula failed in another way. */
const otherErrors = new Set(
  (
    '#REF!,#VALUE!,#DIV/0!,#NAME?,#NUM!,#NULL!,#SPILL!,#CALC!,#FIELD!,#BLOCKED!,#UNKNOWN!,#CONNECT!,#BUSY!,#EXTERNAL!,#PYTHON!,#TIMEOUT!,#GETTING_DATA,#ERROR!,' +
    '#BEZUG!,#WERT!,#ZAHL!,#ÜBERLAUF!,#KALK!,#FELD!,#BLOCKIERT!,#UNBEKANNT!,#VERBINDEN!,#VALEUR!,#NOM?,#NOMBRE!,#NUL!,#PROPAGATION!,#CHAMP!,' +
    '#¡REF!,#¡VALOR!,#¡DIV/0!,#¿NOMBRE?,#¡NUM!,#¡NULO!,#¡DESBORDAMIENTO!,#¡CALC!,#¡CAMPO!,#RIF!,#VALORE!,#NOME?,#NULLO!,#VALOR!,#NÚM!,#NULO!,' +
    '#ССЫЛКА!,#ЗНАЧ!,#ДЕЛ/0!,#ИМЯ?,#ЧИСЛО!,#ПУСТО!,#ПЕРЕНОС!,#ВЫЧИСЛ!,#ПОЛЕ!,#VERW!,#WAARDE!,#DEEL/0!,#NAAM?,#GETAL!,#LEEG!,#OVERLOOP!,' +
    '#ADR!,#ARG!,#DZIEL/0!,#NAZWA?,#LICZBA!,#ZERO!,#REFERENS!,#VÄRDEFEL!,#DIVISION/0!,#NAMN?,#OGILTIGT!,#SKÄRNING!,#REFERENCE!,#VÆRDI!,#VERDI!,#NAVN?,' +
    '#VIITTAUS!,#ARVO!,#JAKO/0!,#NIMI?,#LUKU!,#ODKAZ!,#HODNOTA!,#NÁZEV?,#HIV!,#ÉRTÉK!,#ZÉRÓOSZTÓ!,#NÉV?,#SZÁM!,#BAŞV!,#DEĞER!,#SAYI/0!,#AD?,#SAYI!,#BOŞ!'
  ).split(','),
);

/** `Err:502`, as LibreOffice numbers them. */
const numbered = /^(?:Err|Fehler|Erreur|Errore|Ошибка):\d{3}$/;

const numberSign = 0x23;
const colon = 0x3a;

/**
 * True for what spreadsheet programs write where a formula failed. Files have millions of cells: by far most
 * are none by one of their letters.
 */
export function isErrorCell(cell: string): boolean {
  if (cell.charCodeAt(0) === numberSign) return nothingFound.has(cell) || otherErrors.has(cell);
  return cell.charCodeAt(cell.length - 4) === colon && numbered.test(cell);
}

/** True for an error that says: it was looked for, and is not there. */
export function isNothingFound(cell: string): boolean {
  return nothingFound.has(cell);
}
