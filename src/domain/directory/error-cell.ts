/**
 * What spreadsheet programs write, by language, when a formula finds nothing. Usually a lookup did not find
 * the row's value in a list.
 */
const nothingFound = new Set(
  '#N/A,#N/A!,#NV,#N/D,#N/D!,#Н/Д,#N/B,#I/T,#SAKNAS!,#PUUTTUU!,#YOK,#HIÁNYZIK,#NENÍ_K_DISPOZICI'.split(','),
);

/** What they write when a formula fails in another way. */
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

/** `Err:502`: the numbered errors of LibreOffice. */
const numbered = /^(?:Err|Fehler|Erreur|Errore|Ошибка):\d{3}$/;

const numberSign = 0x23;
const colon = 0x3a;

/**
 * Whether a cell is an error that a spreadsheet program wrote for a failed formula. Files have millions of
 * cells, so one character rules out most of them.
 */
export function isErrorCell(cell: string): boolean {
  if (cell.charCodeAt(0) === numberSign) return nothingFound.has(cell) || otherErrors.has(cell);
  return cell.charCodeAt(cell.length - 4) === colon && numbered.test(cell);
}

/** Whether the error means that a lookup found nothing. */
export function isNothingFound(cell: string): boolean {
  return nothingFound.has(cell);
}
