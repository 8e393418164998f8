// Small corpora of our own in three languages, with questions that they answer and questions that they do not. They show
// regressions, and measure nothing, because rules were written with them in view.

export interface RegressionQuestion {
  question: string;
  /** A piece of a sentence that answers it; null when the corpus does not. */
  answer: string | null;
}

export interface RegressionCorpus {
  language: string;
  files: Record<string, string>;
  questions: RegressionQuestion[];
}

const asked = (answer: string, question: string): RegressionQuestion => ({ question, answer });
const unanswerable = (question: string): RegressionQuestion => ({ question, answer: null });

const ENGLISH: RegressionCorpus = {
  language: "English",
  files: {
    "mill/history.md": `# The mill at Harrow Brook

The mill was built in 1782 by Anna Kell and her two brothers. A flood carried the first wheel away in 1811.

## The wheel

The wheel has a diameter of 4.2 metres and turns six times a minute. It is made of oak. Oak was chosen because it lasts
longer under water than pine.

## References

Kell, A. (1801). Accounts of the mill, vol. 2, pp. 14-19. Harrow Press.
`,
    "mill/visitors.md": `# Visiting

[Home](index.md) | [Map](map.md) | [Contact](contact.md)

The mill is open to visitors from April to October on every Saturday. Dogs must stay outside because the floor has open
shafts. Tickets cost 6 euros for adults and nothing for children under ten.

Click here to subscribe to our newsletter. Copyright 2020 Harrow Brook Trust. All rights reserved.
`,
    "mill/flour.txt": `Making flour

The miller grinds wheat between two stones. The upper stone turns and the lower stone stands still. If the stones touch,
the flour tastes burnt and sparks may set the dust on fire.

Wheat is dried before grinding until it holds less than 14 percent water. Wet wheat sticks to the stones and blocks them.
`,
    "mill/care.md": `# Care of the machinery

The bearings of the main shaft are greased with tallow once a week. The stones are dressed every three weeks, which means
that their furrows are cut deeper with a hammer and a chisel.

The sluice gate must never be closed while the wheel turns. Closing the gate at speed can break the shaft.
`,
    "mill/power.md": `# Electricity

Since 2009 a small turbine beside the mill makes electricity for forty households. The turbine stops when the brook falls
below 30 centimetres. Fish pass the turbine through a ladder on the left bank. A plan of the
mill can be found in the library.
`,
    "mill/LICENSE":
      "The mill, the wheel, the stones, the flour and the turbine are licensed to the wheel and the flour.\n",
  },
  questions: [
    asked("built in 1782 by Anna Kell", "Who built the mill and when was it built?"),
    asked("diameter of 4.2 metres", "What is the diameter of the wheel?"),
    asked("lasts\nlonger under water than pine", "Why was oak chosen for the wheel?"),
    asked("from April to October", "When is the mill open to visitors?"),
    asked("Tickets cost 6 euros", "How much do tickets cost for adults?"),
    asked("less than 14 percent water", "How dry must wheat be before grinding?"),
    asked("furrows are cut deeper", "What does it mean to dress the stones?"),
    asked("tastes burnt", "What happens if the stones touch?"),
    asked("never be closed while the wheel turns", "May the sluice gate be closed while the wheel turns?"),
    asked("greased with tallow once a week", "How often are the bearings greased?"),
    asked("below 30 centimetres", "When does the turbine stop?"),
    asked("forty households", "How many households get electricity from the turbine?"),
    asked("Dogs must stay outside", "Are dogs allowed inside?"),
    asked("through a ladder on the left bank", "How do fish pass the turbine?"),
    // The words stand in the documents, but not for one thing.
    unanswerable("Who built the turbine?"),
    unanswerable("Who founded the library of the mill?"),
    unanswerable("How often is the ladder greased?"),
    unanswerable("How much does flour cost?"),
    unanswerable("What is the diameter of the turbine?"),
    unanswerable("How many parking spaces are there?"),
    unanswerable("What is the boiling point of mercury?"),
    unanswerable("Which restaurant serves breakfast near the mill?"),
    unanswerable("How is the mill insured against earthquakes?"),
    unanswerable("How do I train a neural network on images?"),
    unanswerable("What did Napoleon say about the mill?"),
    unanswerable("How does photosynthesis work in desert plants?"),
  ],
};

const GERMAN: RegressionCorpus = {
  language: "German",
  files: {
    "heizung.md": `# Heizung

Die Heizung wird mit Holzpellets betrieben. Ein Sack Pellets reicht im Winter etwa drei Tage. Der Vorratsraum fasst
z. B. für einen ganzen Winter 4 Tonnen.

## Störungen

Wenn die Flamme erlischt, zeigt der Kessel den Fehler E3 an. Der Brenner darf erst nach zehn Minuten wieder gestartet
werden, weil sich sonst Gas ansammelt.
`,
    "wasser.md": `# Wasser

Das Regenwasser wird in einer Zisterne unter dem Hof gesammelt. Die Zisterne fasst 6.000 Liter und versorgt die Toiletten
und den Garten. Das Wasser aus der Zisterne ist kein Trinkwasser.

Der Filter der Zisterne wird jeden Herbst gereinigt, nachdem das Laub gefallen ist.
`,
    "dach.txt": `Dach

Auf dem Süddach liegen seit 2016 zwanzig Solarmodule. Die Solarmodule liefern an einem sonnigen Tag im Juni bis zu 35 kWh
Strom. Schnee rutscht von selbst ab, da das Dach steil ist.
`,
    "impressum.md":
      "# Impressum\n\nAlle Rechte vorbehalten. Die Heizung, die Zisterne und das Dach sind urheberrechtlich geschützt.\n",
  },
  questions: [
    asked("mit Holzpellets betrieben", "Womit wird die Heizung betrieben?"),
    asked("erst nach zehn Minuten", "Wann darf der Brenner wieder gestartet werden?"),
    asked("Fehler E3", "Welchen Fehler zeigt der Kessel, wenn die Flamme erlischt?"),
    asked("fasst 6.000 Liter", "Wie viel Liter fasst die Zisterne?"),
    asked("jeden Herbst gereinigt", "Wie oft wird der Filter der Zisterne gereinigt?"),
    asked("bis zu 35 kWh", "Wie viel Strom liefern die Solarmodule?"),
    asked("kein Trinkwasser", "Ist das Wasser der Zisterne Trinkwasser?"),
    // The same here.
    unanswerable("Was kostet ein Sack Pellets?"),
    unanswerable("Wie oft wird der Brenner gereinigt?"),
    unanswerable("Wie viele Tonnen Schnee trägt das Dach?"),
    unanswerable("Wie hoch ist die Grundsteuer?"),
    unanswerable("Wer hat den Garten entworfen?"),
    unanswerable("Wie backe ich ein Brot mit Sauerteig?"),
    unanswerable("Welche Hauptstadt hat Frankreich?"),
    unanswerable("Wann wurde der Aufzug zuletzt gewartet?"),
  ],
};

const JAPANESE: RegressionCorpus = {
  language: "Japanese",
  files: {
    "library.md": `# 図書館

図書館は毎週月曜日に休館する。本は一人五冊まで二週間借りることができる。返却が遅れると、次の本を借りることができない。

## 会議室

会議室の予約は一か月前から受け付ける。会議室の中では食事が禁止されている。
`,
    "museum.md": `# 博物館

博物館の入場料は大人が五百円である。館内での写真撮影は許可されているが、三脚は使用できない。

化石の展示室は二階にある。最大の化石は川底の工事で発見された。
`,
    "notice.md": "# 著作権\n\n図書館と博物館の本文の無断転載を禁じる。\n",
  },
  questions: [
    asked("毎週月曜日に休館する", "図書館はいつ休館しますか？"),
    asked("五冊まで二週間", "本は何冊まで借りることができますか？"),
    asked("一か月前から受け付ける", "会議室の予約はいつから受け付けますか？"),
    asked("五百円", "博物館の入場料はいくらですか？"),
    asked("三脚は使用できない", "館内で三脚は使用できますか？"),
    asked("川底の工事で発見", "最大の化石はどこで発見されましたか？"),
    unanswerable("会議室の入場料はいくらですか？"),
    unanswerable("三脚の入場料はいくらですか？"),
    unanswerable("新幹線の運賃はいくらですか？"),
    unanswerable("図書館の駐車場は何台分ありますか？"),
    unanswerable("富士山の標高は何メートルですか？"),
    unanswerable("確定申告の締め切りはいつですか？"),
  ],
};

/** Short sentences, words that are boilerplate elsewhere, headings that hold what is asked for, numbers that differ. */
const PLAIN_ENGLISH: RegressionCorpus = {
  language: "Plain English",
  files: {
    "server.md": `# The tide server

The default port is 8125.

## License

The tide server is released under the Apache licence.

## Limitations

The trials took place in one harbour only. No gauge with ice was among the tested ones.
`,
    "plums.md": "# Plums in winter\n\n## Drying\n\nThe plums lie in the sun for 3 days.\n",
    "bikes/old.md": `# Rented bikes

The warranty of a rented bike ends after 10 years. Rain shortens rides.

Tea before a ride raised the pulse of the riders by 4 beats.
`,
    "bikes/new.md": `# Bikes for rent

The warranty of a rented bike ends after 5 years. Night work lowers attention.

Wine before a ride lowered the pulse of the riders by 6 beats.
`,
  },
  questions: [
    asked("warranty of a rented bike ends after 10 years", "How long is the warranty of a rented bike?"),
    asked("warranty of a rented bike ends after 5 years", "How long is the warranty of a rented bike?"),
    asked("under the Apache licence", "Under which licence is the tide server released?"),
    asked("default port is 8125", "What is the default port?"),
    asked("Night work lowers attention.", "Does night work lower attention?"),
    asked("in one harbour only", "What are the limitations of the tide server?"),
    asked("in the sun for 3 days", "How long does drying take?"),
    asked("Tea before a ride", "What influence do tea and wine have on the pulse?"),
    asked("Wine before a ride", "What influence do tea and wine have on the pulse?"),
    unanswerable("How long is the warranty of the tide server?"),
    unanswerable("What influence do tea and wine have on the harbour?"),
    unanswerable("What are the limitations of the sailing school?"),
    unanswerable("Does night work lower the pulse?"),
  ],
};

const GERMAN_PRICES: RegressionCorpus = {
  language: "German prices",
  files: {
    "kachelofen.md": `# Kachelöfen im Landhaus

Ein Kachelofen heizt im Landhaus bis zu drei Zimmer. Die Kosten liegen bei 14.000 Euro mit Aufbau.

## Kamin

Die Reinigung des Schachts kostet 60 Euro.
`,
    "brief.txt": `Brief über den Ofen im Landhaus

Im Landhaus ist ein Kachelofen geeignet, wenn der Schacht trocken ist. Die Kosten lagen bei 9.500 Euro mit Aufbau.
`,
    "boot.md": "# Das Boot\n\nEin Boot liegt am Steg. Das Holz des Bootes wird jedes Frühjahr gereinigt.\n",
  },
  questions: [
    asked("14.000 Euro", "Was kostet ein Kachelofen im Landhaus?"),
    asked("9.500 Euro", "Was kostet ein Kachelofen im Landhaus?"),
    asked("14.000 Euro", "Ist ein Kachelofen im Landhaus geeignet, und was kostet er?"),
    asked("jedes Frühjahr", "Wie oft reinigt man das Holz der Boote?"),
    unanswerable("Was kostet ein Boot?"),
    unanswerable("Wie oft wird der Kachelofen gereinigt?"),
  ],
};

const JAPANESE_AMOUNTS: RegressionCorpus = {
  language: "Japanese amounts",
  files: {
    "umeboshi.md": `# 干すことの基本

梅干しは梅と塩で作る。漬けてから食べられるまで三か月から半年かかる。

## 塩の割合

塩の割合は18%が標準である。
`,
    "diary.txt": "梅干しの日記\n\n去年の梅干しは塩の割合10%で漬けたが、うまくできた。\n",
    "river.md": "# 川\n\n川の水は冷たくて、夏でも泳ぐ人は少ない。\n",
  },
  questions: [
    asked("割合は18%が標準", "梅干しの塩の割合は何%がよいか"),
    asked("割合10%で漬けた", "梅干しの塩の割合は何%がよいか"),
    unanswerable("川の塩の割合は何%ですか？"),
    unanswerable("新幹線の運賃はいくらですか？"),
  ],
};

export const REGRESSION_CORPORA: readonly RegressionCorpus[] = [
  ENGLISH,
  GERMAN,
  JAPANESE,
  PLAIN_ENGLISH,
  GERMAN_PRICES,
  JAPANESE_AMOUNTS,
];
