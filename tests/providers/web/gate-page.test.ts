// Pages of consent, login and checks for robots are no evidence, and take the place of no other page.
import { describe, expect, test } from "bun:test";
import { isGatePage } from "../../../src/providers/web/gate-page.ts";
import { NO_ABORT, page, Site } from "./loopback.ts";
import { openWeb } from "./open-web.ts";

const isGate = (text: string, html = ""): boolean => isGatePage(text, new TextEncoder().encode(html));

describe("a page is before the text", () => {
  test.each([
    "# Before you continue\n\nWe value your privacy. Accept all to read about the blue valve. Manage options.",
    "# Anmelden\n\nBitte melden Sie sich an, um über das blaue Ventil zu lesen.\n\nPasswort vergessen?\n\nWir verwenden Cookies.",
    "Nous utilisons des cookies pour améliorer votre expérience. Tout accepter. Tout refuser. La vanne bleue.",
    "Usamos cookies para mejorar su experiencia. Aceptar todo. Rechazar todo.",
    "Używamy plików cookie. Akceptuję wszystkie. Odrzuć.",
    "Мы используем файлы cookie. Принять все. Отклонить.",
    "我们使用 Cookie 来改善您的体验。接受全部。拒绝全部。",
    "当サイトではクッキーを使用しています。同意する。拒否する。",
    "# Just a moment...\n\nChecking your browser before accessing valves.example.",
  ])("%j", (text) => {
    expect(isGate(text)).toBe(true);
  });

  test("when its form asks for a password", () => {
    const text = "# Valves\n\nLog in to read on. Forgot your password?";
    expect(isGate(text, '<form><input name="p" type="password"></form>')).toBe(true);
    expect(isGate(text)).toBe(false);
  });

  test.each([
    "# Cookies\n\nA cookie is a small piece of data that a server sends. The browser stores it and sends it with later requests. Servers accept 4096 bytes at most.",
    "# Logging in\n\nThe console asks for a password of eight digits. It is printed below the motor. After three wrong tries it is locked for an hour.",
    "# Valve\n\nThe blue valve opens at 6.4 bar. It is closed by hand, and its seat is ground every two years.\n\nWe use cookies. Accept all.",
    "# Burner\n\nThe burner accepts gas at 20 mbar. It rejects oil.",
  ])("control: and this one is a text: %j", (text) => {
    expect(isGate(text)).toBe(false);
  });
});

test("a page of consent is told as such, and the next page of the search is read in its place", async () => {
  using site = new Site((_, { pathname }) =>
    pathname.startsWith("/gate")
      ? page("Cookies", "<p>We use cookies to show the blue valve. Accept all. Reject all.</p>")
      : pathname === "/search"
        ? Response.json({
            results: ["/gate1", "/gate2", "/gate3", "/gate4", "/gate5", "/gate6", "/valve"].map((path) => ({
              url: site.at("a.test", path),
              title: "Valve",
            })),
          })
        : page("Valve", "<p>The blue valve opens at 6.4 bar, and is closed by hand.</p>"),
  );
  using web = openWeb([site], { engines: { searxngUrl: site.at("127.0.0.1", "") } });
  const passages = await web.provider.search("blue valve", 4, NO_ABORT);
  expect(passages.map(({ origin }) => origin)).toEqual([site.at("a.test", "/valve")]);
  expect(new Set(web.blocked.map(({ reason, detail }) => `${reason}: ${detail}`))).toEqual(
    new Set(["unauthorized: a page of consent, login or a check for robots stands before the text"]),
  );
  expect(web.blocked).toHaveLength(6);
});
