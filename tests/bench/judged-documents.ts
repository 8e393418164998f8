// Short documents of our own words with questions and graded judgements: 2 answers the question, 1 touches it.

export const JUDGED_DOCUMENTS: Readonly<Record<string, string>> = {
  "bees-1":
    "Honey bees tell each other where flowers are by a dance on the comb. Its angle gives the direction to the sun, its length the distance.",
  "bees-2":
    "A colony of bees survives the winter as a cluster. The bees in the middle shiver to make warmth and change places with those outside.",
  "bees-3":
    "Beekeepers take honey in July. Each hive keeps at least fifteen kilograms for the cold months, or it is fed with sugar syrup.",
  "bridge-1":
    "The deck of a suspension bridge hangs from cables that run over two towers. The cables are anchored in blocks of concrete on both banks.",
  "bridge-2":
    "Steady wind can make a slender deck swing in its own rhythm until it breaks. Engineers add open gratings and stiff trusses against this flutter.",
  "bridge-3":
    "Old stone arches carry their load by pressure alone. Without the keystone the two halves would fall inwards.",
  "bread-1":
    "Sourdough rises without bakers' yeast. Wild yeasts and lactic bacteria in the starter ferment the flour for twelve hours or more.",
  "bread-2":
    "A loaf that is baked with steam has a thin, shiny crust. Spray water into the oven in the first ten minutes.",
  "bread-3":
    "Rye flour holds little gluten. Its dough stays sticky, needs acid to bake well, and gives a dense loaf that keeps for a week.",
  "lock-1":
    "A lock file names the process that holds it. When that process is gone, the lock is stale and another one may take it over.",
  "lock-2":
    "Canal locks lift boats from one level of water to the next. The chamber is filled through sluices in the upper gate.",
  "lock-3":
    "Two transactions that wait for each other are in a deadlock. The database ends one of them and reports an error to its client.",
  "river-1": "Salmon swim up the river in autumn to spawn where they hatched. Weirs without a fish ladder stop them.",
  "river-2":
    "After heavy rain the river carries mud. The plant stops taking water from it until the turbidity has fallen.",
  "pump-1":
    "A heat pump takes warmth from the outside air. Below minus ten degrees its efficiency falls, and an electric heater helps out.",
  "pump-2":
    "The well pump starts when the pressure in the tank falls below two bar. If it starts every minute the tank has lost its air.",
  "glass-1":
    "Window glass is made by floating the melt on liquid tin. The ribbon cools slowly, so that no tension stays in it.",
  "glass-2":
    "Tempered glass is heated and cooled quickly. Its surface is under pressure, and when it breaks it falls into small blunt pieces.",
  "star-1":
    "A star like the sun burns hydrogen for ten billion years. Then it swells to a red giant and leaves a white dwarf behind.",
  "star-2": "Navigators measured the height of the pole star above the horizon. It equals the latitude of the ship.",
  "cache-1":
    "A cache keeps answers that were expensive to compute. Entries are dropped when they have not been asked for in a long time.",
  "cache-2":
    "Invalidate the cached page whenever one of the records on it changes; otherwise visitors go on reading the old text.",
  "retry-1":
    "The client repeats a failed request with growing pauses. A random part keeps many clients from coming back at the same moment.",
  "retry-2":
    "maxRetries sets how often a request is repeated, retryDelay the first pause in milliseconds. Both are read at the start.",
  "de-1":
    "Die Kündigungsfrist für Mietwohnungen beträgt drei Monate zum Monatsende. Für den Vermieter verlängert sie sich nach fünf Jahren.",
  "de-2":
    "Wärmepumpen entziehen der Außenluft Energie. Bei strengem Frost sinkt ihr Wirkungsgrad, und ein Heizstab springt ein.",
  "de-3": "Eine Wärmepumpenanlage wird jährlich gewartet: Filter, Kältemittel und Druck werden geprüft.",
  "de-4": "Der Mieter meldet Schäden an der Wohnung sofort. Kleine Reparaturen bis hundert Euro zahlt er selbst.",
  "de-5": "Roggenbrote brauchen Sauerteig, weil sonst die Krume klebrig bleibt.",
  "ja-1": "蜂は巣の上で踊り、花のある方向と距離を仲間に伝えます。",
  "ja-2": "橋の床版は、二本の塔を渡るケーブルから吊り下げられています。",
  "ja-3": "冬の川では、鮭が生まれた場所に戻って産卵します。",
};

export interface JudgedQuestion {
  question: string;
  grades: Readonly<Record<string, number>>;
}

export const JUDGED_QUESTIONS: readonly JudgedQuestion[] = [
  { question: "how do bees tell others where flowers are", grades: { "bees-1": 2 } },
  { question: "how does a bee colony survive the cold winter", grades: { "bees-2": 2, "bees-3": 1 } },
  { question: "feeding bees for winter", grades: { "bees-3": 2, "bees-2": 1 } },
  { question: "why can wind destroy a bridge", grades: { "bridge-2": 2, "bridge-1": 1 } },
  { question: "how is the deck of a suspension bridge held", grades: { "bridge-1": 2, "bridge-2": 1 } },
  { question: "why does rye bread need acid", grades: { "bread-3": 2, "bread-1": 1 } },
  { question: "fermentation of dough with wild yeast", grades: { "bread-1": 2, "bread-3": 1 } },
  { question: "when may a stale lock be taken over by another process", grades: { "lock-1": 2, "lock-3": 1 } },
  { question: "lifting boats on a canal", grades: { "lock-2": 2 } },
  { question: "what happens to transactions in a deadlock", grades: { "lock-3": 2 } },
  { question: "efficiency of heat pumps in cold weather", grades: { "pump-1": 2 } },
  { question: "the pump starts too often", grades: { "pump-2": 2 } },
  { question: "which glass breaks into blunt pieces", grades: { "glass-2": 2, "glass-1": 1 } },
  { question: "life of a star like our sun", grades: { "star-1": 2 } },
  { question: "finding the latitude of a ship", grades: { "star-2": 2 } },
  { question: "when are cached entries invalidated or dropped", grades: { "cache-2": 2, "cache-1": 2 } },
  { question: "number of retries and delay between requests", grades: { "retry-2": 2, "retry-1": 2 } },
  { question: "what stops fish from swimming up a river", grades: { "river-1": 2 } },
  { question: "Wie lang ist die Kündigungsfrist einer Mietwohnung?", grades: { "de-1": 2, "de-4": 1 } },
  { question: "Was leistet eine Wärmepumpe bei Frost?", grades: { "de-2": 2, "de-3": 1 } },
  { question: "Wie oft muss die Wärmepumpe gewartet werden?", grades: { "de-3": 2, "de-2": 1 } },
  { question: "Wer zahlt die Reparatur in einer Wohnung?", grades: { "de-4": 2 } },
  { question: "Warum braucht ein Roggenbrot Sauerteig?", grades: { "de-5": 2 } },
  { question: "蜂の踊り", grades: { "ja-1": 2 } },
  { question: "橋のケーブル", grades: { "ja-2": 2 } },
  { question: "鮭はどこで産卵しますか", grades: { "ja-3": 2 } },
];
