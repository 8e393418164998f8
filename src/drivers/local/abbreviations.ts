// Where a full stop ends no sentence: abbreviations, initials, ordinals and numbers of headings.

/** After these a sentence never ends. */
const NEVER_LAST =
  /(?:^|[\s([„“"'])(?:e\.\s?g|i\.\s?e|vs|cf|approx|incl|resp|mr|mrs|ms|dr|prof|st|gen|gov|viz|ca|z\.\s?b|d\.\s?h|u\.\s?a|o\.\s?ä|s\.\s?o|s\.\s?u|bzw|vgl|sog|inkl|exkl|evtl|ggf|bspw|bzgl|gem|zzgl|hrsg)\.$/iu;
/** These belong to the number behind them. */
const BEFORE_NUMBER =
  /(?:^|[\s([„“"'])(?:no|nos|figs?|eqs?|secs?|ch|chap|vols?|pp?|nr|abs|art|abb|tab|kap|max|min|mind|s|bd|v|ver|§)\.$/iu;
/** After these it may end: it does when a word follows with which sentences begin. */
const MAYBE_LAST =
  /(?:^|[\s([])(?:etc|usw|al|inc|ltd|co|corp|bros|gmbh|a\.\s?m|p\.\s?m|e\.\s?u|jan|feb|mar|apr|jun|jul|aug|sept?|okt|oct|nov|dec|dez|jr|sr|ph\.\s?d|v\.\s?chr|n\.\s?chr|eds?|est|ext|tel|str)\.$/iu;
/** "z. B." and its like, written with a space. */
const FIRST_HALF = /(?:^|[\s(])\p{L}\.$/u;
const SECOND_HALF = /^\p{L}\./u;
const INITIALS = /(?:^|[\s(.])\p{Lu}\.$/u;
const OPENS_SENTENCE =
  /^["'“‘«„(*_`]*(?:the|an?|in|it|this|that|these|those|we|for|he|she|they|there|but|and|if|when|while|as|at|on|by|to|from|with|after|before|however|such|most|some|many|all|each|its|their|our|der|die|das|ein|eine|es|er|sie|wir|man|im|bei|mit|nach|vor|wenn|als|auch|dies|diese|dieser|für|zu|zum|zur|auf|aus)(?![\p{L}\p{N}])/iu;
const NUMBER_OF_HEADING = /^(?:[(\p{Ps}]?\p{N}{1,3}(?:\.\p{N}{1,3})*|[IVXLC]{1,6})\.$/u;
const GERMAN_ORDINAL =
  /(?:^|\s)(?:am|dem|den|des|der|die|das|vom|zum|bis|ab|im|beim|seit|jeden?|jeder|und|\p{N}{1,2}\.)\s\p{N}{1,2}\.$/iu;
const MONTH =
  /^(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jahrhundert|jh\b|bis\b|und\b|auflage|kapitel|klasse)/iu;

/** `before`: the sentence so far, with its full stop last. `after`: what follows, without space before it. */
export function isWithinSentence(before: string, after: string): boolean {
  const tail = before.slice(-12);
  if (/\p{N}/u.test(tail.at(-2) ?? "")) {
    return (
      NUMBER_OF_HEADING.test(before) ||
      GERMAN_ORDINAL.test(tail) ||
      (/(?:^|\s)\p{N}{1,2}\.$/u.test(tail) && MONTH.test(after))
    );
  }
  if (NEVER_LAST.test(tail) || (BEFORE_NUMBER.test(tail) && /^\p{N}/u.test(after))) return true;
  if (FIRST_HALF.test(tail) && SECOND_HALF.test(after)) return true;
  if (INITIALS.test(tail) || MAYBE_LAST.test(tail)) return !OPENS_SENTENCE.test(after);
  return NUMBER_OF_HEADING.test(before);
}
