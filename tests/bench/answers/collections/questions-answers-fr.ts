// HOLD-OUT (see ../collection.ts): questions and answers about an operating system, in French, partly in English.
import type { Collection } from "../collection.ts";

export const QUESTIONS_ANSWERS_FR: Collection = {
  name: "questions-answers-fr",
  language: "fr",
  packages: [{ from: "deb", name: "debian-faq-fr", version: "11.1", keep: "usr/share/doc/debian/FAQ/fr/*.html" }],
  answerable: [
    {
      ask: "Combien de logiciels Debian propose-t-elle ?",
      document: "basic-defs.fr.html",
      right: /\b5[89]100\b/,
    },
    {
      ask: "Qui est à l'origine de Debian et en quelle année ?",
      document: "basic-defs.fr.html",
      right: /Ian Murdock en 1993/,
    },
    {
      ask: "Peut-on revenir de unstable à stable ?",
      document: "choosing.fr.html",
      right:
        /opération irréversible|sens inverse est impossible|peut être possible de passer de la distribution unstable/,
    },
    {
      ask: "Quelle distribution faut-il choisir pour un serveur de production ?",
      document: "choosing.fr.html",
      right: /très importantes pour les serveurs de production|Besoin de stabilité/,
    },
    {
      ask: "D'où viennent les noms des versions de Debian ?",
      document: "ftparchives.fr.html",
      right: /Toy Story/,
    },
    {
      ask: "Quel personnage se cache derrière le nom de lenny ?",
      document: "ftparchives.fr.html",
      right: /paire de jumelles/,
    },
    {
      ask: "Un fichier de configuration que j'ai modifié est-il écrasé par une mise à jour ?",
      document: "pkg-basics.fr.html",
      right: /n'écrasera pas lors de la mise à jour|sans perdre les fichiers de configuration/,
    },
    {
      ask: "À quel moment le script preinst est-il exécuté ?",
      document: "pkg-basics.fr.html",
      right: /exécuté avant le dépaquetage/,
    },
    {
      ask: "Quelle est la différence entre recommander et suggérer un paquet ?",
      document: "pkg-basics.fr.html",
      right: /A recommande le paquet B|A suggère le paquet B/,
    },
    {
      ask: "Que veut dire l'état hold d'un paquet ?",
      document: "pkg-basics.fr.html",
      right: /hold - |conserver la version courante/,
    },
    {
      ask: "Comment bloquer la version d'un paquet avec apt ?",
      document: "pkg-basics.fr.html",
      right: /apt-mark hold|Avec apt, vous pouvez conserver/,
    },
    {
      ask: "Quels paquets le système refuse-t-il de supprimer ?",
      document: "pkg-basics.fr.html",
      right: /refuseront de les supprimer|marqués comme essentiels/,
    },
    {
      ask: "Vaut-il mieux employer apt ou apt-get dans un script ?",
      document: "pkgtools.fr.html",
      right: /Pour des scripts ou des cas d'usage avancé/,
    },
    {
      ask: "Comment enlever un paquet et tous ses fichiers de configuration ?",
      document: "pkgtools.fr.html",
      right: /apt purge|Pour supprimer le paquet foo et ses fichiers/,
    },
    {
      ask: "Faut-il passer en mode mono-utilisateur pour mettre à jour des paquets ?",
      document: "uptodate.fr.html",
      right: /mis à jour en mode multi-utilisateur/,
    },
    {
      ask: "Dois-je garder les archives deb après l'installation ?",
      document: "uptodate.fr.html",
      right: /vous pouvez les supprimer de votre système|devriez supprimer les archives/,
    },
    {
      ask: "Puis-je effacer un vieux noyau sans danger ?",
      document: "kernel.fr.html",
      right: /prerm vérifie si le noyau|supprimer les paquets de noyau/,
    },
    {
      ask: "Quelle commande construit un paquet du noyau personnalisé ?",
      document: "kernel.fr.html",
      right: /make deb-pkg|construire un noyau personnalisé sont invités/,
    },
    {
      ask: "Comment donner à un utilisateur l'accès au lecteur de CD ?",
      document: "customizing.fr.html",
      right: /ajouter les utilisateurs dans le groupe|adduser utilisateur groupe/,
    },
    {
      ask: "Combien de niveaux d'exécution Linux a-t-il ?",
      document: "customizing.fr.html",
      right: /sept niveaux/,
    },
    {
      ask: "Comment connaître la version de Debian installée ?",
      document: "software.fr.html",
      right: /lsb_release -a|\/etc\/debian_version/,
    },
    {
      ask: "Pourquoi l'éditeur de liens ne trouve-t-il pas la bibliothèque libfoo ?",
      document: "software.fr.html",
      right: /paquets de développement/,
    },
    {
      ask: "Quel paquet installer pour compiler des logiciels sous Debian ?",
      document: "software.fr.html",
      right: /build-essential/,
    },
    {
      ask: "Depuis quelle version l'architecture m68k n'est-elle plus prise en charge ?",
      document: "compatibility.fr.html",
      right: /m68k a été arrêtée/,
    },
  ],
  unanswerable: [
    "Combien de développeurs Debian vivent en France ?",
    "Comment installer Debian sur une montre connectée ?",
    "Combien de paquets sont marqués comme essentiels ?",
    "Qui a écrit la première version de dpkg ?",
    "Comment partager une connexion Bluetooth avec un téléphone ?",
    "Combien de mois la distribution stable reçoit-elle des correctifs de sécurité ?",
    "Combien de gigaoctets occupe un noyau installé ?",
    "Combien de téléchargements Debian a-t-elle eus l'an dernier ?",
    "Quel antivirus est fourni par défaut avec Debian ?",
    "Combien de temps dure la batterie d'un portable sous Debian ?",
  ],
};
