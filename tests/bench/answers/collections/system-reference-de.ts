// HOLD-OUT (see ../collection.ts): a German reference for administrators.
import type { Collection } from "../collection.ts";

export const SYSTEM_REFERENCE_DE: Collection = {
  name: "system-reference-de",
  language: "de",
  packages: [
    { from: "deb", name: "debian-reference-de", version: "2.100", keep: "usr/share/debian-reference/{ch,pr}*.de.html" },
  ],
  answerable: [
    {
      ask: "Was kann ich tun, wenn das Terminal nach der Ausgabe einer Binärdatei nur noch wirre Zeichen zeigt?",
      document: "ch01.de.html",
      right: /geben Sie "?reset"?/,
    },
    {
      ask: "Mit welchem Befehl entferne ich ein Benutzerkonto samt seinem Heimatverzeichnis?",
      document: "ch01.de.html",
      right: /deluser --remove-home|dazugehörige Heimatverzeichnis entfernen/,
    },
    {
      ask: "Wann darf man sudo ohne Passwort einrichten?",
      document: "ch01.de.html",
      right: /nur für einen Einzelbenutzer-Arbeitsplatz/,
    },
    {
      ask: "Eignet sich aptitude für den Wechsel auf eine neue Debian-Version?",
      document: "ch02.de.html",
      right: /aptitude wird nicht für das Upgrade/,
    },
    {
      ask: "Soll ich in Skripten apt oder apt-get verwenden?",
      document: "ch02.de.html",
      right: /In Shell-Skripten sollten Sie apt-get/,
    },
    {
      ask: "Welches Werkzeug für Pakete braucht weniger Speicher, apt-get oder aptitude?",
      document: "ch02.de.html",
      right: /verbraucht (weniger|mehr) Speicher|(weniger anspruchsvoll|anspruchsvoller) bezüglich der Hardware/,
    },
    {
      ask: "Wie lösche ich ein Paket zusammen mit seinen Konfigurationsdateien?",
      document: "ch02.de.html",
      right: /apt purge foo/,
    },
    {
      ask: "Wofür ist unattended-upgrades gedacht?",
      document: "ch02.de.html",
      right: /hauptsächlich für Sicherheits-Upgrades/,
    },
    {
      ask: "Warum ist debsums für die Sicherheit nur begrenzt brauchbar?",
      document: "ch02.de.html",
      right: /durch Eindringlinge gefälscht|nicht vollständig vertraut/,
    },
    {
      ask: "Was ist der Unterschied zwischen Wayland und X-Window?",
      document: "ch07.de.html",
      right: /rechner-internes GUI|netzwerkfähiges GUI|ausschließlich lokales GUI/,
    },
    {
      ask: "Wie erkenne ich mit xeyes, ob ein Programm Wayland verwendet?",
      document: "ch07.de.html",
      right: /bewegen sich die Augen/,
    },
    {
      ask: "Welcher Exit-Status bedeutet Erfolg in der Shell?",
      document: "ch12.de.html",
      right: /Erfolg: 0|"0" im Kontext/,
    },
    {
      ask: "Wie prüfe ich in einem Skript, ob eine Datei ausführbar ist?",
      document: "ch12.de.html",
      right: /-x datei/,
    },
    {
      ask: "Welche Variable enthält die Prozessnummer des Skripts?",
      document: "ch12.de.html",
      right: /\$\$.*Prozessnummer/,
    },
    {
      ask: "Darf ich fsck auf einem eingebundenen Dateisystem ausführen?",
      document: "ch09.de.html",
      right: /nicht sicher, fsck auf eingebundenen/,
    },
    {
      ask: "Wird das Dateisystem noch regelmäßig automatisch geprüft?",
      document: "ch09.de.html",
      right: /keinen periodischen Dateisystem-Check/,
    },
    {
      ask: "Welche Pakete helfen, die Uhrzeit über das Netz zu stellen?",
      document: "ch09.de.html",
      right: /ntp, ntpdate und chrony/,
    },
    {
      ask: "Wie kann ich den Ort für temporäre Dateien ändern, wenn der Platz nicht reicht?",
      document: "ch09.de.html",
      right: /\$TMPDIR/,
    },
    {
      ask: "Wie oft installiert der Autor sein System neu?",
      document: "ch10.de.html",
      right: /einmal im Jahr neu/,
    },
    {
      ask: "Mit welchem Befehl erzeuge ich einen Widerrufsschlüssel?",
      document: "ch10.de.html",
      right: /gpg --gen-revoke/,
    },
    {
      ask: "Welche Dateien sollten nur verschlüsselt gesichert werden?",
      document: "ch10.de.html",
      right: /nur verschlüsselt gesichert/,
    },
    {
      ask: "Wie beende ich eine Sitzung von ssh-agent?",
      document: "ch06.de.html",
      right: /um die ssh-agent-Sitzung zu beenden/,
    },
  ],
  unanswerable: [
    "Wie viele Benutzerkonten kann ein System höchstens haben?",
    "Nach wie vielen Tagen löscht der Journal-Dienst alte Protokolle?",
    "Wie viele Schlüssel kann ssh-agent gleichzeitig halten?",
    "Welche Garantie gibt der Hersteller auf eine Festplatte mit SMART?",
    "Wie groß darf ein Paket im Debian-Archiv höchstens sein?",
    "Wie lange ist ein neuer GnuPG-Schlüssel gültig, wenn ich nichts angebe?",
    "Wie trainiere ich ein neuronales Netz auf der Grafikkarte?",
    "Wie installiere ich Microsoft Teams und plane eine Besprechung?",
    "Wie rüste ich den Arbeitsspeicher meines Laptops auf?",
    "Wie viel verdient ein Debian-Administrator im Durchschnitt?",
  ],
};
