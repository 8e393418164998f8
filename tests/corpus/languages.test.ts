// Tests that the language of a text is told by its script and its small words, and is not guessed.
import { expect, test } from "bun:test";
import { isInAnotherLanguage } from "../../src/corpus/words/languages.ts";

const QUESTIONS = {
  en: [
    "How often is the filter of the pump replaced?",
    "The filter of the Kestrel pump is replaced every 4,200 hours, or once a year in dusty rooms.",
  ],
  de: [
    "Wie oft wird der Filter der Pumpe gewechselt?",
    "Der Filter der Kestrel-Pumpe wird alle 4.200 Stunden gewechselt, in staubigen Räumen einmal im Jahr.",
  ],
  fr: [
    "À quelle fréquence faut-il remplacer le filtre de la pompe ?",
    "Le filtre de la pompe Kestrel est remplacé toutes les 4 200 heures, ou une fois par an dans les locaux poussiéreux.",
  ],
  nl: [
    "Hoe vaak wordt het filter van de pomp vervangen?",
    "Het filter van de Kestrel-pomp wordt elke 4.200 uur vervangen, of één keer per jaar in stoffige ruimten.",
  ],
  pl: [
    "Jak często wymienia się filtr pompy?",
    "Filtr pompy Kestrel wymienia się co 4200 godzin lub raz w roku w zapylonych pomieszczeniach.",
  ],
  ru: [
    "Как часто меняют фильтр насоса?",
    "Фильтр насоса Kestrel меняют каждые 4200 часов, а в пыльных помещениях раз в год.",
  ],
  ja: ["ポンプのフィルターはどのくらいの頻度で交換しますか？", "Kestrelポンプのフィルターは4200時間ごとに交換します。"],
  zh: ["水泵的过滤器多久更换一次？", "Kestrel 水泵的过滤器每 4200 小时更换一次。"],
} as const;

test("a text is in another language than a question, or in the same", () => {
  for (const [language, [question]] of Object.entries(QUESTIONS))
    for (const [other, [, text]] of Object.entries(QUESTIONS)) {
      // Both are written with Chinese characters, and such a short text has too few small words.
      if (language === "zh" && other === "ja") continue;
      expect([language, other, isInAnotherLanguage(text, question)]).toEqual([language, other, language !== other]);
    }
});

test("it is not told by numbers, names, code, a question of names, or a language with few known words", () => {
  const code = "`proxy_read_timeout 60s; proxy_send_timeout 60s;`";
  for (const [text, question] of [
    ["4,200 h", QUESTIONS.en[0]],
    ["Kestrel --router rollback", QUESTIONS.de[0]],
    [QUESTIONS.de[1], "Kestrel Pumpe Filter"],
    [
      "Фільтр насоса міняють кожні 4200 годин, а в запилених приміщеннях раз на рік.",
      "Як часто міняють фільтр насоса?",
    ],
    [`既定値は 60 です: ${code}`, "既定値は何ですか？"],
    [
      "Der Filter:\n\n```\nif you do not set this then it is what it was before\n```\n\nwird nicht gesetzt.",
      QUESTIONS.de[0],
    ],
  ] as const)
    expect([text, isInAnotherLanguage(text, question)]).toEqual([text, false]);
});
