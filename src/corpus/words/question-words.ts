// The words that ask, in each language: when, where, who, what, which, why, how, how much. They show the language of a question
// that is too short for its other stop words. Words that mean something else in English or in code are left out.
const WORDS = `
af wanneer waarom watter hoekom
ar متى أين اين من ماذا لماذا كيف كم أي ما هل
bg кога къде кой коя какво защо как колко
bn কখন কোথায় কে কী কি কেন কীভাবে কত কোন
br pegoulz pelec'h piv perak penaos pegement
ca quan quina quins quines què quant què
cs kdy kde kdo proč jak kolik který která které jaký jaká jaké
da hvornår hvor hvem hvad hvorfor hvordan hvilken hvilket hvilke
el πότε πού ποιος ποια ποιο τι γιατί πώς πόσο πόσα
eo kiam kie kiu kio kial kiel kiom
es cuándo dónde quién quiénes qué cuál cuáles cómo cuánto cuánta cuántos cuántas qué
et millal kuhu mida miks kuidas palju milline
eu noiz nork zergatik nola zenbat zein
fa کی کجا چه چرا چگونه چطور چند کدام
fi milloin koska missä mistä mihin kuka mikä mitä miksi miten kuinka kumpi paljonko montako
fr quand pourquoi comment combien quel quelle quels quelles
ga cathain cén conas
gl cando onde quen canto canta
gu ક્યારે ક્યાં કોણ શું કેમ કેવી કેટલા
ha yaushe wanne menene yaya nawa
he מתי איפה מי מה למה מדוע איך כמה איזה
hi कब कहाँ कहां कौन क्या क्यों कैसे कितना कितनी कितने किस
hr kada gdje tko što zašto kako koliko koji koja koje
hu mikor miért hogyan mennyi hány melyik
hy երբ որտեղ ով ինչ ինչու ինչպես
id kapan dimana siapa mengapa kenapa bagaimana berapa
it quando perché quanto quanta quanti quante quale quali
ja いつ どこ だれ 誰 何 なに なぜ どう どうやって いくつ いくら どの どれ
ko 언제 어디 어디서 누가 누구 무엇 뭐 왜 어떻게 얼마 얼마나 몇 어느 어떤
ku kengî çima çawa çend
la quando ubi quis quid quomodo
lt kada kodėl kaip kiek kuris kuri
lv kad kāpēc cik kurš kura
mr कधी कुठे कोण काय का कसे किती
ms bila siapa mengapa bagaimana berapa
nl wanneer waarom waar welke hoeveel
no når hvor hvem hva hvorfor hvordan hvilken
pl kiedy gdzie kto dlaczego jak który która które jaki jaka jakie
pt quando onde quem quê qual quais como quanto quanta quantos quantas
ro când unde cine
ru когда где кто что какой какая какое какие почему зачем как сколько
sk kedy kde kto prečo ako koľko ktorý ktorá ktoré aký
sl kdaj kje kdo kaj zakaj kako koliko kateri
so goorma xaggee maxaa sidee immisa
st neng hobaneng joang
sv när vem vad varför hvordan vilken vilket vilka
sw lini wapi nani nini kwanini vipi ngapi
th เมื่อไร เมื่อไหร่ เมื่อใด ที่ไหน ใคร อะไร ทำไม อย่างไร ยังไง เท่าไร เท่าไหร่ กี่
tl kailan saan sino bakit paano magkano ilan
tr zaman nerede neden niçin niye nasıl kaç hangi
uk коли де хто що який яка яке які чому як скільки
ur کب کہاں کون کیا کیوں کیسے کتنا کتنی
vi nào bao giờ đâu gì tại sao sao như thế nào bao nhiêu
yo nígbà kí nìdí báwo mélòó
zh 什么 什么时候 什么時候 什麼 何时 何時 哪里 哪裡 哪儿 谁 誰 为什么 為什麼 怎么 怎麼 怎样 如何 多少 几 哪个
zu nini kuphi ubani yini kanjani malini
`;

/** By language; in the form in which they are written. */
export const QUESTION_WORDS: ReadonlyMap<string, string> = new Map(
  WORDS.trim()
    .split("\n")
    .map((line) => [line.slice(0, 2), line.slice(3)]),
);
