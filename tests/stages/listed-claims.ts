// Makes pages for tests: sections that list claims, one in each item.
import type { Block, Claim, Draft, Heading } from "../../src/run/report/report.ts";

export interface ListedSection {
  title: string;
  role?: NonNullable<Heading["role"]>;
  claims: readonly Claim[];
}

export function listed(sections: readonly ListedSection[]): Pick<Draft, "blocks" | "statements"> {
  const claims = sections.flatMap((section) => section.claims);
  return {
    blocks: sections.flatMap(({ title, role, claims: own }): Block[] => [
      { kind: "heading", level: 2, text: title, ...(role === undefined ? {} : { role }) },
      { kind: "list", ordered: false, items: own.map(({ statement_id }) => ({ statements: [statement_id] })) },
    ]),
    statements: Object.fromEntries(claims.map((claim) => [claim.statement_id, claim])),
  };
}
