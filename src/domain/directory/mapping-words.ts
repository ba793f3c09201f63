/** A name in the form in which names are compared: without separators, diacritics and case. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(',').map(plain));

/** `phone_number` comes first (contract 11.2), then the names that exports in several languages use. */
const phoneWords = wordsOf(
  'phone number,phone,mobile,mobile phone,mobile number,cell,cell phone,cellphone,cell number,telephone,telephone number,tel,tel no,phone no,contact number,primary phone,phone 1,phone 1 - value,home phone,work phone,msisdn,called number,to number,whatsapp,' +
    'телефон,номер телефона,мобильный,мобильный телефон,моб,моб телефон,контактный телефон,тел,телефон 1,номер телефону,мобільний,telefon,telefonnummer,handy,handynummer,mobil,mobilnummer,mobiltelefon,rufnummer,festnetz,' +
    'teléfono,telefono,número de teléfono,móvil,celular,número de celular,telefone,telemóvel,numero di telefono,cellulare,téléphone,numéro de téléphone,portable,téléphone portable,telefoon,telefoonnummer,mobiel,puhelin,puhelinnumero,telefonszám,numer telefonu,telefon komórkowy,komórka,telefonní číslo,telefonnr,mobilnr,telefonnumber,cep telefonu,' +
    'τηλέφωνο,טלפון,هاتف,رقم الهاتف,फ़ोन,फोन,电话,手机,手机号,手机号码,電話,電話番号,携帯電話,전화번호,휴대폰',
);

const identifierWords = new Set(['customer_id', 'ext_customer_id']);

const zoneWords = wordsOf(
  'time zone,timezone,tz,iana time zone,contact time zone,часовой пояс,таймзона,zeitzone,zona horaria,huso horario,fuseau horaire,fuso horário,fuso orario,strefa czasowa,tijdzone',
);

const doNotCallWords = wordsOf(
  'do not call,dnc,donotcall,do_not_contact,opt out,optout,opted out,unsubscribed,no call,не звонить,отказ от звонков,nicht anrufen,no llamar,ne pas appeler,não ligar,non chiamare,nie dzwonić',
);

const priorityWords = wordsOf(
  'priority,приоритет,priorität,prioridad,priorité,prioridade,priorità,priorytet',
);

/** Whether a name is `phone_number`, in any case (contract 11.2). */
export const isPhoneNumberName = (name: string): boolean => name.trim().toLowerCase() === 'phone_number';
/** Whether a name is a usual one of a phone column. */
export const isPhoneName = (name: string): boolean => phoneWords.has(plain(name));
/** Whether a name is one of the two that contract 11.4 knows, in any case. */
export const isIdentifierName = (name: string): boolean => identifierWords.has(name.trim().toLowerCase());
export const isZoneName = (name: string): boolean => zoneWords.has(plain(name));
export const isDoNotCallName = (name: string): boolean => doNotCallWords.has(plain(name));
export const isPriorityName = (name: string): boolean => priorityWords.has(plain(name));
