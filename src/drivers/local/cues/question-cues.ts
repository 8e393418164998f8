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
    asks: /\bhow (?:long|often|soon|old|late)\b|\bwhen\b|\bwie ?(?:lange|oft|alt)\b|\bwann\b|いつ|何[年月日時分秒]|期間|どのくらいの(?:時間|期間|頻度)/iu,
    dimensions: ["time"],
  },
  {
    asks: /\bhow (?:hot|warm|cold)\b|\btemperatures?\b|\bwie ?(?:heiß|warm|kalt)(?!\p{L})|\btemperatur|何度|温度/iu,
    dimensions: ["temperature"],
  },
  {
    asks: /\bhow (?:much|expensive)\b|\bcosts?\b|\bprices?\b|\bkosten\b|\bkostet\b|\bpreise?\b|いくら|費用|価格/iu,
    dimensions: ["money", "share"],
  },
  {
    asks: /\bhow (?:many|much|large|big|fast|high|far|deep|heavy|wide|tall)\b|\bwie ?(?:viele?|groß|schnell|hoch|weit|tief|schwer|breit)(?!\p{L})|いくつ|何[個人本枚台回冊]|どのくらい|どれくらい|どれだけ/iu,
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
    ],
  },
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
    `,?\\s+(?:and|or|but)\\s+(?=(?:${ASKING_ENGLISH})\\b)`,
    `,\\s+(?=(?:${ASKING_ENGLISH})\\b)`,
    `,?\\s+(?:und|oder|aber)\\s+(?=(?:${ASKING_GERMAN})\\b)`,
    "(?<=か)、(?:また|そして|それとも)?",
  ].join("|"),
  "iu",
);

/** "... and when?" asks for one thing more of what was asked before. */
export const ASKING_ALONE = new RegExp(`^\\W*(?:${ASKING_ENGLISH}|${ASKING_GERMAN})\\W*$`, "iu");

/** "... and what can go wrong?" names no subject of its own. */
export const VAGUE_WORDS: ReadonlySet<string> = new Set(
  `wrong fail fails happen happens matter matters mean means important best better good bad cost costs risk risks limit
  limits limitations problem problems issue issues drawbacks advantages disadvantages benefits alternatives example
  examples kosten kostet vorteile nachteile risiken grenzen probleme beispiele alternativen wichtig 利点 欠点 問題 費用 例 注意点`.split(
    /\s+/u,
  ),
);
/** The documents that are asked, not what is asked about. */
export const THE_CORPUS =
  /\b(?:according to (?:the|these|my|our)|(?:in |by )?(?:these|those|my|our)) (?:documents?|docs|packages?|papers?|files?|notes?|texts?|sources?|articles?|folders?|reports?|readmes?|authors?|studies)\b|(?:in |laut )?(?:diese[nrm]?|meine[nrm]?|unsere[nrm]?|den) (?:Dokumenten?|Unterlagen|Notizen|Quellen|Texten?|Papieren?|Artikeln?)(?!\p{L})|(?:この|これらの)(?:文書|資料|論文|ファイル|メモ)(?:では|には|によると)?/giu;

/** "how dry", "wie hoch ist", 何冊: the answer is a number, which seldom stands beside the word. */
export const ASKED_MEASURE =
  /(?<=\bhow )(?!to\b|do\b|does\b|did\b|can\b|is\b|are\b)\p{L}+(?=\s)|(?<=\bwie )\p{Ll}+(?= (?:ist|sind|war|waren|muss|müssen|darf|dürfen|soll|sollte|kann|wird|werden)(?!\p{L}))|何[個冊人本枚台回度年月日時分秒歳階円番倍名匹件]/giu;

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
