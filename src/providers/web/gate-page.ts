// Distinguishes pages in front of a text from the text itself: consent to cookies, login, proof that one is a person.

/** Longer pages have something to say, whatever is above it. */
const MOST_CHARACTERS = 3_000;
/** The share of a page that may say something else. */
const MOST_OTHER = 0.5;
/** The letters of the words of a button. */
const LONGEST_BUTTON = 22;
/** How much of its HTML is examined. */
const MOST_BYTES = 200_000;
const CUT = /(?<=[.!?。！？])\s+|\n+|[|•·]|。|！|？/u;

const COOKIES =
  /cookie|consent|privacy|datenschutz|einwillig|confidentialit|privacidad|privacidade|samtykke|integritet|prywatno|soubor[yů] cookie|souhlas|evästeet|sütik|çerez|gizlilik|куки|файл\S* cookie|конфиденциальн|隐私|隱私|プライバシー|クッキー|쿠키|개인정보|ملفات تعريف|الخصوصية|कुकी|คุกกี้/iu;
const CHOICE =
  /accept|agree|reject|decline|allow all|got it|manage (?:options|preferences|choices)|akzeptier|zustimm|ablehn|einverstanden|accepte|refuse|j.accepte|acept|rechaz|aceit|rejeit|recus|accett|rifiut|accepteer|weiger|akkoord|godkänn|godta|accepter|afvis|avvis|avvisa|neka|akcept|odrzu|zgadzam|přijmout|odmítnout|hyväksy|hylkää|elfogad|elutas|kabul|reddet|принять|отклонить|соглас|прийняти|同意|接受|拒绝|拒絕|承諾|拒否|동의|수락|거부|قبول|رفض|स्वीकार|ยอมรับ/iu;
const LOGIN =
  /(?:sign|log)(?:ged)?[ -]?(?:in|on|up)\b|password|create (?:an |your )?account|subscrib|members only|anmeld|meld\S{1,3} sie sich|melde dich|einlogg|passwort|registrier|abonn|connect(?:er|ez)|mot de passe|s.inscrire|iniciar sesi|inicia sesi|contraseña|suscrib|entrar\b|senha|assin(?:e|ante)|accedi|password|inloggen|aanmelden|wachtwoord|logga in|lösenord|log ind|logg inn|adgangskode|zalogu|hasło|přihlás|heslo|kirjaudu|salasana|bejelentkez|jelszó|giriş yap|oturum aç|şifre|войти|вход|пароль|увійти|登录|登錄|登入|密码|密碼|ログイン|パスワード|로그인|비밀번호|تسجيل الدخول|كلمة المرور|लॉग इन|เข้าสู่ระบบ/iu;
const PERSON =
  /just a moment|checking (?:your|the) browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a (?:robot|human)|captcha|unusual traffic|enable javascript|javascript (?:is|to be) (?:disabled|enabled|required)|before you continue|bevor sie (?:fortfahren|weiter)|avant de continuer|antes de continuar|prima di continuare|ich bin kein roboter|je ne suis pas un robot|no soy un robot|не робот|人机验证|我不是机器人|ロボットではありません|로봇이 아닙니다/iu;
const ASKS_PASSWORD = /<input\b[^<>]{0,500}\btype\s{0,5}=\s{0,5}["']?password/iu;

/** `html`: the bytes of the page as they came. Pages that only mention such things say more than that. */
export function isGatePage(text: string, html: Uint8Array): boolean {
  const words = text.replace(/\s+/gu, " ").trim();
  if (words.length > MOST_CHARACTERS) return false;
  const pieces = text.split(CUT).map((piece) => piece.trim());
  const kinds = [COOKIES, CHOICE, LOGIN, PERSON];
  const [cookies, login, person] = [COOKIES, LOGIN, PERSON].map((kind) => kind.test(words));
  // "Accept all" is a button, and "servers accept 4096 bytes" a sentence.
  const choice = pieces.some((piece) => lengthOf([piece]) <= LONGEST_BUTTON && CHOICE.test(piece));
  const asksPassword = ASKS_PASSWORD.test(Buffer.from(html.subarray(0, MOST_BYTES)).toString("latin1"));
  // Each kind alone may be what a page is about.
  const isGate =
    (cookies === true && choice) || (login === true && (person === true || asksPassword || cookies === true));
  if (!isGate && person !== true) return false;
  const other = pieces.filter((piece) => !kinds.some((kind) => kind.test(piece)));
  return lengthOf(other) <= lengthOf(pieces) * MOST_OTHER;
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}
