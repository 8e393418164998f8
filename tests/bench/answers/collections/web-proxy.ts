// HOLD-OUT (see ../collection.ts): the manual and the questions and answers of a filtering web proxy.
import type { Collection } from "../collection.ts";

export const WEB_PROXY: Collection = {
  name: "web-proxy",
  language: "en",
  packages: [
    {
      from: "deb",
      name: "privoxy",
      version: "3.0.34-1",
      keep: "usr/share/doc/privoxy/{user-manual,faq}/*.html",
    },
  ],
  answerable: [
    {
      ask: "Which address and port do I enter in my browser to use Privoxy?",
      document: "user-manual/startup.html",
      right: /127\.0\.0\.1.*8118|localhost.*8118/,
    },
    {
      ask: "Can Privoxy filter FTP downloads?",
      document: "faq/misc.html",
      right: /does not filter FTP|not work with FTP|not currently handle any other protocols/,
    },
    {
      ask: "Does Privoxy cache pages to make browsing faster?",
      document: "faq/misc.html",
      right: /does not have this ability|like Squid or Polipo/,
    },
    {
      ask: "Will Privoxy keep intruders out of my computer?",
      document: "faq/misc.html",
      right: /can't protect your system from intrusion/,
    },
    {
      ask: "Which kind of SOCKS should I choose to combine Privoxy with Tor?",
      document: "faq/misc.html",
      right: /should use socks5|with socks5 you get|forward-socks5t \/ +127/,
    },
    {
      ask: "Why are pages shown later when filters are switched on?",
      document: "faq/misc.html",
      right: /entire document (needs to be buffered|must be loaded into memory)/,
    },
    {
      ask: "Am I anonymous on the web when I use Privoxy?",
      document: "faq/misc.html",
      right: /neither hides your IP address|can be traced back to you|chances of remaining anonymous/,
    },
    {
      ask: "What is http://p.p/?",
      document: "faq/misc.html",
      right: /p\.p\/ is a shortcut|shortcut: http:\/\/p\.p|built-in user interface/,
    },
    {
      ask: "Why was the name Junkbuster given up?",
      document: "faq/general.html",
      right: /would have led to confusion|legal reasons|clean break/,
    },
    {
      ask: "When did the first stable version of Privoxy come out?",
      document: "faq/general.html",
      right: /August, 2002/,
    },
    {
      ask: "I added a rule but the ad is still there, what could be the reason?",
      document: "faq/trouble.html",
      right: /held in the browser's cache|error in the rule/,
    },
    {
      ask: "Which program is known to cause 503 errors on every page?",
      document: "faq/trouble.html",
      right: /ZoneAlarm/,
    },
    {
      ask: "How large may a document be until Privoxy stops filtering it?",
      document: "user-manual/config.html",
      right: /^: 4096$|4MB \(4096|4096 KB \(4/,
    },
    {
      ask: "What does Privoxy do with a page that is larger than the buffer?",
      document: "user-manual/config.html",
      right: /flushed to the client unfiltered/,
    },
    {
      ask: "After how many seconds without data does a socket time out?",
      document: "user-manual/config.html",
      right: /default value of 300 seconds|socket-timeout 300/,
    },
    {
      ask: "Which events are written to the log by default?",
      document: "user-manual/config.html",
      right: /only logs fatal errors/,
    },
    {
      ask: "Which file is read when no configuration file is named on the command line?",
      document: "user-manual/startup.html",
      right: /file named config in the current directory|try config\.txt|look for a file named/,
    },
    {
      ask: "How do I start Privoxy at boot on FreeBSD?",
      document: "user-manual/startup.html",
      right: /privoxy_enable/,
    },
    {
      ask: "Will an ad that I report be blocked for everybody in the next release?",
      document: "faq/misc.html",
      right: /depends on how significant|good chance of being a candidate|unlikely to be included/,
    },
  ],
  unanswerable: [
    "How many requests per second can Privoxy handle?",
    "How do I limit the download speed of one client?",
    "How many people use Privoxy today?",
    "After how many days does Privoxy delete its old log files?",
    "How can parents set a daily time limit for each child?",
    "Which filter list of AdBlock does Privoxy download every night?",
    "How many actions files can be loaded at most?",
    "How do I block advertisements inside the video streams of YouTube?",
    "How do I connect Privoxy to an LDAP directory of users?",
  ],
};
