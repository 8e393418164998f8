// HOLD-OUT (see ../collection.ts): the German installation guide of an operating system.
import type { Collection } from "../collection.ts";

export const INSTALL_GUIDE_DE: Collection = {
  name: "install-guide-de",
  language: "de",
  packages: [
    {
      from: "deb",
      name: "installation-guide-amd64",
      version: "20230508+deb12u1",
      keep: "usr/share/doc/installation-guide-amd64/de/*.html",
    },
  ],
  answerable: [
    {
      ask: "Wie viel Arbeitsspeicher braucht man mindestens für eine normale Installation?",
      document: "ch02s05.html",
      right: /780 ?MB|minimum 350 ?MB/,
    },
    {
      ask: "Welche Festplattengröße wird für ein System mit Desktop empfohlen?",
      document: "ch03s04.html",
      right: /Mit Desktop.*10 Gigabyte/,
    },
    {
      ask: "Wer hat das Debian-Projekt gegründet und wann?",
      document: "ch01s01.html",
      right: /1993, als Ian Murdock/,
    },
    {
      ask: "Wie viele Architekturen unterstützt Debian 12?",
      document: "ch02s01.html",
      right: /9 Haupt-Architekturen/,
    },
    {
      ask: "Wie schalte ich die Suche nach Firmware ganz ab?",
      document: "ch02s02.html",
      right: /firmware=never/,
    },
    {
      ask: "Warum kann Firmware meist nicht in die Hauptdistribution aufgenommen werden?",
      document: "ch02s02.html",
      right: /nicht frei und kann deshalb nicht/,
    },
    {
      ask: "Kann ich während der Installation eine ISDN-Verbindung benutzen?",
      document: "ch02s04.html",
      right: /allerdings nicht ISDN/,
    },
    {
      ask: "Wie groß sollte die Swap-Partition sein?",
      document: "apcs03.html",
      right: /genauso viel Swap|nicht kleiner als 512 ?MB/,
    },
    {
      ask: "Welches Dateisystem bekommt eine Partition, wenn ich nichts anderes auswähle?",
      document: "apcs03.html",
      right: /Standard-Partitionstyp ist ext4/,
    },
    {
      ask: "Wie viel Platz genügt normalerweise für temporäre Dateien?",
      document: "apcs02.html",
      right: /40–100 ?MB/,
    },
    {
      ask: "Welche Verzeichnisse müssen auf der Root-Partition liegen, damit das System startet?",
      document: "apcs02.html",
      right: /muss immer physikalisch/,
    },
    {
      ask: "Wie oft kann ich es nach einer falschen Passphrase noch einmal versuchen?",
      document: "ch07s02.html",
      right: /zwei weitere Versuche|dritten Fehlversuch/,
    },
    {
      ask: "Warum sehe ich keine Sternchen, wenn ich die Passphrase eintippe?",
      document: "ch07s02.html",
      right: /keinerlei Zeichen/,
    },
    {
      ask: "Was passiert, wenn man den Rechner einfach mit der Reset-Taste ausschaltet?",
      document: "ch08s01.html",
      right: /Dateien verloren gehen|Festplatten beschädigt/,
    },
    {
      ask: "Auf welcher Konsole sehe ich die Fehlermeldungen des Installers?",
      document: "ch06s01.html",
      right: /vierte Konsole|Alt\+F4/,
    },
    {
      ask: "Wo finde ich die Protokolle der Installation nach dem Neustart?",
      document: "ch06s01.html",
      right: /\/var\/log\/installer/,
    },
    {
      ask: "Mit welchem Boot-Parameter starte ich die Installation über PPPoE?",
      document: "apds05.html",
      right: /modules=ppp-udeb/,
    },
    {
      ask: "Kann ich PPPoE bei einem Netzwerk-Boot verwenden?",
      document: "apds05.html",
      right: /wird PPPoE nicht unterstützt|von einem der verfügbaren CD-ROM/,
    },
    {
      ask: "Welcher Port wird für entfernte Logmeldungen benutzt, wenn ich keinen angebe?",
      document: "ch05s03.html",
      right: /\b514\b/,
    },
    {
      ask: "Welche Bedienoberfläche ist für den Installer voreingestellt?",
      document: "ch05s03.html",
      right: /newt ist die Standardoberfläche|Standardmäßig wird die grafische Oberfläche/,
    },
    {
      ask: "Warum soll ich unetbootin nicht verwenden?",
      document: "ch04s03.html",
      right: /unetbootin/,
    },
    {
      ask: "Gehen beim Beschreiben des USB-Sticks die alten Daten verloren?",
      document: "ch04s03.html",
      right: /alle Daten zerstören|vorher vorhandenen Daten überschrieben/,
    },
    {
      ask: "Wie viele Zeichen sollte ein Passwort haben?",
      document: "ch06s03.html",
      right: /mindestens 6 Zeichen/,
    },
    {
      ask: "Welche RAID-Level kann ich mit einer Voreinstellungsdatei einrichten?",
      document: "apbs04.html",
      right: /0, 1, 5, 6 und 10/,
    },
    {
      ask: "Welche Art von Prüfsumme gibt man für eine Voreinstellungsdatei an?",
      document: "apbs02.html",
      right: /muss derzeit eine md5sum/,
    },
  ],
  unanswerable: [
    "Wie viele Entwickler von Debian leben in Deutschland?",
    "Nach wie vielen Tagen muss die Passphrase geändert werden?",
    "Welche Telefonnummer hat der technische Kundendienst von Debian?",
    "Wie groß darf eine Voreinstellungsdatei höchstens sein?",
    "Wie viele Minuten dauert eine Installation mit Desktop?",
    "Wie schnell muss die Internetverbindung für eine Netzwerkinstallation mindestens sein?",
    "Wie viele Jahre bekommt Debian 12 Sicherheitsaktualisierungen?",
    "Wie viel Arbeitsspeicher braucht der Rettungsmodus?",
    "Wie übertrage ich meine Kontakte aus Outlook auf das neue System?",
    "Wie melde ich mich mit dem Fingerabdruck am installierten System an?",
    "Wie viele Tastaturbelegungen bietet der Installer zur Auswahl an?",
    "Wie verbinde ich einen Bluetooth-Kopfhörer während der Installation?",
  ],
};
