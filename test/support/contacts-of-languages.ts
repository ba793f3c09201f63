import iconv from 'iconv-lite';

/** Given names, family names, places and a note in twenty languages, and the header in that language. */
const languages: Record<
  string,
  [header: string, given: string, family: string, places: string, note: string]
> = {
  german: [
    'Straße,Bemerkung',
    'Jörg Käthe Günter Anna Björn Thomas Sabine Jürgen',
    'Müller Schröder Weiß Schäfer Böhm Fischer Krüger Groß',
    'Köln München Berlin Düsseldorf Gießen',
    'Bitte später zurückrufen, möchte größere Menge für Österreich',
  ],
  french: [
    'Prénom,Remarque',
    'François Zoé Hélène Jérôme Marie Benoît Agnès Loïc',
    'Lefèvre Garçon Dubois Bérenger Lemaître Gérard Noël Pâquet',
    'Besançon Nîmes Paris Orléans Évreux',
    'À rappeler après la réunion, très intéressé par la qualité',
  ],
  spanish: [
    'Teléfono móvil,Observación',
    'José María Íñigo Begoña Andrés Lucía Ángel Carmen',
    'Núñez García Peña López Muñoz Gutiérrez Ibáñez Ruiz',
    'Málaga Logroño Madrid León Cádiz',
    '¿Llamar mañana? El señor prefiere después de la reunión',
  ],
  portuguese: [
    'Endereço,Observação',
    'João Conceição Antônio Inês Luís Ana Simão Verônica',
    'Gonçalves Araújo Magalhães Simões Souza Assunção Fernández Leitão',
    'São Paulo Brasília Porto Évora',
    'Não atende de manhã, ligar às três horas da terça-feira',
  ],
  danish: [
    'Adresse på kunde,Bemærkning',
    'Søren Jørgen Kåre Anne Bjørn Mette Åse Lærke',
    'Sørensen Møller Kjær Nielsen Østergård Bækgaard Løkke Hansen',
    'København Ålborg Odense Tønder Ærøskøbing',
    'Kunden ønsker at blive ringet op på lørdag før frokost',
  ],
  swedish: [
    'Försäljare,Anmärkning',
    'Björn Åsa Göran Anna Sören Märta Örjan Erik',
    'Sjöberg Åkesson Lindström Bäckman Öberg Nilsson Hällgren Ek',
    'Göteborg Malmö Stockholm Västerås Örebro',
    'Kunden är på semester, ring på måndag före lunch',
  ],
  polish: [
    'Imię i nazwisko,Uwagi: źródło',
    'Łukasz Małgorzata Zdzisław Agnieszka Świętosława Paweł Grażyna Rafał',
    'Wiśniewski Dąbrowska Wójcik Kamiński Źródłowski Gołąb Kowalczyk Błaszczyk',
    'Łódź Kraków Gdańsk Warszawa Częstochowa',
    'Proszę zadzwonić później, ponieważ klient jest na spotkaniu',
  ],
  czech: [
    'Příjmení,Poznámka k číslu',
    'Jiří Šárka Zdeněk Anežka Ondřej Tomáš Božena Jana',
    'Dvořák Novák Růžička Svobodová Němec Kříž Hájek Beneš',
    'Plzeň Brno Ústí Třebíč Olomouc',
    'Zavolejte prosím později, zákazník je na schůzce v kanceláři',
  ],
  hungarian: [
    'Vezetéknév,Megjegyzés időpont',
    'László Győző Zsófia Béla Ágnes Tünde István Bernadett',
    'Szőke Kovács Tóth Nagy Erdős Fűzfás Horváth Őri',
    'Győr Miskolc Szűcs Pécs Hódmezővásárhely',
    'Kérem, később hívja vissza, mert az ügyfél külföldön időzik',
  ],
  romanian: [
    'Observaţii şi note,Adresă',
    'Ştefan Ioana Mărioara Răzvan Anca Ţuţu Cătălina Mihai',
    'Ionescu Brâncuşi Ţurcanu Popescu Mânzat Pădureanu Şerban Stănescu',
    'Bucureşti Iaşi Cluj Constanţa Timişoara',
    'Vă rugăm să sunaţi mai târziu, pentru că este într-o şedinţă',
  ],
  turkish: [
    'Müşteri adı,Açıklama',
    'Ayşe Gökhan İsmail Çağla Işıl Mehmet Tuğba Şükrü',
    'Yılmaz Öztürk Çelik Aydın Doğan Güneş Şahin Kılıç',
    'İstanbul Ankara Eskişehir Muğla Diyarbakır',
    'Lütfen öğleden sonra arayın, müşteri şu anda toplantıda değil',
  ],
  lithuanian: [
    'Vardas ir pavardė,Pastaba: šaltinis',
    'Šarūnas Živilė Jonas Eglė Ąžuolas Gabrielė Rūta Mindaugas',
    'Kazlauskienė Žukauskas Petrauskas Čepaitė Šimkus Stankūnas Jankauskaitė Vaičiūnas',
    'Šiauliai Kaunas Panevėžys Vilnius Klaipėda',
    'Prašome paskambinti vėliau, nes klientas šiuo metu užsiėmęs',
  ],
  russian: [
    'Фамилия и имя,Примечание',
    'Иван Мария Сергей Наталья Фёдор Ольга Алексей Юлия',
    'Петров Иванова Сидоров Кузнецова Щукин Объедков Соловьёва Чехов',
    'Москва Санкт-Петербург Казань Пермь Уфа',
    'Перезвонить после обеда, клиент просит скидку на всё',
  ],
  ukrainian: [
    "Прізвище та ім'я,Примітка",
    'Олексій Їжакевич Ганна Юрій Оксана Євген Тетяна Дмитро',
    'Шевченко Ковальчук Бондаренко Гуцуляк Підгірний Зайченко Лисенко Олійник',
    'Київ Львів Харків Чернівці Вінниця',
    'Передзвоніть, будь ласка, пізніше: клієнт зараз на нараді',
  ],
  greek: [
    'Επώνυμο,Παρατηρήσεις',
    'Γιώργος Μαρία Νίκος Ελένη Κωνσταντίνος Άννα Δημήτρης Σοφία',
    'Παπαδόπουλος Οικονόμου Γεωργίου Αγγελόπουλος Νικολαΐδης Μακρής Ιωάννου Χατζής',
    'Αθήνα Θεσσαλονίκη Πάτρα Ηράκλειο Βόλος',
    'Παρακαλώ καλέστε αργότερα, ο πελάτης βρίσκεται σε συνάντηση',
  ],
  hebrew: [
    'שם משפחה,הערות',
    'משה שרה דוד רחל יוסף מרים אברהם נועה',
    'כהן לוי מזרחי פרץ ביטון אברהם פרידמן שפירא',
    'ירושלים תל אביב חיפה נתניה',
    'נא להתקשר מאוחר יותר, הלקוח נמצא בפגישה',
  ],
  arabic: [
    'الاسم الكامل,ملاحظات',
    'محمد فاطمة أحمد عائشة يوسف مريم خالد نور',
    'الحسن العلي المصري حداد النجار الشريف الخطيب منصور',
    'القاهرة بغداد الرياض دمشق الجزائر',
    'يرجى الاتصال لاحقا لأن العميل في اجتماع',
  ],
  japanese: [
    '氏名,備考',
    '健太 美咲 翔 陽子 大輔 さくら 太郎 ゆうこ',
    '佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 斎藤',
    '東京都 大阪市 名古屋市 札幌市 さいたま市',
    '会議中のため、後ほどお電話ください。よろしくお願いします',
  ],
  chinese: [
    '姓名,备注',
    '伟 秀英 志强 丽娜 建国 小红 俊杰 雪梅',
    '王 李 张 刘 陈 欧阳 赵 诸葛',
    '北京市 上海市 广州市 深圳市 哈尔滨市',
    '客户正在开会，请明天下午再打电话，谢谢',
  ],
  korean: [
    '이름,비고',
    '민준 서연 지훈 영희 철수 하은 준호 미경',
    '김 이 박 최 정 강 조 윤',
    '서울시 부산시 대구시 인천시 수원시',
    '고객이 회의 중이니 내일 오후에 다시 전화해 주세요',
  ],
};

export const languageNames = Object.keys(languages);

/** Contacts of a language as CSV. Every fifth has a note, every seventh only ASCII. */
export function contactsIn(language: string, rows: number): string {
  const [header, given, family, places, note] = languages[language] ?? ['', '', '', '', ''];
  const pick = (list: string, at: number): string => {
    const words = list.split(' ');
    return words[at % words.length] ?? '';
  };
  const lines = Array.from({ length: rows }, (_, row) => {
    const name =
      row % 7 === 6
        ? 'John Smith,Boston'
        : `${pick(given, row)} ${pick(family, row * 3 + Math.floor(row / 8))},${pick(places, row)}`;
    return `+1415555${String(1000 + row)},${name},${row % 5 === 0 ? note : 'ok'}\n`.replaceAll(
      note,
      `"${note}"`,
    );
  });
  return `phone_number,name,${header}\n${lines.join('')}`;
}

/**
 * The bytes of a text in an encoding. As programs do, a letter that the encoding lacks becomes its base
 * letter or a question mark.
 */
export function encodedAs(text: string, encoding: string): Buffer {
  const known = (letter: string): boolean =>
    iconv.decode(iconv.encode(letter, encoding), encoding) === letter;
  const replaced = new Map(
    [...new Set(text)].flatMap((letter): [string, string][] =>
      known(letter) ? [] : [[letter, letter.normalize('NFD').replaceAll(/[^\p{ASCII}]/gu, '') || '?']],
    ),
  );
  return iconv.encode(Array.from(text, (letter) => replaced.get(letter) ?? letter).join(''), encoding);
}
