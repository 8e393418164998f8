// What a sentence has to hold to answer "when", "who" or "why" at all, in English, German and Japanese: data.
import { cue } from "./cue.ts";

const ENGLISH_VERB =
  "(?:is|are|was|were|do|does|did|can|could|should|shall|will|would|must|may|might|has|have|had|to|exactly)";

/** "When is", not "when the pump stops, what". */
export const WANTS_TIME = new RegExp(
  [
    `^\\W*(?:(?:and|but|or|since|until|from|by|know|say|tell(?: me)?) )*when(?: ${ENGLISH_VERB}(?!\\p{L})|\\W*$)`,
    "(?<!\\p{L})(?:in|on|at) (?:what|which) (?:year|date|day|month|century|time)(?!\\p{L})",
    "(?<!\\p{L})(?:what|which) (?:year|date|day) (?:is|was|did|were)(?!\\p{L})",
    "(?<!\\p{L})(?:seit |bis |ab )?wann(?!\\p{L})",
    "いつ|何年に|何月に",
  ].join("|"),
  "iu",
);

/** What has happened, has a date; no condition stands for it. */
export const WANTS_DATE = new RegExp(
  [
    "(?<!\\p{L})when(?: exactly)? (?:was|were|did|had|has|have)(?!\\p{L})",
    "(?<!\\p{L})(?:what|which) (?:year|date|month|century)(?!\\p{L})",
    "(?<!\\p{L})wann (?:wurden?|war(?:en)?|hat(?:te)?|haben)(?!\\p{L})",
    "(?:いつ|何年に|何月に).*(?:ました|でした|たの|た)か?[?？]?$",
  ].join("|"),
  "iu",
);

const MONTH =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?)";

/** The letters of a month tell it from "may" and "march". */
export const DATE = new RegExp(
  [
    "(?<![\\p{L}\\p{N}_./:-]|(?:RFC|ISO|IEEE|SQL|POSIX|CVE|port|error|page|line)[ :-])(?:1[0-9]|20)\\p{Nd}{2}(?:-\\p{Nd}{2}(?:-\\p{Nd}{2})?)?(?:s|er)?(?![\\p{L}\\p{N}_:-]|[.,]\\p{N}|\\s?(?:[kKMGT]i?B|bytes?|bits?|rows?|pages?|connections?|characters?|columns?|times|metres|meters|litres|euros?|dollars?|Euro|Liter|Meter)(?!\\p{L}))",
    `(?<!\\p{L})(?:${MONTH} \\p{Nd}|\\p{Nd}{1,2}(?:st|nd|rd|th|\\.)?(?: of)? ${MONTH}|(?:in|on|since|until|of|from|to|im|seit|bis|early|late) ${MONTH})(?!\\p{L})`,
    "(?<!\\p{L})(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Montags?|Dienstags?|Mittwochs?|Donnerstags?|Freitags?|Samstags?|Sonntags?)(?!\\p{L})",
    "(?<!\\p{L})(?:yesterday|last (?:year|month|week|spring|summer|autumn|winter)|noon|midnight|gestern|mittags?|mitternachts?|(?:years?|months?|weeks?|days?) ago|\\p{Nd}{1,2}(?::\\p{Nd}{2}| ?[ap]\\.?m\\.?| o.clock| Uhr)|\\p{Nd}{1,2}(?:st|nd|rd|th|\\.) (?:century|Jahrhundert))(?!\\p{L})",
    "[\\p{N}一二三四五六七八九十]+(?:年|月|日|世紀)|曜日|昨年|去年",
  ].join("|"),
  "u",
);

/** For what happens again and again: how often, or in which season. */
export const RECURS = cue(
  [
    "(?:every|each) (?:second|minute|hour|day|week|month|year|night|morning|evening|time|spring|summer|autumn|winter)|daily|weekly|monthly|yearly|annually|hourly|nightly|immediately|after (?:a|some) (?:while|time)|at (?:the )?(?:end|start|beginning|startup|shutdown|boot)|spring|summer|autumn|winter",
    "jede[nsmr]? \\p{L}+|täglich|wöchentlich|monatlich|jährlich|sofort|frühjahr|frühling|sommer|herbst|winter",
  ],
  ["[春夏秋冬]|毎"],
);

/** What has to come first, up to the end of its clause. */
export const CONDITIONS = new RegExp(
  [
    "(?<!\\p{L})(?:when|whenever|after|before|until|once|as soon as|if|unless|while|during|upon|as long as|in case|by the time)(?!\\p{L})[^,.;:]*",
    "(?<!\\p{L})(?:wenn|nachdem|bevor|sobald|solange|während|nach|vor|bis|seit|ab|beim)(?!\\p{L})[^,.;:]*",
    "[^、。]*(?:とき|時|前|後|から|まで|たら|れば|場合)",
  ].join("|"),
  "giu",
);

/** "Who", and not "users who". */
export const WANTS_NAME =
  /^\W*(?:(?:and|but|or|by|to|for|from|with|tell me|know) )*who(?:m|se)?(?!\p{L})|^\W*(?:(?:und|von|durch|mit|für) )?we[rmn](?!\p{L})/iu;
/** What was done by somebody, was done by one with a name. */
export const WANTS_PROPER_NAME =
  /(?<!\p{L})(?:who(?:m|se)?|we[rmn]) (?:is|was|were|did|had|has|war|hat|hatte|wurden?|\p{Ll}+ed|wrote|built|found|made|began|led|gave|\p{Ll}+te)(?!\p{L})/iu;
/** A page and a command are written with capital letters too, but behind "the" or in capitals alone. */
export const PROPER_NAME =
  /(?<=[\p{Ll},(]\s)(?<!(?<!\p{L})(?:the|an?|this|see|in|each)\s)\p{Lu}\p{Ll}[\p{L}.’'-]*(?:\s\p{Lu}[\p{L}.’'-]*)+|^\p{Lu}\p{Ll}+(?:\s\p{Lu}\.)?\s\p{Lu}\p{Ll}+|(?<!\p{L})(?:by|von|durch)\s(?:(?:the|der|dem|den)\s\p{Lu}|(?!Section|Chapter|Table)\p{Lu}\p{Ll})/gu;
/** Somebody who acts by an office. */
export const PERSON = cue([
  "(?:users?|owners?|maintainers?|developers?|authors?|administrators?|admins?|superusers?|root|teams?|committees?|groups?|people|person|members?|leaders?|managers?|operators?|editors?|keepers?|sponsors?|companies|company|delegates?|candidates?|programmers?|contributors?|anyone|anybody|everyone|everybody|someone|somebody|no one|nobody)",
  "(?:an?|the|its|their|each|every|any) (?!server|number|paper|water|order|error|other|letter|parameter|buffer|pointer|header|folder|computer|counter|power|cluster|driver|compiler|parser|trigger|filter|monitor|vector|factor|matter|manner|layer|character|identifier|container)\\p{Ll}{3,}(?:ers?|ors?|ists?|men|man)",
  "jeder|niemand|(?:der|die|ein|eine) \\p{L}+(?:er|in|innen)",
]);

/** More than what only ranks: any word by which a sentence gives a reason or a purpose. */
export const REASON = cue(
  [
    "because|since|so that|so as to|due to|owing to|reasons?|causes?|caused|in order to|otherwise|prevents?|preventing|avoids?|avoiding|therefore|thus|hence|thereby|which means|means that|as a result|results? in|leads? to|ensures?|ensuring|guarantees?|protects?|protecting|guards?|helps?|allows?|enables?|lets|makes it|to (?:avoid|prevent|ensure|keep|make|allow|protect|reduce|save|help|let|guarantee|guard|enable|improve|limit|minimi[sz]e|be able|support|simplify|speed|provide|preserve|stop)|purpose|designed to|meant to|intended to|risks?",
    "weil|da|damit|wegen|grund|gründe|sonst|denn|daher|deshalb|darum|um [^,.]+ zu|aufgrund|verhindert|vermeidet|schützt|dadurch",
  ],
  ["ため|から|ので|理由|原因|よう"],
);

/** How many of what is countable. */
export const HOW_MANY =
  /(?<!\p{L})(?:how many|wie ?viele)\s+(?:of (?:the|these|those)\s+)?(\p{L}[\p{L}-]*(?:\s+\p{L}[\p{L}-]*)?)/iu;
