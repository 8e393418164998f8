// Takes out of a question what is said to people only: greetings, thanks, requests, and the lines of a mail around it.

const GREETINGS = `
hello|hi|hey|greetings|good (?:morning|day|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|servus|hej|hei|goddag|god dag|bonjour|bonsoir|salut|hola|buenos días|buenas tardes|olá|bom dia|boa tarde|ola|bo día|ciao|buongiorno|buonasera|salve|bon dia|kaixo|egun on|demat|dia duit|
bună|bună ziua|saluton|dzień dobry|cześć|witam|ahoj|dobrý den|dobrý deň|živjo|pozdravljeni|dober dan|zdravo|bok|dobar dan|
labas|sveiki|labdien|tere|päevast|szia|helló|jó napot|merhaba|selam|iyi günler|goeiedag|goedemorgen|goedendag|
xin chào|chào|halo|selamat (?:pagi|siang|petang)|kamusta|kumusta|habari|jambo|sannu|sawubona|dumela|ẹ n lẹ|salaan|silav|
привет|здравствуйте|добрый день|привіт|добрий день|вітаю|здравей|здравейте|γεια σας|γεια|καλημέρα|
բարև|שלום|مرحبا|السلام عليكم|أهلا|سلام|درود|السلام علیکم|नमस्ते|नमस्कार|নমস্কার|નમસ્તે|안녕하세요|안녕|
你好|您好|こんにちは|おはようございます|お世話になっております|สวัสดีครับ|สวัสดีค่ะ|สวัสดี`;

/** These have other meanings as well, so they count only with a name and a comma after them. */
const SALUTATIONS = `
dear|liebe|lieber|sehr geehrte|sehr geehrter|cher|chère|estimados?|estimadas?|caro|cara|gentile|beste|kära|kære|kjære|hyvä|szanowni|
szanowny|szanowna|vážený|vážení|tisztelt|уважаемый|уважаемая|уважаемые|шановні|αγαπητέ|sayın`;

const CLOSINGS = `
thanks|thank you|thx|thanx|cheers|regards|sincerely|yours (?:truly|faithfully)|danke|dankeschön|dank|grüßen|grüße|gruß|mfg|
dankie|groeten|groet|bedankt|dank je|dank u|tak|hilsen|takk|tack|hälsningar|kiitos|terveisin|aitäh|tänan|merci|
cordialement|salutations|gracias|saludos|obrigado|obrigada|cumprimentos|abraços?|grazas|saúdos|grazie|saluti|gràcies|salutacions|
eskerrik asko|trugarez|go raibh maith agat|gratias|mulțumesc|dankon|dziękuję|dzięki|pozdrawiam|děkuji|díky|s pozdravem|
ďakujem|hvala|lep pozdrav|pozdrav|ačiū|paldies|köszönöm|köszi|üdvözlettel|teşekkürler|teşekkür ederim|sağol|saygılarımla|
cảm ơn|terima kasih|makasih|salamat|asante|na gode|ngiyabonga|kea leboha|ẹ ṣeun|mahadsanid|spas|
спасибо|благодарю|с уважением|дякую|з повагою|благодаря|мерси|поздрави|ευχαριστώ|շնորհակալություն|תודה|شكرا|شكرًا|
ممنون|مرسی|متشکرم|شکریہ|धन्यवाद|शुक्रिया|ধন্যবাদ|આભાર|감사합니다|고마워요?|
谢谢|谢了|感谢|ありがとうございます|ありがとう|よろしくお願い(?:いた)?します|よろしく|ขอบคุณครับ|ขอบคุณค่ะ|ขอบคุณ`;

const REQUESTS = `
please|pls|plz|kindly|bitte|asseblief|alstublieft|alsjeblieft|vær så snill|snälla|ole hyvä|palun|s['’]il (?:vous|te) pla[iî]t|svp|
stp|por favor|se faz favor|per favore|per piacere|si us plau|mesedez|mar plij|le do thoil|vă rog|te rog|bonvolu|proszę|prosím|
prosim|molim|prašau|lūdzu|kérem|kérlek|lütfen|làm ơn|xin vui lòng|tolong|mohon|pakiusap|tafadhali|don allah|ngicela|jọwọ|fadlan|
пожалуйста|будь ласка|моля|παρακαλώ|խնդրում եմ|בבקשה|من فضلك|رجاء|رجاءً|لطفا|لطفاً|خواهشمندم|براہ کرم|کृपया|कृपया|দয়া করে|કૃપા કરીને|
부탁드립니다|부탁합니다|제발|请问|教えてください|お願い(?:いた)?します|ください|กรุณา|โปรด`;

/** Words in scripts without spaces end nowhere. */
const [BEGINS, ENDS] = [String.raw`(?<![\p{L}\p{N}\p{M}])`, String.raw`(?![\p{L}\p{N}\p{M}])`];
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u;
const NAME = String.raw`[\p{L}\p{M}.'’-]{1,30}`;
const NAMED = String.raw`(?: ${NAME}){0,4}\s*[,!:\n،、，！]`;
const OPENING = new RegExp(
  String.raw`^\s*(?:${oneOf(GREETINGS)}(?:${NAMED}|[\s.]+)|${oneOf(SALUTATIONS)}${NAMED})\s*`,
  "iu",
);
/** Up to three words before it, as in "with kind regards", and whatever is behind it, unless that asks. */
const CLOSING = new RegExp(
  String.raw`(?:^|[\n.,;!?…。！？،，])[^\S\n]*(?:${NAME} ){0,3}?(?:${oneOf(CLOSINGS)}|best(?=[,\n]))[^?？؟]{0,120}$`,
  "iu",
);
const REQUEST = new RegExp(String.raw`[,，]?[^\S\n]*${oneOf(REQUESTS)}[^\S\n]*(?:[,，:](?=[^\S\n]))?`, "giu");
/** What mail programs put above a signature. */
const SIGNATURE = /\n--[^\S\n]*(?:\n[^]*)?$/u;

/** The question alone; as it is where nothing else is left. */
export function withoutCourtesies(text: string): string {
  const rest = text
    .replace(SIGNATURE, "")
    .replace(OPENING, "")
    .replace(CLOSING, (found) => (/^[?!.。？！]/u.test(found) ? found.charAt(0) : ""))
    .replace(REQUEST, (found) => (/^[,，].*[,，]$/u.test(found) ? ", " : " "))
    .replace(/ {2,}/gu, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

function oneOf(words: string): string {
  const phrases = words.replaceAll("\n", "").split("|");
  const unspaced = phrases.filter((one) => UNSPACED.test(one));
  const spaced = phrases.filter((one) => !UNSPACED.test(one));
  return [String.raw`(?:${BEGINS}(?:${spaced.join("|")})${ENDS}`, ...unspaced].join("|").concat(")");
}
