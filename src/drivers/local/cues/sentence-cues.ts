// How a sentence shows what it is, in English, German and Japanese: data.
import { cue, opening } from "./cue.ts";

// --- stance -------------------------------------------------------------------------------------------------------

/** What goes wrong, costs or is dangerous. */
export const SPEAKS_AGAINST = cue(
  [
    "unable|unless|deprecated|obsolete|unsupported|unsafe|insecure|vulnerab\\p{L}+|limit(?:s|ed|ation|ations)?|restrict\\p{L}*|warnings?|caution|beware|careful\\p{L}*|avoid\\p{L}*|fail(?:s|ed|ure|ures)?|bugs?|problems?|breaking|incompatib\\p{L}+|drawbacks?|disadvantages?|downsides?|slow(?:er|s|ing)?|danger\\p{L}*|lacks?|los(?:s|e|es|ing|t)|discouraged|ambiguous|ambiguit\\p{L}+|risks?|risky|harm(?:s|ful)?|unreliable|no longer|at the cost of|costly|expensive|overhead|penalt(?:y|ies)|degrad\\p{L}+|reduces? (?:the )?performance|deadlocks?|corrupt\\p{L}*|damag\\p{L}+|break(?:s|ing)?|stops? working|(?:does|do|is|are|will|may|can|could) ?not (?:be )?(?:work|supported|possible|guarantee\\p{L}*|reliable|available|safe|recommended|sufficient|enough|handle|support|scale|suitable|appropriate|compatible|portable|a good idea)|cannot",
    "unmöglich|veraltet|unsicher|gefährlich\\p{L}*|gefahr|warnung|achtung|vorsicht|vermeiden|vermieden|fehler|fehlschl\\p{L}+|scheiter\\p{L}+|problem\\p{L}*|nachteil\\p{L}*|einschränk\\p{L}*|eingeschränkt|begrenz\\p{L}+|beschränk\\p{L}+|risik\\p{L}+|langsam\\p{L}*|schädlich\\p{L}*|schaden|schäden|abgeraten|abraten|verlust|verlier\\p{L}*|teuer",
  ],
  [
    "can['’]t(?!\\p{L})",
    "できない|できません|てはいけ|てはなら|不可能|不可|非推奨|廃止|危険|注意|警告|制限|限界|欠点|短所|問題|失敗|避け|禁止|未対応|遅い|弱い|リスク|失う",
  ],
);

/** What denies or excepts something is an objection when nothing better is there. */
export const SPEAKS_SOFTLY_AGAINST = cue(
  [
    "not|never|nor|neither|none|except|only|however|but|although|instead|without|despite|rather than|errors?|issues?|ignored?",
    "nicht|nie|niemals|kein|keine[mnrs]?|weder|nur|jedoch|aber|obwohl|stattdessen|ohne|trotz|allerdings|dennoch",
  ],
  ["n['’]t(?!\\p{L})", "ません|しない|されない|ではない|でない|しかし|ただし|だけ|のみ|にもかかわらず"],
);

export const SHOWS_PRACTICE = cue(
  [
    "use[ds]?|using|examples?|call(?:s|ed)?|pass(?:es|ed)?|set(?:s|ting)?|specif(?:y|ies|ied)|configur\\p{L}+|run(?:s|ning)?|import(?:s|ed)?|create[ds]?|add(?:s|ed)?|define[ds]?|enable[ds]?|install(?:s|ed|ing)?|put|keep|type|press|choose|by default|can be|you can|you should|to do so|for instance|recommended|steps?|in practice",
    "verwende[nt]?|verwendet|benutz\\p{L}+|nutz\\p{L}+|beispiel\\p{L}*|einstell\\p{L}+|eingestellt|setz\\p{L}+|konfigur\\p{L}+|ausführ\\p{L}+|ausgeführt|anleg\\p{L}+|angelegt|installier\\p{L}+|wähl\\p{L}+|eingeben|geben sie|können sie|man kann|sollte[nt]?|empfohlen|schritt\\p{L}*|praxis|standardmäßig",
  ],
  ["使用|使い|使う|利用|例えば|たとえば|設定|実行|指定|追加|作成|インストール|してください|手順|推奨|方法|行う"],
);

// --- leaning ------------------------------------------------------------------------------------------------------

/** A sentence that begins like this is understood only after the one before it. */
export const LEANS = opening(
  [
    "this|that|these|those|it(?! (?:takes?|took|is (?:possible|important|necessary|recommended|common|best|safe|hard|easy|not|also|often|usually)|seems|appears|may be|can be|should be|must be)(?!\\p{L}))|its|they|them|their|he|his|she|her|here|such|also|then|thus|therefore|hence|and|but|or|nor|so|yet|however|moreover|furthermore|additionally|nevertheless|nonetheless|otherwise|instead|likewise|similarly|consequently|accordingly|meanwhile|conversely|finally|besides|still|both (?:of|are|were|have)|the (?:former|latter|same|other(?! hand)|second|last one|first one)|another|one (?:way|reason|example)|alternatively|as a result|as a consequence|as above|as such|in (?:this|that|these|those|such|both|addition|contrast|particular|other words|the same)|for (?:this|that|these|example|instance)|on the other hand|by contrast|at the same time|because of this|after (?:this|that)|at this|from this|to this|note that|see|second(?:ly)?|third(?:ly)?|if so|if not|either way|in either case|as (?:before|usual)|unlike this|the default(?: value| setting)? is|if -?\\p{N}+ is (?:specified|given|used)|if omitted|in fact|indeed|there(?:after|fore|by)",
    "dies|diese[mnrs]?|das (?:ist|sind|war|heißt|bedeutet|gilt|kann|wird|kommt|liegt|führt|macht|geht)|er|sie (?:ist|sind|war|waren|wird|werden|hat|haben|kann|können|dient)|ihre?[mnrs]?|es (?:ist|war|wird|hat|kann|muss|soll|dient)|dadurch|daher|deshalb|deswegen|dabei|damit|danach|davon|dazu|dann|dafür|dagegen|darum|daraus|darin|dort|hier|hierbei|hierzu|hierfür|außerdem|zudem|ferner|jedoch|allerdings|dennoch|trotzdem|aber|und|oder|denn|sonst|ansonsten|andernfalls|stattdessen|ebenso|ebenfalls|auch|somit|folglich|also|so|siehe|zum beispiel|beide|letztere[rs]?|erstere[rs]?|in diesem|in dieser|in diesen|aus diesem",
  ],
  [
    "(?:\\p{L}+,\\s)?[^,;:.!?]{0,45}?\\b(?:this|these|those|such)\\b",
    "(?:if|when|because|since|as|after|before|while|although|once|until|whenever) (?:it|they|that|he|she)\\b",
    "(?:wenn|weil|da|nachdem|bevor|obwohl|sobald|falls|während) (?:er|sie|es|dies)(?!\\p{L})",
    "[^,;:.!?]{0,45}?(?<!\\p{L})(?:diese[mnrs]?|jene[mnrs]?)(?!\\p{L})",
    "これ|それ|この|その|あの|こう|そう|ここ|そこ|しかし|だが|また|さらに|そのため|したがって|従って|ただし|なお|例えば|たとえば|つまり|すなわち|そして|一方|なぜなら|よって|ゆえに|同様に|ところが|次に|なので|ですから|もっとも|まず|最後に|もちろん|つぎに|ちなみに|実際",
  ],
);

/** So begins what explains the heading or term right above it. */
export const POINTS_UP = opening(["this|these|it|they|dies|diese[rs]?|es|sie|er"], ["これは|この"]);

/** What a sentence points to does not stand in it. */
export const POINTS_ELSEWHERE = cue(
  [
    "the following|as follows|(?:shown|listed|described|given|mentioned|discussed|explained|noted|defined|see) (?:above|below|earlier|later|previously|in|on)|(?:section|chapter|figure|fig\\.|table|appendix|listing|equation|page) \\p{N}+(?:\\.\\p{N}+)*|see (?:also|section|chapter|the)|(?:the )?(?:above|preceding|previous|next) (?:example|section|command|code|table|figure|chapter|paragraph|list)|for (?:more|further|full) (?:information|details)|details (?:of|on|about) .{0,40}(?:are|can be) |what follows|in the above|refer to|(?:to )?(?:read|learn|find out) more|more (?:information|details)|this (?:section|chapter|document|manual|page|appendix|book|guide|paper)",
    "(?:im |den |die )?folgende[nrms]?|lesen sie|mehr (?:über|zu|dazu)|näheres|weitere (?:informationen|einzelheiten|hinweise)|einzelheiten|siehe(?: auch)?|(?:abschnitt|kapitel|abbildung|tabelle|anhang|seite) \\p{N}+(?:\\.\\p{N}+)*|(?:oben|unten) (?:genannt|beschrieben|gezeigt|erwähnt|aufgeführt)\\p{L}*|(?:dieser|diesem|dieses|diese) (?:abschnitt|kapitel|dokument|handbuch|seite|anleitung)\\p{L}*",
  ],
  [
    "以下の|次の(?:ように|とおり|通り|コマンド|手順|例|表|図)|を参照|上記|下記|前述|後述|図\\s*\\p{N}|表\\s*\\p{N}|本(?:書|章|節|文書)",
  ],
);

/** It only says where something is told. */
export const POINTER =
  /(?:is|are) (?:further )?(?:described|documented|discussed|explained|covered|listed|shown) (?:in(?: more)? (?:detail )?(?:in|at|under|by)?|at|under|below|above)|^\W*(?:for|on|about)\b[^.]{0,140},\s(?:please )?(?:see|refer to|read)\b|^\W*(?:also )?see\b|(?:wird|werden|ist|sind) (?:in|im|unter) [^.]{2,60} (?:beschrieben|erklärt|erläutert)/iu;

/** A description of an option, whose name stands above it. */
export const LACKS_SUBJECT = opening([
  "specif(?:y|ies)|sets?|controls?|(?:en|dis)ables?(?: or (?:en|dis)ables?)?|determines?|returns?|defines|prints?|shows?|indicates|gives|selects?|allows?|causes?|forces?|contains|represents|lists?|displays?|outputs?|dump|converts|tells|reports|applies|provides|describes|produces?|if (?:true|false|set|unset|enabled|disabled|specified|given|omitted|not|nonzero|non-zero|zero|-?\\p{N}+)",
  "legt fest|gibt an|bestimmt|setzt|aktiviert|deaktiviert|zeigt|liefert|enthält",
]);

/** A few words that say something: one of them looks like a verb. */
export const SAYS_SHORTLY =
  /^\S+(?:\s+\S+)*?\s+(?:(?:is|are|was|were|has|have|had|can|cannot|must|may|might|will|does|do|did|should|costs?|ist|sind|war|waren|hat|haben|kann|können|muss|müssen|darf|wird|werden|soll|sollte|gibt)(?=[\s.!?,;:])|\p{Ll}{2,}ed(?=[\s.!?,;:])|\p{Ll}{2,}[^s\P{Ll}]s(?=\s))|^(?:D(?:er|ie|as)|Eine?|Im|Am|E[rs]|Sie|Man|Wir)\s.*\p{Ll}{2,}(?:t|te|ten|en)(?=[\s.!?,;:])/u;

// --- boilerplate --------------------------------------------------------------------------------------------------

/** What leads about in a document or asks for something. */
export const NAVIGATION = cue(
  [
    "star (?:us|this)|npm (?:install|i)|yarn add|table of contents|click here|buy me a coffee|privacy policy|terms of (?:use|service)|cookies? policy|we use cookies|accept (?:all )?cookies|subscribe to|follow us|skip to (?:main )?content|back to (?:the )?top|previous page|next page|contact us|read more|last (?:updated|modified)|generated by|please (?:contact|report|let us know)|leave a (?:post|comment)|isbn|issn",
    "datenschutz(?:erklärung|hinweise)|cookie-richtlinie|wir verwenden cookies|inhaltsverzeichnis|nach oben|hier klicken|klicken sie hier|weiterlesen|abonnieren|zuletzt geändert",
  ],
  ["プライバシーポリシー|利用規約|ここをクリック|目次|お問い合わせ|続きを読む|最終更新"],
);

const LEGAL_PHRASE = cue(
  [
    "copyright (?:\\p{N}{4}|\\(c\\)|©|by|notices?)|licen[cs]ed to|all rights reserved|without (?:any )?warrant(?:y|ies)|warrant(?:y|ies) of any kind|merchantability|sublicense|without limitation|hereby|free software foundation|creative commons|gnu (?:general public|free documentation) license|no part of this",
    "alle rechte vorbehalten|urheberrechtlich geschützt|haftungsausschluss",
  ],
  ["著作権|無断転載|免責事項|ライセンスの下"],
);

const LEGAL_WORDS =
  /(?<!\p{L})(?:copyright|licen[cs]|warrant|urheberrecht|lizenz|gewährleistung)\p{L}*|ライセンス|著作権/giu;
const BEGGING_WORDS = /(?<!\p{L})(?:pull request|sponsor|donat|backer|newsletter|sign up|log in|impressum)\p{L}*/giu;
const MAX_BOILERPLATE_WORDS = 2;

/** A phrase of licences, or several words of boilerplate; one word makes none. */
export function isBoilerplate(text: string): boolean {
  const found = [...(text.match(LEGAL_WORDS) ?? []), ...(text.match(BEGGING_WORDS) ?? [])];
  return LEGAL_PHRASE.test(text) || new Set(found.map((word) => word.toLowerCase())).size >= MAX_BOILERPLATE_WORDS;
}

/** Then licences are what is looked for. */
export function asksForLicence(question: string): boolean {
  return question.search(LEGAL_WORDS) !== -1;
}

/** What stands below such a heading answers nothing. */
export const IDLE_HEADING = opening(
  [
    "(?:\\p{N}+(?:\\.\\p{N}+)*\\.?\\s+)?(?:references|bibliography|works cited|further reading|see also|acknowledg(?:e?ments?)|credits|authors?|contributors|contributing|table of contents|contents|index|licen[cs]e|licensing|copyright(?: notice)?|legal notices?|trademarks?|colophon|sponsors?|backers|change ?log|release notes|feedback|history of this document|about the authors?)\\W*$",
    "(?:\\p{N}+(?:\\.\\p{N}+)*\\.?\\s+)?(?:literatur(?:verzeichnis)?|quellen(?:verzeichnis)?|inhalt(?:sverzeichnis)?|danksagung(?:en)?|stichwortverzeichnis|abbildungsverzeichnis|lizenz|urheberrecht|impressum|autoren|mitwirkende|siehe auch|änderungen)\\W*$",
  ],
  ["(?:参考文献|文献|目次|索引|謝辞|著者|著作権|ライセンス|関連項目|更新履歴)\\s*$"],
);

// --- disagreement -------------------------------------------------------------------------------------------------

export const NEGATION = cue(
  ["not|cannot|never|no longer|unable to", "nicht|nie|niemals|kein|keine[mnrs]?"],
  [
    "(?:is|are|was|were|do|does|did|can|could|should|would|has|have|must|need)n['’]t(?!\\p{L})",
    "(?<!かもしれ)ません|(?<!かもしれ)ない(?:で|と|。|$)|なく|ず(?:に|、)|不可",
  ],
);

/** Words of which one side says the one and the other side the other, as stems of words begin. */
export const OPPOSITES: readonly (readonly [string, string])[] = [
  ["increas", "decreas"],
  ["increas", "reduc"],
  ["rais", "lower"],
  ["improv", "worsen"],
  ["faster", "slower"],
  ["higher", "lower"],
  ["more", "less"],
  ["enabl", "disabl"],
  ["allow", "forbid"],
  ["allow", "prohibit"],
  ["requir", "optional"],
  ["recommend", "discourag"],
  ["safe", "unsafe"],
  ["secure", "insecure"],
  ["supported", "unsupported"],
  ["always", "never"],
  ["beneficial", "harmful"],
  ["success", "fail"],
  ["erhöh", "senk"],
  ["steig", "sink"],
  ["verbesser", "verschlechter"],
  ["schneller", "langsamer"],
  ["höher", "niedriger"],
  ["mehr", "weniger"],
  ["erlaubt", "verboten"],
  ["immer", "nie"],
  ["nützlich", "schädlich"],
  ["増加", "減少"],
  ["上昇", "低下"],
  ["可能", "不可能"],
  ["有効", "無効"],
  ["必須", "任意"],
  ["安全", "危険"],
];
