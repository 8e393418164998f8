// Lists stop words: words that say nothing about the subject of a text.
import { stopWordsOfLanguage } from "./stop-lists.ts";

const ENGLISH = `
a about above after again against all along already also although always am among an and another any anyone anything
are as at be became because become been before being below between both but by came can cannot come could did do does
doing done down during each either else enough etc even ever every everybody everyone everything few for from further get gets getting give
given gives go goes got had has have having he hence her here hers herself him himself his how however i if in indeed
instead into is it its itself just keep let like made make makes making many may me might mine more most much must my
myself neither never no nor not now of off often on once one only onto or other others otherwise our ours ourselves out
over own per perhaps please quite rather really same shall she should since so some someone something still such than
that the their theirs them themselves then there therefore these they thing things this those though through thus to
together too toward towards under until unto up upon us use used uses using usually very via want was way ways we well
were what whatever when whenever where whether which while who whole whom whose why will with within without would yes
yet you your yours yourself
d don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven ll m re s t ve
`;

/** German stop words that are no English words. Umlauts are left out, as in compared words. */
const GERMAN = `
aber alle allem aller alles als andere anderem anderen anderer anderes auch auf aus bei beim bereits bis bzw da
dabei dadurch dafur dagegen daher damit danach daran darauf daraus darf darin daruber darum davon davor dazu dein deine
dem denn deren der dessen deshalb dich diese diesem diesen dieser dieses doch dort durch durfen eher eigentlich ein
eine einem einen einer eines einige einigen einmal etwa etwas euch euer eure ganz gegen geht gewesen gibt haben
hatte hatten hierzu hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres immer indem innerhalb ins ist jede
jedem jeden jeder jedes jedoch jetzt kann kein keine keinem keinen keiner kommt konnen konnte konnten lassen lasst
manche manchmal mehr mein meine meist mich mir muss mussen musste nach nachdem neben nicht nichts noch nur ob obwohl
oder oft ohne sehr sein seine seinem seinen seiner seit sich sie sind sobald solche soll sollen sollte sollten somit sondern
sonst soweit sowie statt trotz uber uberhaupt ums und uns unser unsere unter viel viele vielen vom von vor wahrend wann
warum weder wegen weil weitere welche welchem welchen welcher welches wem wen wenig wenige wenn wer werde werden wessen
weshalb wie wieder wieso wieviel wird wirst wodurch wofur woher wohin wollen womit woran worauf woraus worin worum wovon
wozu wurde wurden zu zum zur zwar zwischen
`;

/** German stop words that mean something else in English, as "die" and "war" do. They count only in German texts. */
const GERMAN_OR_ENGLISH = `
ab allen am an bin dann das den des die dies dir du er es falls fur hast hat hier im ja je man mit nun ohne so tun um war waren ware was
will wo worden
`;
const MIN_GERMAN_WORDS = 2;

/** Words that people use to ask, but do not ask about. */
const ASKING = `
say says said tell tells describe describes described explain explains explained mention mentions mentioned discuss
discusses question questions answer answers difference differences compare compared comparison work works working need
needs needed happen happens mean means meaning sagt sagen steht beschreibt beschreibe erklart erklare frage antwort
unterschied unterschiede bedeutet heisst geschieht passiert funktioniert
`;

const ENGLISH_WORDS = wordSet(ENGLISH);
const GERMAN_WORDS = wordSet(GERMAN);
const GERMAN_ONLY_IN_GERMAN = wordSet(GERMAN_OR_ENGLISH);
const ASKING_WORDS = wordSet(ASKING);

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** `words` are all words of one text, which show whether it is German. */
export function withoutStopWords(words: readonly string[]): string[] {
  const inGerman = isGerman(words);
  return words.filter((word) => !isStopWord(word) && !(inGerman && GERMAN_ONLY_IN_GERMAN.has(word)));
}

/** `words` are all words of one question, in any language. Finding the language would take too long for every passage. */
export function withoutStopWordsOfQuestion(words: readonly string[]): string[] {
  const inLanguage = stopWordsOfLanguage(words);
  return withoutStopWords(words).filter((word) => !inLanguage.has(word));
}

export function isGerman(words: readonly string[]): boolean {
  return new Set(words.filter((word) => GERMAN_WORDS.has(word))).size >= MIN_GERMAN_WORDS;
}

function isStopWord(word: string): boolean {
  // Short words of only hiragana are particles and endings.
  return ENGLISH_WORDS.has(word) || GERMAN_WORDS.has(word) || /^\p{Script=Hiragana}{1,3}$/u.test(word);
}

export function isRequestWord(word: string): boolean {
  return ASKING_WORDS.has(word);
}
