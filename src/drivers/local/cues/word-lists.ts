// Words that tell little of what a text is about, and forms of words that no stemmer brings together: data.

// --- words that tell little ---------------------------------------------------------------------------------------

/** Words of a question that say how it is asked rather than what about; documents often use others for them. */
const WEAK_ENGLISH = `
add affect allow allowed apply approach avoid bad behave behavior behaviour benefit best better big care
cause change check choose come common compared consider correct create current deal decide define
depend detail different do effect enable ensure example exist expect fast find first follow general good great handle
help high idea implement important improve include information involve keep kind know large long
look low main make manage matter meaning method name new old need needed necessary part people perform point possible prefer
prevent problem process proper provide purpose put reason recommend recommended reduce relate require required
result right run safe safely separate set short show simple small solution solve sort specific start step stop
 take task thing time tip topic try turn type typical typically understand useful value various way
maximum minimum number amount total average count increase decrease raise lower well work wrong take reach become begin last stay start arrive
tune tuned tuning configure configured adjust declare declared state specify specified contain denote indicate
advantage drawback disadvantage limitation influence impact role develop developed characteristic feature consequence pro con original originally
hot cold warm heavy light deep wide tall old young often far soon thick long short big small high low expensive cheap many much inside outside indoors outdoors nearby anywhere somewhere
`;
const WEAK_GERMAN = `
andern anderung ablauf aufgabe bedeutung beispiel besonders besser beste besten bestimmt bringen eignet empfiehlt empfohlen
entsteht finden folgen funktionieren gehoren gelten genau gilt gross grosse grund gut haufig hilft klein konkret lang lange
auswirkung einfluss folge nachteil rolle wirkung merkmal eigenschaft entwickelt entwickeln
losung machen man moglich moglichkeit nutzen problem richtig schnell schritt sinnvoll sollte tun typisch umgang anzahl maximal minimal erhohen verringern neu neue alle einzeln eigen einfach vollstandig aktuell vermeiden dauern dauert heiss warm kalt schwer tief hoch breit alt oft weit dick teuer billig werden
verwenden vorgehen vorteil wichtig wirkt ziel zweck
`;
const WEAK_JAPANESE = `
方法 理由 場合 必要 使用 利用 違い 意味 目的 例 種類 可能 行う 使う できる する なる ある いる やり方 手順 影響 特徴 役割
どの どう 何 なぜ いつ どこ 誰 くらい べき です ます たら れる られる
`;

export const WEAK_WORDS = {
  english: wordsIn(WEAK_ENGLISH),
  german: wordsIn(WEAK_GERMAN),
  japanese: wordsIn(WEAK_JAPANESE),
} as const;

function wordsIn(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

/** Words that name no aspect of anything. */
export const IDLE_WORDS: readonly string[] = `
example examples section chapter page pages file files note notes following default value values name names number
case cases option options command commands set list line lines text user users system systems document documents
package packages version versions information data source sources table figure see also use used using way first second
last next time times people year years day days same different several various available possible common general
beispiel beispiele abschnitt kapitel seite datei dateien fall wert werte liste zeile benutzer system dokument paket
version jahr jahre tag tage zeit ersten zweiten letzten
例 章 節 場合 こと もの ため とき 以下 次 上記 ファイル 名前 番号 値
`
  .split(/\s+/u)
  .filter((word) => word !== "");

/** What stands before a noun. */
export const DETERMINER =
  /(?<!\p{L})(?:an?|the|this|that|its|their|each|every|any|no|of|some|der|die|das|den|dem|des|ein|eine[mnrs]?)\s+$/iu;

/** A clause that begins so begins with its subject. */
export const DETERMINER_WORD =
  /^(?:an?|the|this|its|their|our|my|your|each|every|der|die|das|den|ein|eine[nr]?|unser|unsere|mein|meine)$/iu;
/** Behind it stands what is said about the topic. */
export const JAPANESE_TOPIC = /[はが]/u;

/** Forms that no stemmer brings together: the verb, then its forms. */
export const IRREGULAR_FORMS: readonly (readonly string[])[] = `
pay paid|build built|hold held|write wrote written|make made|take took taken|give gave given|run ran|keep kept|send sent
lose lost|buy bought|sell sold|break broke broken|grow grew grown|draw drew drawn|choose chose chosen|speak spoke spoken
steal stole stolen|drive drove driven|ride rode ridden|eat ate eaten|drink drank drunk
begin began begun|sing sang sung|sink sank sunk|swim swam swum|fly flew flown|know knew known|throw threw thrown|wear wore worn
tear tore torn|swear swore sworn|freeze froze frozen|forget forgot forgotten|hide hid hidden|bite bit bitten
teach taught|catch caught|think thought|bring brought|fight fought|seek sought|meet met|sleep slept|sweep swept
spend spent|lend lent|bend bent|win won|shine shone|shoot shot|sit sat|stand stood|understand understood|tell told|say said
do did done|go went gone|feed fed|lead led|bind bound
dry dried drier|shrink shrank shrunk|spin spun|stick stuck|strike struck|dig dug|hang hung|die died dead death
license licence|foot feet|man men|woman women|child children|mouse mice|goose geese|tooth teeth|leaf leaves|life lives|knife knives|wolf wolves
index indices|matrix matrices|vertex vertices|analysis analyses|hypothesis hypotheses|criterion criteria|phenomenon phenomena
datum data|medium media|bacterium bacteria|fungus fungi|nucleus nuclei|stimulus stimuli
`
  .trim()
  .split(/[|\n]/u)
  .map((forms) => forms.split(" "));
