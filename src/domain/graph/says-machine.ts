/** “AI” in many languages; the first form is understood in all of them. */
export const saysAi =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}])(?:AI|A\.I\.|KI|IA|ИИ|ШІ)(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}])|[Aa]rtifici\p{L}* [Ii]ntell?igen|[Ii]ntell?igen\p{L}* [Aa]rtifici|[Kk]ünstliche\p{L}* [Ii]ntelligenz|人工智能|人工知能|인공지능/u;

/** What else people call a machine that speaks. Answering machines are none. */
const saysMachineOtherwise = new RegExp(
  [
    String.raw`\bai[ -](?:assistant|agent|voice|caller|model|system)`,
    String.raw`\b(?:virtual|digital|voice|phone|telephone) (?:assistant|agent|bot)`,
    String.raw`\bautomated\b|\bcomputer voice`,
    String.raw`\b(?:chat|voice)?bot\b|\brob[oô]t?`,
    String.raw`automatisiert|automatizad|automatisé|automatizzat|geautomatiseerd|automatyczn`,
    String.raw`computerstimme|sprachcomputer|(?:sprach|spraak|telefon)-?assist`,
    String.raw`(?:virtue?l|digital|numérique|vocal|wirtualn|sanal)\p{L}* (?:assist|asist|asyst)`,
    String.raw`(?:assist|asist|asyst)\p{L}* (?:virtu|digital|numérique|vocal|automat|autom[áa]t|de voz|głosow)`,
    String.raw`sztuczn\p{L}* inteligenc|yapay zek`,
    String.raw`робот|искусственн\p{L}* интеллект|штучн\p{L}* інтелект|автоматич|автоматизир`,
    String.raw`(?:виртуальн|віртуальн|голосов|цифров)\p{L}* (?:помощник|помічник|ассистент|асистент|бот)`,
    'ذكاء (?:ال)?اصطناعي|روبوت|مساعد (?:افتراضي|آلي)|कृत्रिम|एआई|रोबोट',
    '智能(?:助手|助理|客服|语音)|机器人|機器人|虚拟助|语音助|自动语音|ロボット|自動音声|로봇|자동 음성|가상 비서',
  ].join('|'),
  'iu',
);

/** Whether words say that a machine speaks, in the languages in which agents are usually written. */
export const saysMachine = (words: string): boolean => saysAi.test(words) || saysMachineOtherwise.test(words);
