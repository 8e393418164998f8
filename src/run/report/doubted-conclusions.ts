// Marks every conclusion from a doubtful claim as not checked.
import { memberOf } from "../../kernel/member.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Claim, Draft } from "./report.ts";
import { isClaim } from "./statements.ts";

type Conclusion = Extract<Claim, { basis: "derived" }>;
type Statements = Draft["statements"];

/** The method of the verdict: the conclusion could not be judged. */
const METHOD = "none";
const MAX_REASON = 400;

/** Marks every conclusion from a doubtful claim as not checked, then the conclusions from those as well. */
export function withDoubtedConclusions<P extends Pick<Draft, "statements">>(draft: P): P {
  const statements = { ...draft.statements };
  for (let open = doubtedConclusions(statements); open.length > 0; open = doubtedConclusions(statements))
    for (const { conclusion, reason } of open)
      statements[conclusion.statement_id] = { ...conclusion, verdict: "not_checked", method: METHOD, reason };
  return { ...draft, statements };
}

/** The conclusions that are called supported although they follow from a claim that is not. */
export function doubtedConclusions(statements: Statements): { conclusion: Conclusion; reason: string }[] {
  return Object.values(statements).flatMap((statement) => {
    if (statement.basis !== "derived" || statement.verdict !== "supported") return [];
    const doubted = statement.from
      .flatMap((id) => memberOf(statements, id) ?? [])
      .filter(isClaim)
      .find(({ verdict }) => verdict !== "supported");
    return doubted === undefined ? [] : [{ conclusion: statement, reason: reasonOf(doubted) }];
  });
}

function reasonOf({ text, verdict }: Claim): string {
  const why = verdict === "contradicted" ? "is contradicted by its quotes" : "was not checked";
  return shortened(`follows from what ${why}: “${text}”`, MAX_REASON);
}
