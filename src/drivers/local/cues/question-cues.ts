// How people put their questions, and what to search for, in English, German and Japanese: data.

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
