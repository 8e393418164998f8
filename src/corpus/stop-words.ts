// Words that say nothing about what a text is about.

const ENGLISH = `
a about above after again against all along already also although always am among an and another any anyone anything
are as at be became because become been before being below between both but by came can cannot come could did do does
doing done down during each either else enough etc even ever every everyone few for from further get gets getting give
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

/** Words with which people ask, rather than what they ask about. */
const ASKING = `
say says said tell tells describe describes described explain explains explained mention mentions mentioned discuss
discusses question questions answer answers difference differences compare compared comparison work works working need
needs needed happen happens mean means meaning
`;

const STOP_WORDS: ReadonlySet<string> = new Set(ENGLISH.split(/\s+/).filter((word) => word !== ""));
const ASKING_WORDS: ReadonlySet<string> = new Set(ASKING.split(/\s+/).filter((word) => word !== ""));

export function isStopWord(word: string): boolean {
  // Short words of hiragana alone are particles and endings.
  return STOP_WORDS.has(word) || /^\p{Script=Hiragana}{1,3}$/u.test(word);
}

export function isAskingWord(word: string): boolean {
  return ASKING_WORDS.has(word);
}
