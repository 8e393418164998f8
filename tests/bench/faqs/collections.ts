// FAQs that others wrote, each among the other manuals of its package: questions as people asked them.
import type { Package } from "../answers/collection.ts";

export interface FaqCollection {
  name: string;
  language: string;
  /** Rules are chosen on the first half; the second is looked at when a choice is made. No package is in both. */
  half: "first" | "second";
  packages: readonly Package[];
  /** Which documents hold questions, as a glob inside all that is kept. */
  faqs: string;
}

const deb = (name: string, keep: string): Package => ({ from: "deb", name, keep });

const weechat = (language: string): FaqCollection => ({
  name: `weechat-${language}`,
  language,
  half: "first",
  packages: [deb("weechat-doc", `usr/share/doc/weechat-doc/html/*.${language}.html`)],
  faqs: "weechat-doc/*weechat_faq*",
});

const mplayer = (language: string): FaqCollection => ({
  name: `mplayer-${language}`,
  language,
  half: "second",
  packages: [deb("mplayer-doc", `usr/share/doc/mplayer/HTML/${language}/*.html`)],
  faqs: "mplayer-doc/faq.html",
});

export const FAQ_COLLECTIONS: readonly FaqCollection[] = [
  {
    name: "perl",
    language: "en",
    half: "first",
    packages: [
      // perltoc repeats the headings of all others.
      deb("perl-doc", "usr/share/perl/*/pod/{perl[!t],perlt[!o]}*.pod"),
      deb("fetchmail", "usr/share/doc/fetchmail/*.html"),
      deb("xboard", "usr/share/doc/xboard/*.html"),
    ],
    faqs: "{perl-doc/**/perl{,uni}faq*,fetchmail/*FAQ*,xboard/FAQ*}",
  },
  {
    name: "django",
    language: "en",
    half: "first",
    packages: [
      deb(
        "python-django-doc",
        "usr/share/doc/python-django-doc/html/{faq,howto,internals,intro,misc,ref,topics}/**/*.html",
      ),
      deb("borgbackup-doc", "usr/share/doc/borgbackup/html/**/*.html"),
      deb("ffmpeg-doc", "usr/share/doc/ffmpeg/manual/{[!f]*,faq,fate,ffmpeg,ffmpeg-[!a]*}.html"),
    ],
    faqs: "{python-django-doc/faq/*,borgbackup-doc/faq.html,ffmpeg-doc/**faq.html}",
  },
  ...["en", "de", "fr", "es", "it", "ja", "pl"].map(weechat),
  {
    name: "python",
    language: "en",
    half: "second",
    packages: [
      deb(
        "python3.11-doc",
        "usr/share/doc/python3.11/html/{faq,howto,library,reference,tutorial,using,extending}/*.html",
      ),
      deb("git-doc", "usr/share/doc/git-doc/*.html"),
    ],
    faqs: "{python3.11-doc/faq/*,git-doc/gitfaq.html}",
  },
  {
    name: "statistics",
    language: "en",
    half: "second",
    packages: [
      deb("r-doc-html", "usr/share/R/doc/manual/*.html"),
      deb("python-sqlalchemy-doc", "usr/share/doc/python-sqlalchemy-doc/html/{core,dialects,errors,faq,orm}/**.html"),
      deb("python-scrapy-doc", "usr/share/doc/python-scrapy-doc/html/**/*.html"),
    ],
    faqs: "{r-doc-html/R-FAQ.html,python-sqlalchemy-doc/faq/*,python-scrapy-doc/faq.html}",
  },
  {
    name: "networks",
    language: "en",
    half: "second",
    packages: [
      deb("shorewall-doc", "usr/share/doc/shorewall-doc/html/*.{htm,html}"),
      deb("zsh-doc", "usr/share/doc/zsh-common/html/*.html"),
    ],
    faqs: "{shorewall-doc/FAQ.htm,zsh-doc/FAQ*}",
  },
  ...["en", "de", "fr", "es", "it", "ru"].map(mplayer),
];
