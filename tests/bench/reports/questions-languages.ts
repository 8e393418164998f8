// Questions in German, French and Japanese, over documents in these languages.
import type { Question } from "./rubric.ts";

export const LANGUAGES: readonly Question[] = [
  {
    id: "kessel",
    corpus: "bergbahn",
    ask: "Wie oft muss der Kessel der Lok 4 geprüft werden, wer darf das, und was steht 2031 an?",
    facts: [
      { fact: "innen alle drei Jahre", says: [["drei jahre", "3 jahre"]] },
      { fact: "Wasserdruckprobe alle sechs Jahre", says: [["sechs jahre", "6 jahre"]] },
      { fact: "ein zugelassener Sachverständiger", says: [["sachverständig"]] },
      { fact: "der Werkstattleiter darf es nicht", says: [["werkstattleiter"], ["nicht", "nur vor"]] },
      {
        fact: "beide Prüfungen stehen 2031 an",
        says: [["2031"], ["beide", "innere prüfung"], ["wasserdruckprobe", "beide"]],
      },
      { fact: "der Heizer prüft vor jedem Betriebstag", says: [["heizer"]] },
    ],
    wrong: [
      {
        claim: "der Werkstattleiter nimmt ab",
        says: [["werkstattleiter"], ["nimmt", "darf"]],
        unless: ["nicht", "kein", "nur vor", "sachverständig"],
      },
    ],
    unanswered: [{ what: "der Termin", says: [["termin", "wann", "datum"]] }],
  },
  {
    id: "familie",
    corpus: "bergbahn",
    ask: "Was kostet hin und zurück mit der Talbahn für zwei Erwachsene mit drei Kindern (4, 8 und 12 Jahre), und lohnt sich die Familienkarte?",
    facts: [
      { fact: "einzeln 66 €", says: [["66"]] },
      { fact: "Familienkarte 55 €", says: [["55"]] },
      { fact: "11 € gespart", says: [["11"], ["spar", "günstiger", "billiger", "weniger", "unterschied"]] },
      { fact: "das vierjährige Kind fährt frei", says: [["frei", "kostenlos"]] },
      { fact: "nur am selben Tag, nur eigene Kinder", says: [["selben tag", "gleichen tag"]] },
    ],
    wrong: [{ claim: "77 € einzeln", says: [["77"]] }],
    recommends: { what: "die Familienkarte", says: [["familienkarte"]] },
  },
  {
    id: "varroa",
    corpus: "rucher",
    ask: "Quel traitement contre le varroa faut-il choisir cet été pour nos 21 colonies, et quand, sans perdre la mention biologique ?",
    facts: [
      { fact: "acide formique : 91 %", says: [["91"], ["formique"]] },
      { fact: "thymol : 78 %", says: [["78"], ["thymol"]] },
      {
        fact: "lanières : 95 %, mais elles font perdre la mention",
        says: [["lanière"], ["mention", "douze mois", "12 mois"]],
      },
      { fact: "entre 12 et 25 °C", says: [["12"], ["25"]] },
      { fact: "2 reines perdues", says: [["reine"]] },
      { fact: "au plus tard le 10 août", says: [["10 août"]] },
      { fact: "67,20 € pour l'acide formique", says: [["67.20", "67,20", "67.2", "67,2"]] },
      { fact: "le budget est de 110 €", says: [["110"]] },
    ],
    wrong: [
      {
        claim: "les lanières sont autorisées",
        says: [["lanière"], ["sont autorisées", "est autorisé"]],
        unless: ["ne sont pas", "pas autoris"],
      },
    ],
    isTableDue: true,
    recommends: { what: "l'acide formique ou le thymol", says: [["formique", "thymol"]] },
    unanswered: [{ what: "les résidus dans la cire", says: [["résidu", "cire"]] }],
  },
  {
    id: "onsen",
    corpus: "onsen",
    ask: "11月15日(土)に家族4人(大人2人、子ども2人)で湯の沢温泉へバスで日帰りします。帰りの最終バスは何時で、バスと入浴で全部でいくらかかりますか。露天風呂には入れますか。",
    facts: [
      { fact: "最終は温泉発17:40", says: [["17:40", "17時40分"]] },
      { fact: "バス往復 3,720円", says: [["3720"]] },
      { fact: "入浴料 2,100円", says: [["2100"]] },
      { fact: "合計 5,820円", says: [["5820"]] },
      { fact: "露天風呂は工事で利用できない", says: [["露天"], ["工事", "利用でき", "入れ"]] },
      { fact: "工事中は大人700円", says: [["700"]] },
    ],
    wrong: [
      { claim: "平日の最終便", says: [["最終"], ["19:20", "18:30"]], unless: ["平日"] },
      { claim: "通常の入浴料で計算", says: [["2700", "6420"]] },
    ],
  },
];
