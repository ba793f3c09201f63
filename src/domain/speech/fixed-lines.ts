/**
 * Short polite lines in the agent's language, for cases where the agent's author wrote none and the model is
 * not asked or does not answer.
 */
export type FixedLine =
  /** Asks whether the caller is still there, if the model cannot. */
  | 'check_in'
  | 'goodbye_idle'
  | 'goodbye_duration'
  | 'goodbye_fault'
  /** A supervisor ends the call. */
  | 'goodbye_supervisor'
  /** After a silence because a media host was lost. */
  | 'recovery'
  /** As `recovery`, when the caller had heard everything that the agent had to say. */
  | 'repeat_please'
  /** While the model is slow. */
  | 'one_moment'
  /** A provider failed. */
  | 'trouble'
  /** The recognizer failed. */
  | 'cannot_hear'
  | 'voicemail';

type Lines = Record<FixedLine, string>;

const english: Lines = {
  check_in: 'Hello, are you still there?',
  goodbye_idle: 'I cannot hear you any more, so I will end the call now. Goodbye.',
  goodbye_duration: 'I am sorry, our time for this call is over. Thank you and goodbye.',
  goodbye_fault:
    'I am sorry, I have a technical problem and must end the call. We will get back to you. Goodbye.',
  goodbye_supervisor: 'I have to end the call now. Thank you and goodbye.',
  recovery: 'Sorry, the line was gone for a moment.',
  repeat_please: 'Sorry, the line was gone for a moment. Could you please say that again?',
  one_moment: 'One moment, please.',
  trouble: 'I am sorry, I have a technical problem at the moment.',
  cannot_hear: 'I am sorry, I cannot hear you because of a technical problem.',
  voicemail: 'Hello, we tried to reach you. We will call you again. Goodbye.',
};

const byLanguage: Readonly<Record<string, Lines>> = {
  en: english,
  de: {
    check_in: 'Hallo, sind Sie noch da?',
    goodbye_idle: 'Ich kann Sie nicht mehr hören und beende jetzt das Gespräch. Auf Wiederhören.',
    goodbye_duration: 'Leider ist unsere Zeit für dieses Gespräch um. Vielen Dank und auf Wiederhören.',
    goodbye_fault:
      'Leider habe ich ein technisches Problem und muss das Gespräch beenden. Wir melden uns bei Ihnen. Auf Wiederhören.',
    goodbye_supervisor: 'Ich muss das Gespräch jetzt beenden. Vielen Dank und auf Wiederhören.',
    recovery: 'Entschuldigung, die Leitung war kurz weg.',
    repeat_please: 'Entschuldigung, die Leitung war kurz weg. Können Sie das bitte noch einmal sagen?',
    one_moment: 'Einen Moment, bitte.',
    trouble: 'Leider habe ich gerade ein technisches Problem.',
    cannot_hear: 'Leider kann ich Sie wegen eines technischen Problems nicht hören.',
    voicemail: 'Guten Tag, wir wollten Sie erreichen. Wir rufen wieder an. Auf Wiederhören.',
  },
  fr: {
    check_in: 'Allô, vous êtes toujours là ?',
    goodbye_idle: 'Je ne vous entends plus, je vais donc raccrocher. Au revoir.',
    goodbye_duration: 'Je suis désolé, notre temps est écoulé. Merci et au revoir.',
    goodbye_fault:
      "Je suis désolé, un problème technique m'oblige à raccrocher. Nous vous recontacterons. Au revoir.",
    goodbye_supervisor: "Je dois maintenant mettre fin à l'appel. Merci et au revoir.",
    recovery: 'Pardon, la ligne a été coupée un instant.',
    repeat_please: "Pardon, la ligne a été coupée un instant. Pouvez-vous répéter, s'il vous plaît ?",
    one_moment: "Un instant, s'il vous plaît.",
    trouble: "Je suis désolé, j'ai un problème technique en ce moment.",
    cannot_hear: "Je suis désolé, je ne vous entends pas à cause d'un problème technique.",
    voicemail: 'Bonjour, nous avons essayé de vous joindre. Nous vous rappellerons. Au revoir.',
  },
  es: {
    check_in: 'Hola, ¿sigue usted ahí?',
    goodbye_idle: 'Ya no le oigo, así que voy a terminar la llamada. Adiós.',
    goodbye_duration: 'Lo siento, nuestro tiempo para esta llamada ha terminado. Gracias y adiós.',
    goodbye_fault:
      'Lo siento, tengo un problema técnico y debo terminar la llamada. Nos pondremos en contacto con usted. Adiós.',
    goodbye_supervisor: 'Ahora tengo que terminar la llamada. Gracias y adiós.',
    recovery: 'Perdone, la línea se ha cortado un momento.',
    repeat_please: 'Perdone, la línea se ha cortado un momento. ¿Puede repetirlo, por favor?',
    one_moment: 'Un momento, por favor.',
    trouble: 'Lo siento, en este momento tengo un problema técnico.',
    cannot_hear: 'Lo siento, no puedo oírle por un problema técnico.',
    voicemail: 'Hola, hemos intentado hablar con usted. Volveremos a llamar. Adiós.',
  },
  it: {
    check_in: 'Pronto, è ancora lì?',
    goodbye_idle: 'Non la sento più, quindi chiudo la chiamata. Arrivederci.',
    goodbye_duration: 'Mi dispiace, il tempo per questa chiamata è finito. Grazie e arrivederci.',
    goodbye_fault:
      'Mi dispiace, ho un problema tecnico e devo chiudere la chiamata. La ricontatteremo. Arrivederci.',
    goodbye_supervisor: 'Ora devo chiudere la chiamata. Grazie e arrivederci.',
    recovery: 'Mi scusi, la linea è caduta per un momento.',
    repeat_please: 'Mi scusi, la linea è caduta per un momento. Può ripetere, per favore?',
    one_moment: 'Un momento, per favore.',
    trouble: 'Mi dispiace, in questo momento ho un problema tecnico.',
    cannot_hear: 'Mi dispiace, non riesco a sentirla per un problema tecnico.',
    voicemail: 'Buongiorno, abbiamo provato a contattarla. La richiameremo. Arrivederci.',
  },
  pt: {
    check_in: 'Olá, ainda está aí?',
    goodbye_idle: 'Já não consigo ouvir, por isso vou terminar a chamada. Adeus.',
    goodbye_duration: 'Lamento, o nosso tempo para esta chamada terminou. Obrigado e adeus.',
    goodbye_fault:
      'Lamento, tenho um problema técnico e preciso terminar a chamada. Entraremos em contacto. Adeus.',
    goodbye_supervisor: 'Tenho de terminar a chamada agora. Obrigado e adeus.',
    recovery: 'Desculpe, a linha caiu por um momento.',
    repeat_please: 'Desculpe, a linha caiu por um momento. Pode repetir, por favor?',
    one_moment: 'Um momento, por favor.',
    trouble: 'Lamento, neste momento tenho um problema técnico.',
    cannot_hear: 'Lamento, não consigo ouvir por causa de um problema técnico.',
    voicemail: 'Olá, tentámos falar consigo. Voltaremos a ligar. Adeus.',
  },
  nl: {
    check_in: 'Hallo, bent u er nog?',
    goodbye_idle: 'Ik hoor u niet meer, dus ik beëindig nu het gesprek. Tot ziens.',
    goodbye_duration: 'Het spijt me, onze tijd voor dit gesprek is om. Dank u wel en tot ziens.',
    goodbye_fault:
      'Het spijt me, ik heb een technisch probleem en moet het gesprek beëindigen. We nemen contact met u op. Tot ziens.',
    goodbye_supervisor: 'Ik moet het gesprek nu beëindigen. Dank u wel en tot ziens.',
    recovery: 'Sorry, de lijn was even weg.',
    repeat_please: 'Sorry, de lijn was even weg. Kunt u dat nog eens zeggen?',
    one_moment: 'Een ogenblik, alstublieft.',
    trouble: 'Het spijt me, ik heb op dit moment een technisch probleem.',
    cannot_hear: 'Het spijt me, ik kan u niet horen door een technisch probleem.',
    voicemail: 'Hallo, we hebben geprobeerd u te bereiken. We bellen u nog eens. Tot ziens.',
  },
  pl: {
    check_in: 'Halo, czy nadal tam jesteś?',
    goodbye_idle: 'Już nic nie słyszę, więc kończę rozmowę. Do widzenia.',
    goodbye_duration: 'Przepraszam, nasz czas na tę rozmowę się skończył. Dziękuję i do widzenia.',
    goodbye_fault:
      'Przepraszam, mam problem techniczny i muszę zakończyć rozmowę. Skontaktujemy się ponownie. Do widzenia.',
    goodbye_supervisor: 'Muszę teraz zakończyć rozmowę. Dziękuję i do widzenia.',
    recovery: 'Przepraszam, połączenie na chwilę zniknęło.',
    repeat_please: 'Przepraszam, połączenie na chwilę zniknęło. Czy można prosić o powtórzenie?',
    one_moment: 'Chwileczkę, proszę.',
    trouble: 'Przepraszam, mam teraz problem techniczny.',
    cannot_hear: 'Przepraszam, nic nie słyszę z powodu problemu technicznego.',
    voicemail: 'Dzień dobry, próbowaliśmy się skontaktować. Zadzwonimy ponownie. Do widzenia.',
  },
};

export const fixedLineNames: readonly FixedLine[] = [
  'check_in',
  'goodbye_idle',
  'goodbye_duration',
  'goodbye_fault',
  'goodbye_supervisor',
  'recovery',
  'repeat_please',
  'one_moment',
  'trouble',
  'cannot_hear',
  'voicemail',
];

/** The line in the language of the BCP 47 tag; English for other languages. */
export function fixedLine(name: FixedLine, language: string): string {
  const [primary = 'en'] = language.toLowerCase().split(/[-_]/);
  const lines = Object.hasOwn(byLanguage, primary) ? byLanguage[primary] : undefined;
  return (lines ?? english)[name];
}
