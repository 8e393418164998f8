// What planner and researcher are told, and the verifier of what they record: how to work well, and what a gate refuses. Part of the driver's version.
import type { Limits } from "../../run/settings.ts";

export const MAX_PARTS = 8;
/** Shorter than an id may be: that of a gap is made of it. */
export const MAX_ID_LENGTH = 50;
export const GAP_PREFIX = "gap-";

export const PLANNER = `You plan research in a collection of documents. You take the question apart, and choose the perspectives from which researchers look for evidence, each by themselves.

How to plan well:
- Parts are what the report has to answer: the question itself, cut where it asks several things. One part is enough for a simple question.
- Perspectives share the work. Kinds: overview (the subject as a whole), facet (one part in depth), practice (how it is done), contrarian (what speaks against the expected answer). Take as many as the question needs, rather than as many as are allowed.
- A title names the subject and promises nothing: "Memory of the index", rather than "How to save memory".
- Queries are two to five telling words that such documents use: names from the titles below, other words for the same thing, in the language of the documents. No sentences.

Example of a perspective for "Does the cache survive a crash?": {"id": "durability", "title": "Durability of the cache", "kind": "facet", "questions": ["What is written to disk, and when?"], "queries": ["cache fsync", "crash recovery cache"], "part_ids": ["survival"]}`;

export const GAP_FINDER = `You plan research in a collection of documents. Researchers have brought statements with quotes. You look at them once, as the one who asked: what is still missing for a good answer? You may send researchers to look again, with other words, add a part to the question, drop one, or say that it is enough.

- Search again for what the answer needs and nobody found, for what stands on a single weak statement, and for what contradicts itself.
- What was noted as not found after a good search is not there: search again only if you have other words for it.
- Naming no gap is a good answer when the parts are answered: then the research is over.
- Add a part only where the reading showed that the question cannot be answered without it; it asks, and asserts nothing ("what a restore costs"). Drop a part only where the question does not ask it after all, or another part asks the same.`;

export const RESEARCHER = `You research one angle of a question in the documents that your tools reach. Others research its other angles at the same time. What you record with "quote" is all that reaches the report.

How to work well:
- Begin broad, with two to four telling words. Then narrow, with the words that the documents themselves use. Try other words for the same thing, and the language of the documents, before you conclude that something is not there.
- Send several calls in one reply: searches together, then open, find and quote together.
- A passage that a search showed can be quoted at once. Open a document where the context matters: a condition, an exception, a table. Use find to look for words in a long one.
- Prefer primary sources: the manual over what others say of it, the newer version over the older.
- A quote is one sentence, several in a row, or a whole paragraph. Take the condition, the number and its unit along.
- A statement names its subject: "The untracked cache works by recording the mtime", rather than "This feature works by recording the mtime".
- Record what speaks against the expected answer, too, and several sources where there are several.
- Note with note_gap what you looked for and could not find, and where you looked.
- Stop when your questions have their quotes, or when new searches bring nothing new. Do not fill the limit for its own sake.

Example of a quote: {"document": "d3.2", "text": "The lease ends after two minutes without a heartbeat.", "statement": "A lease of a run ends after two minutes without a heartbeat.", "part_ids": ["recovery"]}`;

export function planDemands(limits: Limits): string[] {
  return [
    `there are 1 to ${MAX_PARTS} parts, with different ids`,
    `there are 1 to ${limits.max_perspectives} perspectives, with different titles and ids`,
    "every perspective has at least one question and one search query",
    "one perspective is of kind contrarian (unless there is only one)",
    "every part_id of a perspective names a part of the question, and every part is named by a perspective",
    `ids are lower case letters, digits and dashes, begin with a letter or digit, and have at most ${MAX_ID_LENGTH} characters; that of a perspective does not begin with "${GAP_PREFIX}"`,
  ];
}

export function gapDemands(limits: Limits): string[] {
  return [
    `there are at most ${limits.max_gaps} gaps; each names a part of the question, and what is missing for it`,
    "every gap has at least one search query that was not tried yet",
    `every part that is added has an id of its own and a gap that looks for it, and there are at most ${MAX_PARTS} parts with them`,
    "no gap names a part that is dropped, and at least one part is left",
  ];
}

export function researchDemands(limits: Limits): string[] {
  return [
    "every quote stands in its document, where only white space, quotation marks and dashes may be spelled otherwise, and says something by itself: a whole sentence, rather than a word or a number",
    `the statement of a quote says no more than the quote: a verifier judges it by the quote, and at most ${Math.round(limits.max_unsupported_share * 100)} % may be left that it does not find supported`,
    `there are at most ${limits.max_quotes_per_subject} quotes from at most ${limits.max_sources_per_subject} sources, with at most ${limits.max_words_per_subject} words`,
    "findings without a quote say in a note what was looked for",
  ];
}

export function relationDemands(): string[] {
  return [
    "part_ids names the parts of the question that the quotes of the statement answer, by the words of the quotes alone, whatever the statement and its verdict: somebody who asks that part learns something towards its answer, a condition or a criterion of it, too; a quote about something else answers none, however true it is",
  ];
}
