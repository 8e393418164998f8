// How people ask, what an answer to that looks like, and what to search for, in English, German and Japanese: data.
import { cue } from "./cue.ts";

// --- questions and their answers ----------------------------------------------------------------------------------

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
    dimensions: ["length", "mass", "volume", "storage", "speed", "power", "energy", "pressure", "share", "number"],
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
      "number",
      "money",
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
export const GIVES_TIME = cue(
  [
    "\\p{N}{4}|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|when|after|before|until|once|as soon as|if",
    "januar|februar|märz|mai|juni|juli|oktober|dezember|wenn|nachdem|bevor|sobald|nach|vor|bis|seit|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?",
  ],
  ["[\\p{N}一二三四五六七八九十]+[年月日時]|曜日|とき|前|後"],
);

/** "When should I use it" is answered by what one should do. */
export const ASKS_FOR_ADVICE = /\bshould (?:i|we|one|you)\b|\bwhen to\b|\bsoll(?:te)? (?:ich|man)\b|べき/iu;
export const GIVES_ADVICE = cue(
  ["should(?! be noted)|recommended|(?:used?|suited) (?:when|if|for|only|sparingly)|sollten?|empfohlen|geeignet"],
  ["推奨|べき|がよい"],
);

/** Several subjects behind the verb that they share. */
export const SUBJECTS_OF_ONE_VERB =
  /\b(?:do|does|did|can|are|were|will|should|haben|sind|werden|können)\s+(?:the\s+)?(\p{L}+(?:,\s+\p{L}+)*,?\s+(?:and|or|und|oder)\s+\p{L}+)(?!\p{L})/iu;

/** What lies on one side of a number. */
export const GIVES_BOUND = cue(
  ["(?:lower|higher|less|more|fewer|larger|smaller) than", "(?:weniger|mehr|kleiner|größer|höher|niedriger) als"],
  ["より(?:低|高|多|少|大き|小さ|長|短)"],
);

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
    /\bmaxim(?:um|al)|\bmost\b|\blargest\b|\bhöchste|\bmaximal/iu,
    /\bmax|\blimit|\bup to\b|\bat most\b|\blargest\b|\bno more than\b|\bcannot (?:be|exceed)|höchst|bis zu|maximal|最大|まで/iu,
  ],
  [/\bminim(?:um|al)|\bsmallest\b|\bmindest/iu, /\bmin|\bat least\b|\bsmallest\b|mindest|最小|最低|以上/iu],
  [/\bdefaults?\b/iu, /\bdefaults?\b|standardmäßig|voreingestellt/iu],
  [/\baverage\b|durchschnitt/iu, /\baverage|\bmean\b|\bmedian\b|durchschnitt|im Mittel|平均/iu],
];

export const ASKS_FOR_DEFINITION =
  /^\s*(?:what (?:is|are|does .* (?:mean|do))|define|was (?:ist|sind|bedeutet|versteht man)|who (?:is|was)|wer (?:ist|war))\b|とは|って何|意味/iu;

/** The words that stand between a name and what it is. */
export const DEFINES = cue(
  [
    "is an?|is the|are(?! (?:not|also|\\p{L}+ly|\\p{L}+ed|\\p{L}+en)(?!\\p{L}))|means|refers to|stands for|denotes|describes|is defined as|consists? of|lets|allows|provides",
    "ist (?:ein|eine|der|die|das)|sind|bezeichnet|bedeutet|nennt man|versteht man|heißt|besteht aus|dient",
  ],
  ["とは|(?:は|が)、?(?=.{1,60}(?:である|です|という|こと|もの|指す))"],
);

/** A name follows, and what it is stands before it. */
export const NAMES = cue(["called|known as|named|genannte[nrs]?|namens"], ["という"]);

// --- taking a question apart --------------------------------------------------------------------------------------

const ASKING_ENGLISH =
  "what|how|why|when|where|which|who|whom|whose|is|are|was|were|do|does|did|can|could|should|will|would|must|may";
const ASKING_GERMAN =
  "was|wie|wieso|warum|weshalb|wann|wo|wohin|woher|womit|wodurch|worin|wozu|wer|wem|wen|wessen|wieviele?|welche[mnrs]?";

/** Between two questions that one sentence asks. */
export const JOINED_QUESTION = new RegExp(
  [
    `(?<!\\b(?:between|both)\\s(?:(?!\\band\\b)[^,;?]){0,60}),?\\s+(?:and|or|but)\\s+(?=(?:${ASKING_ENGLISH}|describe|explain|compare|list|tell|give)\\b)`,
    `,\\s+(?=(?:${ASKING_ENGLISH})\\b)`,
    `,?\\s+(?:und|oder|aber)\\s+(?=(?:${ASKING_GERMAN})\\b)`,
    "(?<=か)、(?:また|そして|それとも)?",
  ].join("|"),
  "iu",
);

/** "If the pump stops, what ..." */
export const CONDITION =
  /^\W*(?:if|because|since|although|while|after|before|once|unless|wenn|falls|weil|nachdem|bevor|sobald|obwohl|(?:when|where)(?!\s+(?:is|are|was|were|do|does|did|can|could|should|will|would|must|may)\b))(?!\p{L})/iu;

/** A half of a list that says what is done is a part of its own. */
export const OWN_VERB = /^\W*(?:\p{Ll}{2,}ing|describe|explain|compare|list|tell|give)\b/u;

/** "... and when?" asks for one thing more of what was asked before. */
export const ASKING_ALONE = new RegExp(`^\\W*(?:${ASKING_ENGLISH}|${ASKING_GERMAN})\\W*$`, "iu");

/** "... and what can go wrong?" names no subject of its own. */
export const VAGUE_WORDS: ReadonlySet<string> = new Set(
  `wrong fail fails happen happens matter matters mean means important best better good bad cost costs risk risks limit
  limits limitations problem problems issue issues drawbacks advantages disadvantages benefits alternatives example
  examples limitation influence role effect effects impact kosten kostet vorteile nachteile risiken grenzen probleme beispiele alternativen wichtig 利点 欠点 問題 費用 例 注意点`.split(
    /\s+/u,
  ),
);
/** The documents that are asked, not what is asked about. */
export const THE_CORPUS =
  /\b(?:according to (?:the|these|my|our)|(?:in |by )?(?:these|those|my|our)) (?:documents?|docs|packages?|papers?|files?|notes?|texts?|sources?|articles?|folders?|reports?|readmes?|authors?|studies)\b|\b(?:of|from|in|by) the (?:documents|papers|studies|sources|articles|notes)\b(?=\W*$)|(?:in |laut )?(?:diese[nrm]?|meine[nrm]?|unsere[nrm]?|den) (?:Dokumenten?|Unterlagen|Notizen|Quellen|Texten?|Papieren?|Artikeln?)(?!\p{L})|(?:この|これらの)(?:文書|資料|論文|ファイル|メモ)(?:では|には|によると)?/giu;

/** "how dry", "wie hoch ist", 何冊: the answer is a number, which seldom stands beside the word. */
export const ASKED_MEASURE =
  /(?<=\bhow )(?!to\b|do\b|does\b|did\b|can\b|is\b|are\b)\p{L}+(?=\s)|(?<=\bwie )\p{Ll}+(?= (?:ist|sind|war|waren|muss|müssen|darf|dürfen|soll|sollte|kann|wird|werden)(?!\p{L}))|何[個冊人本枚台回度年月日時分秒歳階円番倍名匹件%％]|何パーセント|(?:どのくらい|どれくらい)の(?:期間|時間|頻度|量)|期間|よい|いい/giu;

/** "it" that stands for nothing. */
export const DUMMY_PRONOUN =
  /\b(?:(?:does|did|do|will|would|can|may) it (?:take|need|cost)|is it (?:possible|important|necessary|safe|allowed|better|best|true|worth)|ist es|gibt es|dauert es)\b/giu;
/** "that" and "das" that stand for what was asked before. */
export const POINTS_BACK =
  /\bwhich ones?\b|\b(?:is|was|does|did|can|will|would|should|of|with|about|for) (?:that|those)(?=\s*$|\s+\p{L})|(?<!\p{L})(?:ist|war|kann|wird|geht|macht) (?:das|dies)(?!\p{L})/iu;
export const REFERS_BACK: ReadonlySet<string> = new Set(
  "it its they them their this these those er sie ihn ihm ihnen ihre diese dieser diesem dessen deren davon damit dabei それ その これ この".split(
    " ",
  ),
);

// --- searching ----------------------------------------------------------------------------------------------------

/** Words that are searched for beside those of the question, by what a perspective looks for. */
export const SEARCH_WORDS = {
  english: {
    overview: [["overview"], ["meaning"]],
    practice: [
      ["example", "usage"],
      ["configure", "set", "recommended"],
    ],
    contrarian: [
      ["limitation", "unsupported", "only"],
      ["problem", "issue", "warning", "error"],
      ["avoid", "caution", "instead", "deprecated"],
    ],
  },
  german: {
    overview: [["Überblick"], ["Bedeutung"]],
    practice: [
      ["Beispiel", "Verwendung"],
      ["einstellen", "empfohlen", "Schritt"],
    ],
    contrarian: [
      ["Einschränkung", "Grenze", "nicht"],
      ["Problem", "Fehler", "Warnung"],
      ["vermeiden", "Vorsicht", "Nachteil"],
    ],
  },
  japanese: {
    overview: [["概要"], ["意味"]],
    practice: [
      ["例", "使用"],
      ["設定", "方法", "手順"],
    ],
    contrarian: [
      ["制限", "限界"],
      ["問題", "注意", "警告"],
      ["欠点", "危険", "失敗"],
    ],
  },
} as const;
