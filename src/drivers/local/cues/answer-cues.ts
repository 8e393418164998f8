// What people ask for and what gives it, in English, German and Japanese: data.
import { cue } from "./cue.ts";

export const ASKS_WHY = /\bwhy\b|\breasons?\b|\bwarum\b|\bweshalb\b|\bwieso\b|なぜ|どうして|理由/iu;
export const GIVES_REASON = cue(
  [
    "because|since|so that|due to|reasons?|causes?|caused|in order to|otherwise|prevents?|avoids?|weil|da|damit|wegen|grund|gründe|sonst",
  ],
  ["ため|から|ので|理由|原因"],
);

/** What a question asks to be counted or measured: how the dimensions of such quantities begin. */
export const ASKS_FOR_QUANTITY: readonly { asks: RegExp; dimensions: readonly string[] }[] = [
  {
    asks: /\bhow (?:much|expensive)\b.*\b(?:costs?|pay|paid|price)\b|\bhow expensive\b|\bcosts?\b|\bprices?\b|\bkosten\b|\bkostet\b|\bpreise?\b|いくら|費用|価格/iu,
    dimensions: ["money"],
  },
  {
    asks: /\bhow (?:long|often|soon|old|late)\b|\bwie ?(?:lange|oft|alt)\b|何[年月日時分秒]|期間|どのくらいの(?:時間|期間|頻度)/iu,
    dimensions: ["time"],
  },
  {
    asks: /\bhow (?:hot|warm|cold)\b|\btemperatures?\b|\bwie ?(?:heiß|warm|kalt)(?!\p{L})|\btemperatur|何度|温度/iu,
    dimensions: ["temperature"],
  },
  {
    asks: /\bwhat (?:percentage|share|percent)\b|\bwie ?viel prozent\b|何(?:%|％|パーセント)/iu,
    dimensions: ["share"],
  },
  {
    asks: /\bsizes?\b|\bhow (?:large|big|high|deep|heavy|wide|tall)\b|\bwie ?(?:groß|hoch|tief|schwer|breit)(?!\p{L})/iu,
    dimensions: ["length", "mass", "volume", "storage", "speed", "power", "energy", "pressure"],
  },
  {
    asks: /\bhow (?:many|much|fast|far)\b|\bwie ?(?:viele?|schnell|weit)(?!\p{L})|いくつ|何[個人本枚台回冊]|どのくらい|どれくらい|どれだけ/iu,
    dimensions: [
      "length",
      "mass",
      "volume",
      "storage",
      "speed",
      "power",
      "energy",
      "pressure",
      "frequency",
      "share",
      "time",
    ],
  },
];

/** "How often" is answered by such words too. */
export const ASKS_FOR_FREQUENCY = /\bhow often\b|\bwie ?oft\b|頻度|何回/iu;
export const GIVES_FREQUENCY = cue(
  [
    "once|twice|(?:three|four|five|\\p{N}+) times|every|each|daily|weekly|monthly|yearly|annually|hourly",
    "(?:ein|zwei|drei|vier|\\p{N}+|mehr)mals?|jede[nsmr]?|alle \\p{L}+ \\p{L}+|täglich|wöchentlich|monatlich|jährlich|stündlich",
  ],
  ["毎[日週月年]|[\\p{N}一二三四五六七八九十]+回"],
);

/** "When" is answered by a time, a day, or what has to come first. */
export const ASKS_WHEN = /\bwhen\b|\bwann\b|いつ/iu;
/** "After you upload ..." says nothing of when one uploads. */
export const OPENING_CONDITION = /^(?:when|if|once|after|before|as soon as|wenn|nachdem|bevor|sobald)(?!\p{L})[^,]*,/iu;
export const GIVES_TIME = cue(
  [
    "\\p{N}{4}|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|when|after|before|until|once|as soon as|if",
    "januar|februar|märz|mai|juni|juli|oktober|dezember|wenn|nachdem|bevor|sobald|nach|vor|bis|seit|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?",
  ],
  ["[\\p{N}一二三四五六七八九十]+[年月日時]|曜日|とき|前|後"],
);

/** "How do I" is answered by what one does. */
export const ASKS_HOW_TO =
  /\bhow (?:do|can|could|should|must) (?:i|you|we|one)\b|\bhow to\b|\bwie (?:kann|muss|soll)?\s?(?:ich|man)\b|(?:方法|手順|やり方|どうやって)/iu;
export const GIVES_STEP = cue(
  [
    "you (?:can|should|need|must|may|have to|will need)|by \\p{L}+ing|(?:use|run|call|type|write|copy|insert|choose|select|download|add|create|set|pass|enter|issue|send|open|press|put) (?:the|an?|your|[`'\"“])|way to|should be",
    "(?:sie|man) (?:kann|können|muss|müssen|sollte[n]?)|indem|wird .{1,60} (?:gesetzt|eingestellt|geöffnet)",
  ],
  ["してください|する必要|によって|ことができ|します"],
);

/** "When should I use it" is answered by what one should do. */
export const ASKS_FOR_ADVICE = /\bshould (?:i|we|one|you)\b|^\W*when to\b|\bsoll(?:te)? (?:ich|man)\b|べき/iu;
export const GIVES_ADVICE = cue(
  ["should(?! be noted)|recommended|(?:used?|suited) (?:when|if|for|only|sparingly)|sollten?|empfohlen|geeignet"],
  ["推奨|べき|がよい"],
);

/** Several subjects behind the verb that they share. */
export const SUBJECTS_OF_ONE_VERB =
  /\b(?:do|does|did|can|are|were|will|should|haben|sind|werden|können)\s+(?:the\s+)?(\p{L}+(?:,\s+\p{L}+)*,?\s+(?:and|or|und|oder)\s+\p{L}+)(?!\p{L})/iu;

/** A measure that is asked for by an adjective, as sentences that give it name it. */
export const MEASURES: readonly (readonly [adjective: RegExp, named: string])[] = [
  [/^(?:large|big|small)$/iu, "large big size maximum limit"],
  [/^(?:long|short)$/iu, "long length duration"],
  [/^(?:often|frequent)$/iu, "often frequency interval"],
  [/^(?:high|tall)$/iu, "high height tall"],
  [/^deep$/iu, "deep depth"],
  [/^wide$/iu, "wide width"],
  [/^(?:heavy|light)$/iu, "heavy weight weigh"],
  [/^fast$/iu, "fast speed"],
  [/^old$/iu, "old age"],
  [/^(?:hot|warm|cold)$/iu, "hot warm cold temperature"],
  [/^expensive$/iu, "expensive price cost"],
];

/** "Who" is answered by a name: two capital words behind a small one, or one behind "by". */
export const ASKS_WHO = /\bwho(?:m|se)?\b|(?<!\p{L})we[rm](?!\p{L})|誰/iu;
export const GIVES_NAME =
  /(?<=\p{Ll},?\s)(?:\p{Lu}\p{Ll}+\s){1,2}(?:\p{Lu}\.\s)?\p{Lu}\p{Ll}+|(?<!\p{L})(?:by|von|durch)\s\p{Lu}/u;

/** Objections are no objections when they are asked for. */
export const ASKS_FOR_DRAWBACKS =
  /\b(?:drawbacks?|disadvantages?|limitations?|downsides?|risks?|dangers?)\b|nachteil|einschränkung|risik|grenzen|欠点|短所|制限|危険/iu;

/** "Which kinds" is answered by a list. */
export const ASKS_FOR_LIST =
  /\b(?:which|what)\b.{0,40}\b(?:types?|kinds?|sorts?|methods?)\b|\bwhich \p{L}*\s?\p{L}+s\b|welche/iu;
export const GIVES_LIST = /:\s\S+(?:\s\S+){0,4},|,[^,]{1,60},?\s(?:and|or|und|oder)\s/u;

/** Without these words in it, a sentence is about another value of the thing. */
export const QUALIFIERS: readonly (readonly [asks: RegExp, gives: RegExp])[] = [
  [
    /\bmaxim(?:um|al)|\bhow (?:large|big) can\b|\bmost\b|\blargest\b|\bhöchste|\bmaximal/iu,
    /\bmax|\blimit|\bup to\b|\bat most\b|\blargest\b|\bno more than\b|\bcannot (?:be|exceed)|höchst|bis zu|maximal|最大|まで/iu,
  ],
  [/\bminim(?:um|al)|\bsmallest\b|\bmindest/iu, /\bmin|\bat least\b|\bsmallest\b|mindest|最小|最低|以上/iu],
  [/\bdefaults?\b/iu, /\bdefaults?\b|standardmäßig|voreingestellt/iu],
  [/\baverage\b|durchschnitt/iu, /\baverage|\bmean\b|\bmedian\b|durchschnitt|im Mittel|平均/iu],
];

/** "The difference between" is answered by what sets one against the other. */
export const ASKS_FOR_CONTRAST =
  /\bdifferences?\b.*\bbetween\b|\bdiffer(?:s|ent)?\b.*\bfrom\b|^\W*compare\b|\bunterschiede?\b|違い/iu;
export const GIVES_CONTRAST = cue(
  [
    "whereas|while|unlike|in contrast|by contrast|contrary to|rather than|instead(?: of)?|differ(?:s|ent|ences?|ently)?|(?:more|less|stronger|weaker|faster|slower|safer|simpler|stricter) than|as opposed to|compared (?:to|with)|on the other hand",
    "während|wohingegen|dagegen|anders als|im gegensatz|statt|unterscheide\\p{L}*|unterschied\\p{L}*|\\p{L}+er als",
  ],
  ["一方|に対して|と違|異な|よりも?"],
);

export const ASKS_FOR_DEFINITION =
  /^\s*(?:what (?:is|are|does .* (?:mean|do|declare|stand for))|define|was (?:ist|sind|bedeutet|versteht man)|who (?:is|was)|wer (?:ist|war))\b|とは|って何|意味/iu;

/** The words that stand between a name and what it is. */
export const DEFINES = cue(
  [
    "is an?|is the|are(?! (?:not|also|\\p{L}+ly|\\p{L}+ed|\\p{L}+en)(?!\\p{L}))|means|refers to|stands for|denotes|describes|is defined as|consists? of|lets?|allows?|provides?",
    "ist (?:ein|eine|der|die|das)|sind|bezeichnet|bedeutet|nennt man|versteht man|heißt|besteht aus|dient",
  ],
  ["とは|(?:は|が)、?(?=.{1,60}(?:である|です|という|こと|もの|指す))"],
);

/** What stands behind it only tells the word before it apart from others. */
export const BESIDE_HEAD = /(?<!\p{L})(?:of|for|in|with|to|on|at|by|from|von|für|im|mit|zu|bei|aus)(?!\p{L})/iu;

/** A name follows, and what it is stands before it. */
export const NAMES = cue(["called|known as|named|genannte[nrs]?|namens"], ["という"]);
