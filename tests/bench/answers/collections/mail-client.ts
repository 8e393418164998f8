// HOLD-OUT (see ../collection.ts): the manual of a mail client for terminals.
import type { Collection } from "../collection.ts";

export const MAIL_CLIENT: Collection = {
  name: "mail-client",
  language: "en",
  packages: [{ from: "deb", name: "mutt", version: "2.2.12-0.1~deb12u1", keep: "usr/share/doc/mutt/html/*.html" }],
  answerable: [
    {
      ask: "How often does Mutt look for new mail on a POP server?",
      document: "optionalfeatures.html",
      right: /every 60 seconds/,
    },
    {
      ask: "In which order does Mutt try the ways to log in to an IMAP server?",
      document: "optionalfeatures.html",
      right: /SASL, ANONYMOUS, GSSAPI/,
    },
    {
      ask: "Why should I force TLS instead of only starting it when the server offers it?",
      document: "optionalfeatures.html",
      right: /attacker to spoof|only way to prevent these attacks/,
    },
    {
      ask: "Should I run Mutt as root?",
      document: "security.html",
      right: /as the super user/,
    },
    {
      ask: "Is it safe to keep my mail password in the configuration file?",
      document: "security.html",
      right:
        /never store passwords in configuration files|not recommended if the URL is specified in a configuration file/,
    },
    {
      ask: "Which header fields does a mailto link may set by default?",
      document: "security.html",
      right: /only accepts the Subject, Body|subject.*in-reply-to.*references/i,
    },
    {
      ask: "Which kind of search is faster, a regular expression or a plain string?",
      document: "tuning.html",
      right: /several times slower than a pure string|can be considerably faster/,
    },
    {
      ask: "How many viewed messages are cached in a session when no body cache is set up?",
      document: "tuning.html",
      right: /usually 10/,
    },
    {
      ask: "With which key do I abort a prompt?",
      document: "gettingstarted.html",
      right: /\^G (is the generic|at a confirmation|\| n\/a)|abort this prompt using \^G/,
    },
    {
      ask: "Which key deletes everything up to the end of the line in the line editor?",
      document: "gettingstarted.html",
      right: /<kill-eol>/,
    },
    {
      ask: "How do I join a reply to the right discussion when its headers are broken?",
      document: "advancedusage.html",
      right: /link-threads/,
    },
    {
      ask: "How do I split off messages that were posted as replies but are about something else?",
      document: "advancedusage.html",
      right: /break-thread/,
    },
    {
      ask: "In which format do dates have to be written in a search?",
      document: "advancedusage.html",
      right: /DD\/MM\/YY/,
    },
    {
      ask: "How does Mutt know that an mbox folder got new mail?",
      document: "advancedusage.html",
      right: /wasn't accessed after it was last modified|comparing access and\/or modification times/,
    },
    {
      ask: "Which editor opens when I have configured none?",
      document: "reference.html",
      right: /\$VISUAL, or \$EDITOR|string “vi”/,
    },
    {
      ask: "How do I find out with which options my Mutt was compiled?",
      document: "optionalfeatures.html",
      right: /output of mutt -v|prefixed with “-”/,
    },
    {
      ask: "Why does printing ask for confirmation?",
      document: "reference.html",
      right: /accidentally hit “p”/,
    },
    {
      ask: "Can I change the flags of messages that lie on a POP server?",
      document: "optionalfeatures.html",
      right: /POP is read-only|modifications of flags are lost/,
    },
    {
      ask: "What happens to a message shown in the pager when a command is set as display filter?",
      document: "reference.html",
      right: /passed as standard input to/,
    },
  ],
  unanswerable: [
    "How do I synchronise my calendar with Mutt?",
    "How many connections to one IMAP server does Mutt open at the same time?",
    "How large may an attachment be at most?",
    "How many addresses can an alias file hold?",
    "How do I translate an incoming message automatically?",
    "With which cipher is the header cache on disk encrypted?",
    "After how many days does a message in the body cache expire?",
    "How do I set up two-factor codes by text message for Mutt?",
    "How can I take back a message that I sent by mistake?",
    "Which versions of Android does Mutt run on?",
  ],
};
