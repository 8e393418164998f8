// Questions over offers of suppliers with a list of requirements, and over minutes of a council that changes its mind.
import type { Question } from "./rubric.ts";

export const OFFICE: readonly Question[] = [
  {
    id: "first-hall",
    corpus: "sensors",
    ask: "From which supplier should the dairy order the 40 temperature sensors for the first hall, and why not from the others?",
    facts: [
      { fact: "Norda: 3,680 EUR for 40", says: [["3680"]] },
      {
        fact: "Norda: within 10 working days",
        says: [
          ["norda", "nt-11"],
          ["10 working days", "ten working days"],
        ],
      },
      {
        fact: "Kestrel: 5 weeks, too late for 2 October",
        says: [
          ["kestrel", "kt-4"],
          ["5 weeks", "five weeks"],
        ],
      },
      { fact: "Kestrel took 7 weeks before", says: [["7 weeks", "seven weeks"]] },
      { fact: "Palisade: 0.5 °C is not accurate enough", says: [["palisade", "p-70"], ["0.5"]] },
      { fact: "0.3 °C or better is asked for", says: [["0.3"]] },
      { fact: "the budget of 4,000 EUR is kept", says: [["4000"]] },
    ],
    wrong: [
      {
        claim: "Kestrel arrives in time",
        says: [["kestrel"], ["in time"]],
        unless: ["not", "too late", "cannot", "late"],
      },
      {
        claim: "the NT-11 is certified for food",
        says: [
          ["norda", "nt-11"],
          ["is certified", "certified for"],
        ],
        unless: ["not", "preparation", "yet", "only", "kestrel", "kt-4"],
      },
    ],
    recommends: { what: "Norda", says: [["norda", "nt-11"]] },
    isTableDue: true,
  },
  {
    id: "second-hall",
    corpus: "sensors",
    ask: "What would 210 temperature sensors for the second hall cost at each supplier, shipping included, and which suppliers fit at all?",
    facts: [
      { fact: "Kestrel: 14,955 EUR", says: [["14955"]] },
      { fact: "Norda: 19,320 EUR", says: [["19320"]] },
      { fact: "Palisade: 16,500 EUR", says: [["16500"]] },
      { fact: "a certificate for contact with food is needed", says: [["food"], ["certifi"]] },
      {
        fact: "the KT-4 is certified",
        says: [
          ["kestrel", "kt-4"],
          ["certified", "en 1935"],
        ],
      },
      { fact: "Norda's certificate is in preparation", says: [["preparation", "prepared"]] },
      { fact: "Norda's offer ends on 30 September 2031", says: [["30 september", "september 30"]] },
    ],
    wrong: [{ claim: "Kestrel at the price of small orders", says: [["18105", "18060", "16635", "16590"]] }],
    isTableDue: true,
    recommends: { what: "Kestrel", says: [["kestrel", "kt-4"]] },
    unanswered: [
      {
        what: "a food certificate of Palisade",
        says: [
          ["palisade", "p-70"],
          ["food", "certifi"],
        ],
      },
    ],
  },
  {
    id: "warranty",
    corpus: "sensors",
    ask: "How good are warranty and reliability of the three temperature sensors?",
    facts: [
      { fact: "Kestrel: 3 years", says: [["3 years", "three years"]] },
      { fact: "Norda: 2 years", says: [["2 years", "two years"]] },
      { fact: "4 of 60 KT-4 failed in the first year", says: [["4", "four"], ["60"]] },
      { fact: "replaced within two weeks", says: [["two weeks", "2 weeks"]] },
    ],
    wrong: [
      {
        claim: "a warranty of Palisade",
        says: [
          ["palisade", "p-70"],
          ["1 year", "one year", "2 years", "two years", "3 years"],
        ],
        unless: ["norda", "kestrel", "nt-11", "kt-4"],
      },
    ],
    unanswered: [
      {
        what: "the warranty of Palisade",
        says: [
          ["palisade", "p-70"],
          ["warranty", "reliab", "fail"],
        ],
      },
    ],
  },
  {
    id: "library",
    corpus: "village",
    ask: "When is the village library open now, since when, and what was the rule before?",
    facts: [
      { fact: "Thursday from 14 to 18", says: [["thursday"], ["14"], ["18"]] },
      { fact: "Saturday from 10 to 12", says: [["saturday"], ["10"], ["12"]] },
      { fact: "since 1 May", says: [["1 may", "may 1"]] },
      {
        fact: "before: Tuesday and Thursday",
        says: [
          ["tuesday"],
          ["before", "earlier", "until", "february", "from 1 march", "ended", "ends", "previous", "former"],
        ],
      },
      { fact: "nobody came on Tuesdays", says: [["nobody", "no one", "no visitors"]] },
      { fact: "a second volunteer is needed on Saturdays", says: [["volunteer"]] },
    ],
    wrong: [
      {
        claim: "it is open on Tuesdays now",
        says: [["tuesday"]],
        unless: [
          "before",
          "earlier",
          "until",
          "february",
          "march",
          "nobody",
          "ended",
          "ends",
          "previous",
          "former",
          "no longer",
          "was",
        ],
      },
    ],
  },
  {
    id: "roof",
    corpus: "village",
    ask: "What will the roof of the village hall cost, who pays for it, and is the money there?",
    facts: [
      { fact: "84,000 EUR, by Dahl", says: [["84000"], ["dahl", "carpenter"]] },
      { fact: "50,000 EUR of the county are granted", says: [["50000"], ["grant"]] },
      { fact: "a reserve of 21,400 EUR", says: [["21400"]] },
      { fact: "12,600 EUR are missing", says: [["12600"]] },
      { fact: "by a collection", says: [["collection"]] },
      { fact: "work has to begin before 1 October", says: [["1 october", "october 1"]] },
    ],
    wrong: [
      { claim: "79,500 EUR is the price", says: [["79500"]], unless: ["brandt"] },
      { claim: "34,000 EUR are missing", says: [["34000"]], unless: ["reserve", "before", "after"] },
    ],
    unanswered: [
      { what: "what happens if the collection falls short", says: [["collection", "falls short", "shortfall"]] },
    ],
  },
  {
    id: "tasks",
    corpus: "village",
    ask: "Who in the village council has to do what until when, as of June 2031?",
    facts: [
      { fact: "Hanne Vik: the letter, until 30 June", says: [["vik"], ["30 june", "june 30"]] },
      { fact: "Petra Moss: the swing, 21 June", says: [["moss"], ["21 june", "june 21"]] },
      { fact: "Samir Aziz: the permit, until 1 July", says: [["aziz"], ["1 july", "july 1"]] },
      { fact: "Maud Ellery: a volunteer, in the newsletter", says: [["ellery"], ["volunteer", "newsletter"]] },
    ],
    wrong: [
      {
        claim: "Jon Weir still asks for offers",
        says: [["weir"], ["offers"]],
        unless: ["april", "done", "has", "had", "february"],
      },
    ],
    isTableDue: true,
  },
];
