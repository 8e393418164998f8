// Joins sections that were written side by side to one page, with statements numbered in reading order.
import { memberOf } from "../../../kernel/member.ts";
import { given } from "../../../kernel/given.ts";
import { blocksWith } from "../../../run/report/changed-blocks.ts";
import { contradictedApart } from "../../../run/report/contradicted-apart.ts";
import type { Draft, Statement } from "../../../run/report/report.ts";
import { idsIn } from "../../../run/report/statements.ts";

/** `headings`: those of the outline, to name a section of which nothing is left. */
export function joinedSections(sections: readonly Draft[], headings: readonly string[], question: string): Draft {
  const page: Draft = {
    question,
    blocks: [],
    statements: {},
    sources: [],
    gaps: [],
    parts: [],
    made: { notes: [] },
  };
  const notes = new Set<string>();
  let next = 1;
  for (const [index, section] of sections.entries()) {
    for (const note of section.made.notes) notes.add(note);
    if (section.blocks.length === 0) notes.add(`Nothing was left of the section “${headings[index] ?? ""}”.`);
    const own = numbered(section, next);
    page.blocks.push(...own.blocks);
    Object.assign(page.statements, own.statements);
    next += Object.keys(own.statements).length;
    page.gaps.push(...section.gaps.filter(({ gap_id }) => !page.gaps.some((gap) => gap.gap_id === gap_id)));
    for (const source of section.sources)
      if (!page.sources.some(({ source_digest }) => source_digest === source.source_digest))
        page.sources.push({ ...source, number: page.sources.length + 1 });
  }
  return { ...page, ...contradictedApart(page), made: { notes: [...notes] } };
}

/** The draft with its statements named `s<first>`, `s<first + 1>` and so on, in reading order. */
export function numbered(draft: Draft, first = 1): Draft {
  const ids = new Map([...new Set(draft.blocks.flatMap(idsIn))].map((id, index) => [id, `s${first + index}`]));
  const nameOf = (id: string): string => ids.get(id) ?? id;
  const statements = Object.fromEntries(
    [...ids].flatMap(([old, statement_id]) => {
      const statement = memberOf(draft.statements, old);
      return statement === undefined ? [] : [[statement_id, renamed(statement, statement_id, nameOf)] as const];
    }),
  );
  return {
    ...draft,
    statements,
    parts: draft.parts.map(({ answered_by, mentioned_by, ...part }) => ({
      ...part,
      ...given({ answered_by: answered_by?.map(nameOf), mentioned_by: mentioned_by?.map(nameOf) }),
    })),
    blocks: blocksWith(draft.blocks, { ids: (id) => [nameOf(id)] }),
  };
}

function renamed(statement: Statement, statement_id: string, nameOf: (id: string) => string): Statement {
  if (!("from" in statement)) return { ...statement, statement_id };
  return { ...statement, statement_id, from: statement.from.map(nameOf) };
}
